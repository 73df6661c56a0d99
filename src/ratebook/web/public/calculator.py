"""The calculator: what a few results would do to a rating, asked by a form whose address can be kept."""

import math
from datetime import date
from typing import Annotated, Any, NamedTuple

from litestar import Response
from litestar.params import FromQuery, QueryParameter

from ratebook.calculators.approx2001 import performance_rating
from ratebook.calculators.arithmetic import Game
from ratebook.calculators.editions import OlderOptions, Situation, by_1995, by_2001, by_timeline
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.sheets.figures import WrittenRating, parse_rating
from ratebook.model import System
from ratebook.pages.columns import counted
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.pages.estimate import estimate_words, figure_text, short_answer
from ratebook.rating.formulas import rounded
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.titles.classes import rating_class
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

MOST_GAMES, FEWEST_ROWS, MORE_ROWS = 30, 5, 5
LOWEST, HIGHEST = 100, 3500
OLDEST = 120
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
RESULTS = (("W", "won"), ("D", "drawn"), ("L", "lost"))
A_RATING = f"a rating from {LOWEST} to {HIGHEST}, such as 1500 or 1500P12"

RATING = Input(
    "rating",
    "Rating before",
    hint="1500, or 1500P12 while provisional; empty: unrated.",
    needed=False,
    most=12,
)
AGE = Input(
    "age", "Age in years", InputKind.NUMBER, hint="Only of a player without a rating.", needed=False, most=5
)
PEAK = Input("peak", "Highest rating so far", InputKind.NUMBER, hint="For its floor.", needed=False, most=8)
SYSTEM = Input(
    "system", "System", InputKind.CHOICE, choices=[(one.value, SYSTEM_TITLES[one]) for one in System]
)
EDITION = Input(
    "edition",
    "Rules",
    InputKind.CHOICE,
    choices=[("", "of the day"), ("2001", "approximation of 2001"), ("1995", "of 1995")],
    needed=False,
)
DAY = Input("on", "Day of the event", InputKind.DATE, needed=False)
INPUTS = (RATING, AGE, PEAK, SYSTEM, EDITION, DAY)


class GameRow(NamedTuple):
    """A row of the form: what was typed, and what is wrong with it."""

    opponent: str
    result: str
    wrong: str = ""


class EstimateAsked(NamedTuple):
    """What is to be estimated."""

    situation: Situation
    games: list[Game]
    system: System
    edition: str
    day: date


@public("/calculator")
def calculator(
    site: TheSite,
    rating: FromQuery[str] = "",
    age: FromQuery[str] = "",
    peak: FromQuery[str] = "",
    system: FromQuery[str] = System.REGULAR.value,
    edition: FromQuery[str] = "",
    on: FromQuery[str] = "",
    opponent: FromQuery[list[str] | None] = None,
    result: FromQuery[list[str] | None] = None,
    rows: Annotated[int, QueryParameter(ge=0, le=MOST_GAMES)] = 0,
) -> Response[bytes]:
    """Show the form, and with results the estimate; what cannot be read is kept beside what is wrong with it."""
    typed = {"rating": rating, "age": age, "peak": peak, "system": system, "edition": edition, "on": on}
    games = _rows(opponent or [], result or [])
    played = [game for game in games if game.opponent]
    today = site.today()
    figures: dict[str, Any] = {}
    findings: list[Finding] = []
    if played or any(typed[name] for name in ("rating", "age", "peak")):
        estimate, findings = _read(typed, games, today)
        if estimate is not None and not rows:
            with site.reading() as reader:
                figures, findings = estimated(estimate, reader.federation.rulebook)
    wrong: dict[str, str] = {}
    for mistake in findings:
        wrong.setdefault(mistake.where, mistake.message)
    shown = max(rows, len(games), FEWEST_ROWS)
    numbered = [*games, *[GameRow("", "W")] * (shown - len(games))][:MOST_GAMES]
    return page(
        "public/calculator.html",
        status=422 if findings else 200,
        inputs=INPUTS,
        typed=typed | {"on": on or today.isoformat()},
        rows=[
            row._replace(wrong=wrong.get(f"opponent-{at}", "")) for at, row in enumerate(numbered, start=1)
        ],
        results=RESULTS,
        more=min(shown + MORE_ROWS, MOST_GAMES) if shown < MOST_GAMES else 0,
        findings=findings,
        wrong=wrong,
        answer=_answer(figures, played, rated=_points(rating) > 0) if figures else None,
    )


class Answer(NamedTuple):
    """An estimate as the page shows it: a sentence, what follows in words, the games, every figure."""

    short: str
    words: list[str]
    games: list[tuple[GameRow, str]]
    figures: list[tuple[str, str]]


