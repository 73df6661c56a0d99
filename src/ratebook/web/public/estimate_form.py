"""What the form of the calculator asks for, and what was typed into it: ratings, games, opponents of the book."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from ratebook.book.columns import END_OF_HISTORY
from ratebook.book.facts.members import MemberQuestion, find_members, person_of
from ratebook.book.facts.near_members import near_members
from ratebook.book.ledger.read import load_standings
from ratebook.calculators.arithmetic import UNRATED, Game
from ratebook.calculators.editions import Situation
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.sheets.figures import WrittenRating, parse_rating
from ratebook.model import Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import counted
from ratebook.pages.member import current_ratings
from ratebook.pages.players.search import PlayerMatch, with_ratings
from ratebook.pages.ratings import floor_in_force
from ratebook.records.system_titles import RATED_CHOICES
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.words import person_name
from ratebook.web.site import Reader

MOST_GAMES = 30
LOWEST, HIGHEST = 100, 3500
OLDEST, MOST_PRIOR_GAMES = 120, 100_000
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
A_RATING = f"a rating from {LOWEST} to {HIGHEST}, such as 1500 or 1500P12"
LONGEST_OPPONENT = 60
_MOST_NAMED = 6

RATING = Input(
    "rating",
    "Rating before",
    hint="1500, or 1500P12 if provisional; leave empty if unrated.",
    needed=False,
    most=12,
)
GAMES = Input(
    "games",
    "Games before",
    InputKind.NUMBER,
    hint="How many games it is based on, if known.",
    needed=False,
    most=8,
)
AGE = Input(
    "age", "Age in years", InputKind.NUMBER, hint="Only of a player without a rating.", needed=False, most=5
)
PEAK = Input("peak", "Highest rating so far", InputKind.NUMBER, hint="For its floor.", needed=False, most=8)
FLOOR = Input("floor", "Floor", InputKind.NUMBER, hint="If it is known.", needed=False, most=8)
SYSTEM = Input("system", "System", InputKind.CHOICE, choices=RATED_CHOICES)
EDITION = Input(
    "edition",
    "Rules",
    InputKind.CHOICE,
    choices=[("", "of the day"), ("2001", "approximation of 2001"), ("1995", "of 1995")],
    needed=False,
)
DAY = Input("on", "Day of the event", InputKind.DATE, needed=False)
INPUTS = (RATING, GAMES, AGE, PEAK, FLOOR, SYSTEM, EDITION, DAY)


class GameRow(NamedTuple):
    """A row of the form: what was typed, what it was read as, what is wrong with it, and who may be meant.

    Attributes:
        offers: the ids of players who may be meant, with their names and ratings.
    """

    opponent: str
    result: str
    read_as: str = ""
    wrong: str = ""
    offers: Sequence[tuple[str, str]] = ()


class EstimateAsked(NamedTuple):
    """What is to be estimated."""

    situation: Situation
    games: list[Game]
    system: System
    edition: str
    day: date


class PlayerOfBook(NamedTuple):
    """A player of the book whose next event is estimated.

    Attributes:
        ratings: the current ones.
        system: the one that is estimated.
        values: what the form has from the book, where nothing else is typed.
    """

    id: str
    name: str
    ratings: Mapping[System, Shown]
    system: System
    values: Mapping[str, str]


def player_of_book(reader: Reader, member: str, system: System | None) -> PlayerOfBook:
    """Return a player with what is public of the rating in a system: if none is named, the first that there is.

    Raises:
        BookError: there is no such member.
    """
    person = person_of(reader.connection, member).player
    ratings = current_ratings(reader.connection, reader.federation, [person.id]).get(person.id, {})
    system = system or next(iter(ratings), System.REGULAR)
    values = {"system": system.value}
    if system in ratings:
        values["rating"] = shown_rating(ratings[system])
    standing = load_standings(reader.connection, [person.id], END_OF_HISTORY)[person.id].get(system)
    if standing is not None:
        games, established = standing.rating.games, ratings[system].provisional_games is None
        values |= {"games": f"{games:g}"} if games is not None and established else {}
        values["floor"] = f"{floor_in_force(reader.federation, system, standing, reader.today):g}"
    return PlayerOfBook(person.id, person.name or person.id, ratings, system, values)


def typed_rows(opponents: list[str], results: list[str]) -> list[GameRow]:
    """Return the rows of games up to the last one in which something was typed."""
    rows = [
        GameRow(" ".join(opponent.split())[:LONGEST_OPPONENT], results[at] if at < len(results) else "")
        for at, opponent in enumerate(opponents)
    ]
    while rows and not rows[-1].opponent:
        rows.pop()
    return rows


def read_form(
    reader: Reader, typed: Mapping[str, str], rows: list[GameRow], today: date
) -> tuple[EstimateAsked | None, list[GameRow], list[Finding]]:
    """Return what is asked, if it can be read; the rows as they were read, and what is wrong."""
    sent = Sent({name: (text,) for name, text in typed.items()}, {})
    findings = list(sent.wrong(INPUTS))
    before = parse_rating(sent.text("rating")) if sent.text("rating") else WrittenRating(None)
    findings += _wrong_figures(sent, before)
    system = System(sent.text("system")) if sent.text("system") in set(System) else System.REGULAR
    games, read_rows = [], []
    for at, row in enumerate(rows[:MOST_GAMES], start=1):
        game, read_row, wrong = _read_game(reader, row, at, system, edition=sent.text("edition"))
        read_rows.append(read_row)
        findings += wrong
        games += [] if game is None else [game]
    if len(rows) > MOST_GAMES:
        findings.append(_not_read("games", "Games", f"{len(rows)}", f"at most {counted(MOST_GAMES, 'game')}"))
    if not games and not findings:
        findings.append(finding("estimate-without-games", Place(input="opponent-1")))
    if findings or before is None:
        return None, read_rows, findings
    known = sent.number("games") if before.games is None else before.games
    prior_games = 0.0 if before.points is None else math.inf if known is None else known
    situation = Situation(
        rating=before.points,
        games=prior_games,
        age=sent.number("age"),
        record="mixed",
        half_k=False,
        peak=sent.number("peak"),
        floor=sent.number("floor"),
    )
    day = sent.day("on") or today
    return EstimateAsked(situation, games, system, sent.text("edition"), day), read_rows, []


def _wrong_figures(sent: Sent, before: WrittenRating | None) -> Iterator[Finding]:
    if before is None or (before.points is not None and not LOWEST <= before.points <= HIGHEST):
        yield _not_read("rating", RATING.label, sent.text("rating"), A_RATING)
    lowest_peak = max(LOWEST, (before and before.points) or 0)
    for field, least, most, wanted in (
        (GAMES, 0, MOST_PRIOR_GAMES, "a number of games, or nothing"),
        (AGE, 0, OLDEST, f"an age up to {OLDEST}"),
        (PEAK, lowest_peak, HIGHEST, "a rating that is not below the one before, or nothing"),
        (FLOOR, LOWEST, HIGHEST, "a rating, or nothing"),
    ):
        number = sent.number(field.name)
        if number is not None and not least <= number <= most:
            yield _not_read(field.name, field.label, sent.text(field.name), wanted)


def _read_game(
    reader: Reader, row: GameRow, at: int, system: System, *, edition: str
) -> tuple[Game | None, GameRow, list[Finding]]:
    """Return the game of a row, if it can be read; the row as it was read, and what is wrong with it."""
    label, place = f"Opponent {at}", Place(input=f"opponent-{at}")
    if not row.opponent:
        return None, row, []
    game, row, wrong = _read_opponent(reader, row, label, place, system)
    if game is not None and game.is_newcomer and edition:
        wrong = [_not_read(f"opponent-{at}", label, row.opponent, f"{A_RATING}: older rules need one")]
    if row.result not in SCORES:
        wrong = [*wrong, finding("result-not-chosen", place, label=label)]
    if game is None or wrong:
        return None, row, wrong
    return game._replace(score=SCORES[row.result]), row, []


def _read_opponent(
    reader: Reader, row: GameRow, label: str, place: Place, system: System
) -> tuple[Game | None, GameRow, list[Finding]]:
    """Return a game against the opponent, without a score yet; the row with who it is or may be; what is wrong."""
    text = row.opponent
    words, _, age = text.replace("@", " ").rpartition(" ")
    if words and age.isdecimal() and int(age) <= OLDEST and parse_rating(words) == WrittenRating(None):
        return Game(UNRATED, 0.0, opponent_age=float(age)), row, []
    rating = parse_rating(text)
    if rating is not None and rating.points is None:
        return Game(UNRATED, 0.0), row, []
    if rating is not None and rating.points is not None and LOWEST <= rating.points <= HIGHEST:
        return Game(rating.points, 0.0), row, []
    players, total = find_members(reader.connection, MemberQuestion(text, most=_MOST_NAMED))
    if total == 1:
        (match,) = with_ratings(reader.connection, reader.federation, players)
        shown = match.ratings.get(system)
        points = UNRATED if shown is None else float(shown.rating)
        return Game(points, 0.0, match.player.id), row._replace(read_as=named_player(match, system)), []
    near = players or near_members(reader.connection, text)
    if not near:
        return None, row, [_not_read(place.input, label, text, f"{A_RATING}, “unrated”, an id or a name")]
    offers = [
        (match.player.id, named_player(match, system))
        for match in with_ratings(reader.connection, reader.federation, near)
    ]
    case = "opponent-not-found.several" if players else "opponent-not-found.near"
    return None, row._replace(offers=offers), [finding(case, place, label=label, text=text)]


def named_player(match: PlayerMatch, system: System) -> str:
    """Return a player's name with the rating in a system."""
    rating = shown_rating(match.ratings.get(system)) or "unrated"
    return f"{person_name(match.player.name) or match.player.id}, {rating}"


def _not_read(where: str, label: str, text: str, wanted: str) -> Finding:
    return finding("form-not-read", Place(input=where), label=label, text=text[:40], wanted=wanted)


def kept_address(path: str, typed: Mapping[str, str], rows: Iterable[GameRow]) -> str:
    """Return the address that opens the form as it was filled in; what is empty is left out."""
    fields = [(name, text) for name, text in typed.items() if text]
    for row in rows:
        if row.opponent:
            fields += [("opponent", row.opponent), ("result", row.result)]
    return f"{path}?{urlencode(fields)}"
