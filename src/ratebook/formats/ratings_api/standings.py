"""The standings of one section as the ratings API gives them: seats, results and ratings.

Source: docs/formats/ratings-api.md#standings.

A seat is the pairing number, or the ordinal where not every player of the section has a pairing number. Keys that
are not read are ignored: the API is not ours, and grows.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.hints import own_id
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import HIGHEST_RATING, Fields, rating_in_range, shown
from ratebook.formats.reading.kinds import DAY, GAMES, LIST, POINTS, TEXT, Number, Whole
from ratebook.formats.reading.printed_table import SYSTEM_OF_LABEL, PrintedRating, RatingsRead, Row
from ratebook.model import SCORES, Cell, ForeignRating, System

LETTERS = {
    "Win": "W",
    "Loss": "L",
    "Draw": "D",
    "WinAsym": "N",
    "LossAsym": "S",
    "DrawAsym": "R",
    "WinForfeit": "X",
    "Forfeit": "F",
    "DrawForfeit": "Z",
    "ByeFull": "B",
    "ByeHalf": "H",
    "Unpaired": "U",
    "ReportNoResult": "U",
    "NotReported": "",
}
"""Result letters by outcome; a round reported without result scores nothing, as unpaired.

Source: docs/formats/uschess.md#round-cells.
"""

COLOURS = {None: "", "": "", "Unknown": "", "White": "w", "Black": "b"}

WITH_OPPONENT = frozenset("WLDNSRXFZ")
_LETTER_OF: Callable[[Cell], str] = itemgetter(0)
_CELLS_KEPT = 65_536
_SEAT_OR_0 = Whole(0, SEATS_AT_MOST)
_POINTS_OR_0 = Number(0, HIGHEST_RATING, "rating-out-of-range.field")
_DAY_LENGTH = len("2026-11-14")


@lru_cache(maxsize=_CELLS_KEPT)
def outcome_cell(letter: str, opponent: int, colour: str) -> Cell:
    """Return a cell of these; an opponent of 0 means none."""
    return Cell(letter, opponent or None, colour) if letter else EMPTY_CELL


class ApiFields(Fields):
    """The fields of an object of the API, whose keys are not ours: those that are not read may be there."""

    def wrong_type(self, key: str, wanted: str, value: object) -> None:
        """Report that the field *key* is not what is *wanted*, which no one can change but the API."""
        self.add("type-wrong.answer-field", key, key=key, wanted=wanted, value=shown(value))

    def text(self, key: str) -> str:
        """Return a text, empty where it is absent or wrong; a number that stands for an id is taken as its digits."""
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return (self.read(key, TEXT) or "").strip()

    def day(self, key: str) -> date | None:
        """Return a date; the time that the API may add is left out."""
        value = self.values.get(key)
        if isinstance(value, str) and value[_DAY_LENGTH : _DAY_LENGTH + 1] == "T":
            return DAY.read(self, key, value[:_DAY_LENGTH])
        return self.read(key, DAY)


class _Seats(NamedTuple):
    """How players are numbered.

    Attributes:
        own, other: the keys by which opponents are named, first and else.
        of_item: the seat of each item.
        of_other: seats by the other number.
    """

    own: str
    other: str
    of_item: list[int]
    of_other: Mapping[int, int]


def read_standings(
    findings: Findings, items: Sequence[object], where: Place, rounds_stated: int
) -> list[Row] | None:
    """Return the rows of *items*, one a player, or None with findings where they cannot be read.

    *rounds_stated* are the rounds of the section as its details say, 0 where they do not.
    """
    if len(items) > SEATS_AT_MOST:
        findings.add(
            "too-many-entries.in-standings", where, item_count=len(items), seats_at_most=SEATS_AT_MOST
        )
        return None
    players: list[ApiFields] = []
    for position, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            findings.add("type-wrong.player", where.inner("items"), wrong=shown(item))
            return None
        players.append(ApiFields(findings, item, where.but(position=position)))
    seats = _number_seats(players, where)
    if seats is None:
        return None
    for player, seat in zip(players, seats.of_item, strict=True):
        player.where = where.but(seats=(seat,))
    cells = [_cells(player, seats) for player in players]
    rounds = max([rounds_stated, *map(len, cells)])
    members = [own_id(findings, player.place("memberId"), player.text("memberId")) for player in players]
    games: Counter[str] = Counter()
    for number, row in enumerate(cells):
        games[members[number] or f"#{number}"] += sum(map(SCORES.__contains__, map(_LETTER_OF, row)))
    rows = []
    established = 0
    for number, (player, member) in enumerate(zip(players, members, strict=True)):
        ratings = _ratings(player, games[member or f"#{number}"])
        established += any(before is not None and known is None for _, before, known, _ in ratings)
        usa_flag = player.values.get("fideCountry") == "USA"
        read = RatingsRead(member, ratings, fide=_fide(player), usa_flag=usa_flag)
        row = cells[number] + (EMPTY_CELL,) * (rounds - len(cells[number]))
        rows.append(Row(seats.of_item[number], _name(player), read, row))
    if established:
        findings.add("games-missing.standings", where, established=established)
    return rows


def _number_seats(players: Sequence[ApiFields], where: Place) -> _Seats | None:
    """Return the seats of *players*, or None with findings."""
    pairing, ordinal = _numbers(players, "pairingNumber"), _numbers(players, "ordinal")
    if pairing is None or ordinal is None:
        return None
    by_pairing = all(pairing)
    seats, others = (pairing, ordinal) if by_pairing else (ordinal, pairing)
    if not all(seats):
        players[seats.index(0)].add("key-missing.ordinal", "ordinal")
        return None
    repeated = {seat: count for seat, count in Counter(seats).items() if count > 1}
    for seat, count in repeated.items():
        players[0].findings.add("seat-twice.standings", where.but(seats=(seat,)), count=count, seat=seat)
    if repeated:
        return None
    keys = ("opponentPairingNumber", "opponentOrdinal")
    own, other = keys if by_pairing else keys[::-1]
    return _Seats(
        own, other, seats, {number: seat for number, seat in zip(others, seats, strict=True) if number}
    )


def _numbers(players: Sequence[ApiFields], key: str) -> list[int] | None:
    """Return the number of each of *players*, 0 where there is none; None with findings where one is no number."""
    numbers = [player.read(key, _SEAT_OR_0) if player.values.get(key) else 0 for player in players]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _name(player: ApiFields) -> str:
    """Return the name as "Last, First"."""
    first, last = player.text("firstName"), player.text("lastName")
    return f"{last}, {first}" if first and last else first or last


def _fide(player: ApiFields) -> ForeignRating | None:
    rating = player.read("fideRating", POINTS) if player.values.get("fideRating") else None
    return None if rating is None else ForeignRating(rating)


def _cells(player: ApiFields, seats: _Seats) -> tuple[Cell, ...]:
    """Return the round cells as far as the last round with an outcome."""
    outcomes: list[Any] = player.read("roundOutcomes", LIST) or []
    cells: dict[int, Cell] = {}
    for position, outcome in enumerate(outcomes, start=1):
        try:
            letter = LETTERS[outcome["outcome"]]
            colour = COLOURS[outcome.get("color")]
            number = outcome.get("roundNumber", position)
            opponent = outcome.get(seats.own) if letter in WITH_OPPONENT else 0
        except (KeyError, TypeError, AttributeError):
            _report_outcome(player, position, outcome)
            continue
        if opponent is None:
            # Only the other number may name the opponent; the type keeps a list from being looked up.
            other = outcome.get(seats.other)
            opponent = seats.of_other.get(other, 0) if isinstance(other, int) else 0
        place = f"outcome {position}"
        if type(number) is not int or not 1 <= number <= ROUNDS_AT_MOST:
            player.wrong_type(f"{place}.roundNumber", f"a whole number from 1 to {ROUNDS_AT_MOST}", number)
        elif type(opponent) is not int or not 0 <= opponent <= SEATS_AT_MOST:
            player.wrong_type(f"{place}.{seats.own}", f"a whole number up to {SEATS_AT_MOST:,}", opponent)
        else:
            if number in cells:
                player.findings.add("round-twice", player.where.but(round=number))
            cells[number] = outcome_cell(letter, opponent, colour)
    return tuple([cells.get(number, EMPTY_CELL) for number in range(1, max(cells, default=0) + 1)])


def _report_outcome(player: ApiFields, position: int, outcome: object) -> None:
    place = f"outcome {position}"
    if not isinstance(outcome, dict):
        player.add("type-wrong.outcome", place, outcome=shown(outcome))
        return
    result = outcome.get("outcome")
    if not isinstance(result, str) or result not in LETTERS:
        player.add("outcome-unknown", f"{place}.outcome", result=shown(result), letters=", ".join(LETTERS))
    else:
        player.add("colour-unreadable.word", f"{place}.color", colour=shown(outcome.get("color")))


def _ratings(player: ApiFields, games: int) -> tuple[PrintedRating, ...]:
    """Return the ratings of a player who has played *games* rated games in the section."""
    records: list[Any] = player.read("ratings", LIST) or []
    ratings: dict[System, PrintedRating] = {}
    for position, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            player.wrong_type("ratings", "a list of objects", record)
            continue
        rating = ApiFields(player.findings, record, player.place(f"rating {position}"))
        name = record.get("ratingSystem", record.get("ratingSource"))
        if not isinstance(name, str):
            rating.wrong_type("ratingSystem", "a text", name)
            continue
        # A dual-rated section (D) has a rating of each system; U, G, F, A, C, CFC and DNR are none.
        system = SYSTEM_OF_LABEL.get(name)
        if system is None:
            continue
        if system in ratings:
            player.findings.add("rating-twice.standings", player.where.but(system=system), position=position)
        before = None
        if "preRating" not in record or record["preRating"] is not None:
            before = _points(rating, "preRating")
        known = None if before is None else _games_before(rating, games)
        ratings[system] = PrintedRating(system, before, known, _points(rating, "postRating"))
    return tuple(ratings.values())


def _points(rating: ApiFields, key: str) -> float | None:
    """Return a rating with its decimals, None where there is none.

    Old sections have a decimal of 0 beside the rating (observed): it counts only where it rounds to the rating.
    """
    whole, points = rating.read(key, _POINTS_OR_0), rating.read(f"{key}Decimal", _POINTS_OR_0)
    if whole and (points is None or abs(points - whole) >= 1):
        points = whole
    return points if points and rating_in_range(rating.findings, rating.place(key), points) else None


def _games_before(rating: ApiFields, games: int) -> float | None:
    """Return the games before the section; None where the rating is established after it.

    With no games left before it, the rating rests on none (docs/rules/readings.md#a10).
    """
    after = rating.read("postProvisionalGameCount", GAMES)
    return None if after is None else max(0.0, after - games)
