"""The calculator: what a few results would do to a rating, asked by a form whose address can be kept."""

from typing import Annotated, Any, NamedTuple

from litestar import Response
from litestar.params import FromQuery, QueryParameter

from ratebook.calculators.approx2001 import performance_rating
from ratebook.calculators.editions import OlderOptions, by_1995, by_2001, by_timeline
from ratebook.findings import Finding, Place, finding
from ratebook.model import System
from ratebook.pages.estimate import estimate_words, figure_lines, short_answer
from ratebook.rating.formulas import rounded
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.titles.classes import rating_class
from ratebook.web.public.estimate_form import (
    INPUTS,
    LONGEST_OPPONENT,
    MOST_GAMES,
    EstimateAsked,
    GameRow,
    kept_address,
    player_of_book,
    read_form,
    typed_rows,
)
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite

FEWEST_ROWS, MORE_ROWS = 5, 5
RESULTS = (("W", "won"), ("D", "drawn"), ("L", "lost"))


@public("/calculator")
def calculator(
    site: TheSite,
    player: Annotated[str, QueryParameter(max_length=60)] = "",
    rating: FromQuery[str | None] = None,
    games: FromQuery[str | None] = None,
    age: FromQuery[str | None] = None,
    peak: FromQuery[str | None] = None,
    floor: FromQuery[str | None] = None,
    system: FromQuery[System | None] = None,
    edition: FromQuery[str | None] = None,
    on: FromQuery[str | None] = None,
    opponent: FromQuery[list[str] | None] = None,
    result: FromQuery[list[str] | None] = None,
    rows: Annotated[int, QueryParameter(ge=0, le=MOST_GAMES)] = 0,
) -> Response[bytes]:
    """Show the form, and with results the estimate; what cannot be read is kept beside what is wrong with it."""
    inputs = {"rating": rating, "games": games, "age": age, "peak": peak, "floor": floor}
    inputs |= {"system": system and system.value, "edition": edition, "on": on}
    typed_games = typed_rows(opponent or [], result or [])
    today = site.today()
    answer: Answer | None = None
    findings: list[Finding] = []
    with site.reading() as reader:
        known = player_of_book(reader, player, system) if player else None
        typed = {"system": System.REGULAR.value, "on": today.isoformat()} | dict(
            known.values if known else {}
        )
        typed |= {name: text for name, text in inputs.items() if text is not None and (text or name != "on")}
        typed = {asked.name: typed.get(asked.name, "") for asked in INPUTS}
        was_sent = bool(opponent or result) or any(inputs[name] for name in ("rating", "age", "peak"))
        if was_sent and not rows:
            estimate, typed_games, findings = read_form(reader, typed, typed_games, today)
            if estimate is not None:
                figures, findings = estimated(estimate, reader.federation.rulebook)
                played = [row for row in typed_games if row.opponent]
                answer = _answer(figures, estimate, played) if figures else None
    wrong: dict[str, str] = {}
    for mistake in findings:
        wrong.setdefault(mistake.where, mistake.message)
    values = {"player": player} | typed

    def with_opponent(at: int, member: str) -> str:
        chosen = typed_games[at]._replace(opponent=member)
        return kept_address("/calculator", values, [*typed_games[:at], chosen, *typed_games[at + 1 :]])

    shown = max(rows, len(typed_games), FEWEST_ROWS)
    numbered = [*typed_games, *[GameRow("", "")] * (shown - len(typed_games))][:MOST_GAMES]
    return page(
        "public/calculator.html",
        reader.face,
        status=422 if findings else 200,
        known=known,
        inputs=INPUTS,
        typed=typed,
        rows=[
            row._replace(
                wrong=wrong.get(f"opponent-{at + 1}", ""),
                offers=[(with_opponent(at, member), name) for member, name in row.offers],
            )
            for at, row in enumerate(numbered)
        ],
        results=RESULTS,
        longest=LONGEST_OPPONENT,
        more=min(shown + MORE_ROWS, MOST_GAMES) if shown < MOST_GAMES else 0,
        findings=findings,
        wrong=wrong,
        answer=answer,
        address=kept_address("/calculator", values, typed_games),
    )


class FacedOpponent(NamedTuple):
    """A game of an estimate: who was named, who that is, the rating that counts, the result, what was expected."""

    opponent: str
    read_as: str
    faced: str
    result: str
    expected: str


class Answer(NamedTuple):
    """An estimate as the page shows it: a sentence, what follows in words, the games, every figure."""

    short: str
    words: list[str]
    games: list[FacedOpponent]
    figures: list[tuple[str, str]]


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


def _answer(figures: dict[str, Any], estimate: EstimateAsked, played: list[GameRow]) -> Answer:
    by_rules = "displayed" in figures
    rated = estimate.situation.rating is not None
    after = figures["rating after" if by_rules else "rating_after"]
    expected = figures["expectancies"] if by_rules else []
    ratings = [game.opponent_rating for game in estimate.games]
    faced = figures.get("opponents faced at", ratings)
    games = [
        FacedOpponent(
            opponent=row.opponent,
            read_as=row.read_as,
            faced=f"{rounded(faced[at]):.0f}",
            result=dict(RESULTS)[row.result],
            expected=f"{expected[at]:.2f}" if at < len(expected) else "",
        )
        for at, row in enumerate(played)
    ]
    performance = performance_rating(faced, [game.score for game in estimate.games])
    every = figures | {"class": rating_class(after).name, "performance rating": performance}
    return Answer(
        short_answer(figures, len(played), rated=rated)
        if by_rules
        else f"The rating after is {rounded(after):.0f}.",
        estimate_words(figures, rated=rated) if by_rules else [],
        games,
        figure_lines(every),
    )