def _rows(opponents: list[str], results: list[str]) -> list[GameRow]:
    """Return the rows of games up to the last one in which something was typed."""
    rows = [
        GameRow(opponent.strip()[:12], results[at] if at < len(results) else "")
        for at, opponent in enumerate(opponents)
    ]
    while rows and not rows[-1].opponent:
        rows.pop()
    return rows


def _read(
    typed: dict[str, str], rows: list[GameRow], today: date
) -> tuple[EstimateAsked | None, list[Finding]]:
    """Return what is asked, or what is wrong with it."""
    sent = Sent({name: (text,) for name, text in typed.items()}, {})
    findings = list(sent.wrong(INPUTS))
    before = parse_rating(sent.text("rating")) if sent.text("rating") else WrittenRating(None)
    if before is None or (before.points is not None and not LOWEST <= before.points <= HIGHEST):
        findings.append(_not_read("rating", RATING.label, sent.text("rating"), A_RATING))
    age, peak = sent.number("age"), sent.number("peak")
    if age is not None and not 0 <= age <= OLDEST:
        findings.append(_not_read("age", AGE.label, sent.text("age"), f"an age up to {OLDEST}"))
    if peak is not None and not max(LOWEST, (before and before.points) or 0) <= peak <= HIGHEST:
        wanted = "a rating that is not below the one before, or nothing"
        findings.append(_not_read("peak", PEAK.label, sent.text("peak"), wanted))
    games = []
    for at, row in enumerate(rows[:MOST_GAMES], start=1):
        opponent = parse_rating(row.opponent) if row.opponent else None
        if not row.opponent:
            continue
        readable = opponent is not None and opponent.points is not None and row.result in SCORES
        if (
            opponent is None
            or opponent.points is None
            or not readable
            or not LOWEST <= opponent.points <= HIGHEST
        ):
            findings.append(_not_read(f"opponent-{at}", f"Opponent {at}", row.opponent, A_RATING))
            continue
        games.append(Game(opponent.points, SCORES[row.result]))
    if len(rows) > MOST_GAMES:
        findings.append(_not_read("games", "Games", f"{len(rows)}", f"at most {counted(MOST_GAMES, 'game')}"))
    if not games and not findings:
        findings.append(finding("form-missing", Place(input="opponent-1"), label="Opponent 1"))
    if findings or before is None:
        return None, findings
    known = math.inf if before.games is None else before.games
    situation = Situation(
        before.points, 0.0 if before.points is None else known, age, "mixed", half_k=False, peak=peak
    )
    system, day = System(sent.text("system")), sent.day("on") or today
    return EstimateAsked(situation, games, system, sent.text("edition"), day), []


def _not_read(where: str, label: str, text: str, wanted: str) -> Finding:
    return finding("form-not-read", Place(input=where), label=label, text=text[:40], wanted=wanted)


def estimated(estimate: EstimateAsked, rulebook: Rulebook) -> tuple[dict[str, Any], list[Finding]]:
    """Return the figures of an estimate, as `ratebook estimate` has them, or why there are none."""
    situation, games = estimate.situation, estimate.games
    try:
        if estimate.edition == "1995":
            older = OlderOptions("1995", "10", prison=False, fide=None, cfc=None, opponents=None)
            return by_1995(situation, games, older), []
        if estimate.edition == "2001":
            return by_2001(situation, games, "10"), []
        figures = by_timeline(situation, games, rulebook, estimate.day, estimate.system, None)
    except RuleNotKnown as unknown:
        return {}, [finding("rules-not-known.later-day", Place(input="on"), unknown=str(unknown))]
    except (ArithmeticError, ValueError) as failure:
        return {}, [finding("value-wrong.calculator", Place(input="rating"), failure=str(failure))]
    if isinstance(figures, list):
        return {}, figures
    return figures, []


def _answer(estimate: dict[str, Any], played: list[GameRow], *, rated: bool) -> Answer:
    by_rules = "displayed" in estimate
    after = estimate["rating after" if by_rules else "rating_after"]
    expected = estimate["expectancies"] if by_rules else []
    games = [(row, f"{expected[at]:.3f}" if at < len(expected) else "") for at, row in enumerate(played)]
    performance = performance_rating(
        [_points(row.opponent) for row in played], [SCORES[row.result] for row in played]
    )
    figures = estimate | {"class": rating_class(after).name, "performance rating": performance}
    return Answer(
        short_answer(estimate, len(played), rated=rated)
        if by_rules
        else f"The rating after is {rounded(after):.0f}.",
        estimate_words(estimate, rated=rated) if by_rules else [],
        games,
        [
            (name.replace("_", " "), figure_text(name, value))
            for name, value in figures.items()
            if name not in {"expectancies", "games", "stretches"}
        ],
    )


def _points(text: str) -> float:
    rating = parse_rating(text)
    return 0.0 if rating is None or rating.points is None else rating.points
