"""The standings of one section as the ratings API gives them: seats, results and ratings.

Source: docs/formats/ratings-api.md#standings.

A seat is the pairing number, or the ordinal where not every player of the section has a pairing number. Keys that
are not read are ignored: the API is not ours, and grows.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from ratebook.findings import Findings, Place
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST
from ratebook.formats.hints import own_id
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import MOST_GAMES, rating_in_range, readable, shown
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


@lru_cache(maxsize=_CELLS_KEPT)
def outcome_cell(letter: str, opponent: int, colour: str) -> Cell:
    """Return a cell of these; an opponent of 0 means none."""
    return Cell(letter, opponent or None, colour) if letter else EMPTY_CELL


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
    players = [item for item in items if isinstance(item, dict)]
    if len(players) < len(items):
        wrong = next(item for item in items if not isinstance(item, dict))
        findings.add("type-wrong.player", where.inner("items"), wrong=shown(wrong))
        return None
    seats = _number_seats(findings, players, where)
    if seats is None:
        return None
    reader = _Reader(findings, seats)
    places = [where.but(seats=(seat,)) for seat in seats.of_item]
    cells = [reader.cells(player, place) for player, place in zip(players, places, strict=True)]
    rounds = max([rounds_stated, *map(len, cells)])
    members = [
        own_id(findings, place.inner("memberId"), reader.text(player, "memberId", place))
        for player, place in zip(players, places, strict=True)
    ]
    games: Counter[str] = Counter()
    for number, row in enumerate(cells):
        games[members[number] or f"#{number}"] += sum(map(SCORES.__contains__, map(_LETTER_OF, row)))
    rows = []
    established = 0
    for number, (player, place, member) in enumerate(zip(players, places, members, strict=True)):
        ratings = reader.ratings(player, place, games[member or f"#{number}"])
        established += any(before is not None and known is None for _, before, known, _ in ratings)
        name = reader.name(player, place)
        read = RatingsRead(
            member, ratings, fide=reader.fide(player, place), usa_flag=player.get("fideCountry") == "USA"
        )
        row = cells[number] + (EMPTY_CELL,) * (rounds - len(cells[number]))
        rows.append(Row(seats.of_item[number], name, read, row))
    if established:
        findings.add("games-missing.standings", where, established=established)
    return rows


def _numbers_of(
    findings: Findings, players: Sequence[dict[str, object]], key: str, where: Place
) -> list[int] | None:
    """Return the number of each of *players*, 0 where there is none; None with a finding where one is no number."""
    numbers = []
    for position, player in enumerate(players, start=1):
        value = player.get(key) or 0
        if type(value) is not int or not 0 <= value <= SEATS_AT_MOST:
            findings.add(
                "type-wrong.number",
                where.but(position=position, field=key),
                key=key,
                seats_at_most=SEATS_AT_MOST,
                value=shown(value),
            )
            return None
        numbers.append(value)
    return numbers


def _number_seats(findings: Findings, players: Sequence[dict[str, object]], where: Place) -> _Seats | None:
    """Return the seats of *players*, or None with findings."""
    pairing = _numbers_of(findings, players, "pairingNumber", where)
    ordinal = _numbers_of(findings, players, "ordinal", where)
    if pairing is None or ordinal is None:
        return None
    by_pairing = all(pairing)
    seats, others = (pairing, ordinal) if by_pairing else (ordinal, pairing)
    if not all(seats):
        findings.add("key-missing.ordinal", where.but(position=seats.index(0) + 1, field="ordinal"))
        return None
    counts = Counter(seats)
    if len(counts) < len(seats):
        for seat, count in counts.items():
            if count > 1:
                findings.add("seat-twice.standings", where.but(seats=(seat,)), count=count, seat=seat)
        return None
    keys = ("opponentPairingNumber", "opponentOrdinal")
    own, other = keys if by_pairing else keys[::-1]
    return _Seats(
        own, other, seats, {number: seat for number, seat in zip(others, seats, strict=True) if number}
    )


class _Reader:
    """Reads the fields of players; everything that is wrong is a finding with its place."""

    def __init__(self, findings: Findings, seats: _Seats) -> None:
        self._findings = findings
        self._seats = seats

    def _wrong(self, where: Place, key: str, wanted: str, value: object) -> None:
        self._findings.add(
            "type-wrong.answer-field", where.inner(key), key=key, wanted=wanted, value=shown(value)
        )

    def text(self, player: dict[str, object], key: str, where: Place) -> str:
        """Return a text, empty where absent; numbers that stand for ids are taken as their digits."""
        value = player.get(key)
        if value is None:
            return ""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            self._wrong(where, key, "a text", value)
            return ""
        text = value.strip()
        if not readable(text):
            self._findings.add("text-unreadable.value", where.inner(key), key=key, text=shown(text))
        return text

    def name(self, player: dict[str, object], where: Place) -> str:
        """Return the name as "Last, First"."""
        first, last = self.text(player, "firstName", where), self.text(player, "lastName", where)
        return f"{last}, {first}" if first and last else first or last

    def fide(self, player: dict[str, object], where: Place) -> ForeignRating | None:
        """Return the FIDE rating, None where there is none."""
        value = player.get("fideRating")
        if not value:
            return None
        rating = self._number(player, "fideRating", where)
        if rating is None or not rating_in_range(self._findings, where.inner("fideRating"), rating):
            return None
        return ForeignRating(rating)

    def cells(self, player: dict[str, object], where: Place) -> tuple[Cell, ...]:
        """Return the round cells as far as the last round with an outcome."""
        outcomes = player.get("roundOutcomes")
        if outcomes is None:
            return ()
        if not isinstance(outcomes, list):
            self._wrong(where, "roundOutcomes", "a list", outcomes)
            return ()
        cells: dict[int, Cell] = {}
        own = self._seats.own
        for position, outcome in enumerate(outcomes, start=1):
            try:
                letter = LETTERS[outcome["outcome"]]
                colour = COLOURS[outcome.get("color")]
                number = outcome.get("roundNumber", position)
                opponent = outcome.get(own) if letter in WITH_OPPONENT else 0
            except (KeyError, TypeError, AttributeError):
                self._report_outcome(outcome, where.inner(f"outcome {position}"))
                continue
            if opponent is None:
                opponent = self._opponent_by_other_number(outcome)
            if not (
                type(number) is int
                and 1 <= number <= ROUNDS_AT_MOST
                and type(opponent) is int
                and 0 <= opponent <= SEATS_AT_MOST
            ):
                self._report_numbers(number, opponent, where.inner(f"outcome {position}"))
                continue
            if number in cells:
                self._findings.add("round-twice", where.but(round=number))
            cells[number] = outcome_cell(letter, opponent, colour)
        return tuple([cells.get(number, EMPTY_CELL) for number in range(1, max(cells, default=0) + 1)])

    def _opponent_by_other_number(self, outcome: dict[str, object]) -> int:
        """Return the seat of an opponent whom only the other number names; 0 where none does."""
        other = outcome.get(self._seats.other)
        return self._seats.of_other.get(other, 0) if isinstance(other, int) else 0

    def _report_numbers(self, number: object, opponent: object, where: Place) -> None:
        """Report that a round number, or else an opponent's seat, is not what it must be."""
        if type(number) is int and 1 <= number <= ROUNDS_AT_MOST:
            self._wrong(where, self._seats.own, f"a whole number up to {SEATS_AT_MOST:,}", opponent)
        else:
            self._wrong(where, "roundNumber", f"a whole number from 1 to {ROUNDS_AT_MOST}", number)

    def _report_outcome(self, outcome: object, where: Place) -> None:
        if not isinstance(outcome, dict):
            self._findings.add("type-wrong.outcome", where, outcome=shown(outcome))
            return
        result, colour = outcome.get("outcome"), outcome.get("color")
        if not isinstance(result, str) or result not in LETTERS:
            self._findings.add(
                "outcome-unknown", where.inner("outcome"), result=shown(result), letters=", ".join(LETTERS)
            )
        else:
            self._findings.add("colour-unreadable.word", where.inner("color"), colour=shown(colour))

    def ratings(self, player: dict[str, object], where: Place, games: int) -> tuple[PrintedRating, ...]:
        """Return the ratings of a player who has played *games* rated games in the section."""
        records = player.get("ratings")
        if records is None:
            return ()
        if not isinstance(records, list):
            self._wrong(where, "ratings", "a list", records)
            return ()
        ratings: dict[System, PrintedRating] = {}
        for position, record in enumerate(records, start=1):
            place = where.inner(f"rating {position}")
            if not isinstance(record, dict):
                self._wrong(where, "ratings", "a list of objects", record)
                continue
            name = record.get("ratingSystem", record.get("ratingSource"))
            if not isinstance(name, str):
                self._wrong(place, "ratingSystem", "a text", name)
                continue
            # A dual-rated section (D) has a rating of each system; U, G, F, A, C, CFC and DNR are none.
            system = SYSTEM_OF_LABEL.get(name)
            if system is None:
                continue
            if system in ratings:
                self._findings.add("rating-twice.standings", where.but(system=system), position=position)
            before = None
            if "preRating" not in record or record["preRating"] is not None:
                before = self._points(record, "preRating", place)
            ratings[system] = PrintedRating(
                system,
                before,
                None if before is None else self._games_before(record, place, games),
                self._points(record, "postRating", place),
            )
        return tuple(ratings.values())

    def _points(self, record: dict[str, object], key: str, where: Place) -> float | None:
        """Return a rating with its decimals, None where there is none.

        Old sections have a decimal of 0 beside the rating (observed): it counts only where it rounds to the rating.
        """
        whole = self._number(record, key, where)
        exact = self._number(record, f"{key}Decimal", where)
        if whole is None or whole == 0:
            points = exact
        else:
            points = exact if exact is not None and abs(exact - whole) < 1 else whole
        if not points or not rating_in_range(self._findings, where.inner(key), points):
            return None
        return points

    def _games_before(self, record: dict[str, object], where: Place, games: int) -> float | None:
        """Return the games before the section; None where the rating is established after it.

        With no games left before it, the rating rests on none (docs/rules/readings.md#a10).
        """
        after = self._number(record, "postProvisionalGameCount", where)
        if after is None:
            return None
        if not 0 <= after <= MOST_GAMES:
            self._wrong(where, "postProvisionalGameCount", "a number of games", after)
            return None
        return max(0.0, after - games)

    def _number(self, record: dict[str, object], key: str, where: Place) -> float | None:
        value = record.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124 - NaN
            self._wrong(where, key, "a number", value)
            return None
        # An integer of hundreds of digits is no float; it is out of every range anyway.
        return float(value) if abs(value) <= MOST_GAMES else float(MOST_GAMES + 1)
