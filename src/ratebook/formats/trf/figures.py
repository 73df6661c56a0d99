"""What the figures of a FIDE tournament report are: its points (columns 81 to 84), and the ratings in FIDE's column.

National events have national ratings in that column. Source: docs/formats/trf.md#players.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ratebook.findings import Finding, Place, finding, list_text
from ratebook.formats.contract import Hints
from ratebook.formats.trf.records import FIRST_NAMED, PlayerRow, TournamentRecords
from ratebook.model import POINTS, Cell, PlayerFacts, SectionType

_OTHER_SCORING = frozenset({"162", "299", "XXS", "013", "310"})
"""Records that change what results are worth, or say that the points are those of a team."""

_NOT_PLAYED = frozenset({"", "U"})


class PrintedPoints(NamedTuple):
    """The points that a file prints for a seat, beside the results that it has."""

    seat: int
    name: str
    printed: float
    cells: Sequence[Cell]

    @property
    def points(self) -> float:
        """Return the sum of the results."""
        return sum(POINTS[cell.letter] for cell in self.cells)

    @property
    def has_half_byes(self) -> bool:
        """Return whether half points for blank rounds make the difference: byes that an older program did not write."""
        blank = sum(cell.letter in _NOT_PLAYED for cell in self.cells)
        missing = self.printed - self.points
        return 0 < missing <= blank / 2 and (2 * missing).is_integer()

    def __str__(self) -> str:
        return f"{self.name or self.seat} {self.printed:g} ({self.points:g})"


def check_points(records: TournamentRecords) -> None:
    """Report players whose printed points are not those of their results: one finding for all of them."""
    if records.seen & _OTHER_SCORING:
        return
    # A bye record may be of a round to come, which the points do not have yet.
    with_byes = {bye.seat for bye in records.byes}
    rows = [
        PrintedPoints(row.seat, row.name, printed, row.cells)
        for row in records.players
        if row.seat not in with_byes and (printed := _printed(row.points)) is not None
    ]
    for problem in points_that_differ(records.where, rows):
        records.findings.append(problem)
    if half_byes := [row for row in rows if row.has_half_byes]:
        players = list_text(half_byes, FIRST_NAMED, "; ")
        records.add("points-of-blank-rounds", count=len(half_byes), players=players)


def points_that_differ(where: Place, rows: Iterable[PrintedPoints]) -> Iterator[Finding]:
    """Yield the finding about all seats of which the printed points are not those of the results, if there are any."""
    differing = [row for row in rows if row.printed != row.points and not row.has_half_byes]
    if differing:
        place = where.but(seats=tuple(row.seat for row in differing))
        players = list_text(differing, FIRST_NAMED, "; ")
        problem = finding("points-differ", place, count=len(differing), players=players)
        # Beside the values of its text, for when the results have changed.
        printed = tuple(f"{row.printed:g}" for row in differing)
        yield problem._replace(values=(*problem.values, ("printed", printed)))


def _printed(text: str) -> float | None:
    """Return the points in *text*, None where there are none or they cannot be read."""
    plain = text.replace(",", ".")
    if not plain.isascii() or not plain.replace(".", "", 1).isdecimal():
        return None
    return float(plain)


def with_ratings_told_apart(
    records: TournamentRecords, ids: Sequence[str], players: Mapping[str, PlayerFacts], hints: Hints
) -> dict[str, PlayerFacts]:
    """Return *players* with the ratings of the FIDE column as FIDE ratings, or as pairing ratings if the user says so.

    Where no one says what they are, a note says how they were taken, and another names those without a FIDE number.
    """
    if hints.ratings == "pairing":
        return {key: _with_pairing_rating(player) for key, player in players.items()}
    rows = dict(zip(reversed(ids), reversed(records.players), strict=True))
    rated = [
        (player, rows[key], player.fide.rating) for key, player in players.items() if player.fide is not None
    ]
    if hints.ratings is None:
        alone = [_named(player, row, rating) for player, row, rating in rated if not row.number.strip("0")]
        if alone:
            records.add("fide-number-missing", count=len(alone), players=list_text(alone, FIRST_NAMED, "; "))
        if rated and hints.type is not SectionType.FIDE:
            records.add("fide-ratings-taken", count=len(rated))
    return dict(players)


def _with_pairing_rating(player: PlayerFacts) -> PlayerFacts:
    if player.fide is None:
        return player
    rating = player.fide.rating if player.pairing_rating is None else player.pairing_rating
    return player._replace(fide=None, pairing_rating=rating)


def _named(player: PlayerFacts, row: PlayerRow, rating: float) -> str:
    return " ".join(filter(None, (player.name or f"seat {row.seat}", row.federation, f"{rating:g}")))
