"""The points that a FIDE tournament report prints (columns 81 to 84), compared with its results."""

from ratebook.formats.trf.records import TournamentRecords
from ratebook.model import POINTS

_OTHER_SCORING = frozenset({"162", "299", "XXS", "013", "310"})
"""Records that change what results are worth, or say that the points are those of a team."""

_NOT_PLAYED = frozenset({"", "U"})
_FIRST_NAMED = 5


def check_points(records: TournamentRecords) -> None:
    """Report players whose printed points are not those of their results: one finding for all of them.

    Half points for blank rounds are half-point byes that an older program did not write: a note.
    """
    if records.seen & _OTHER_SCORING:
        return
    differing: list[str] = []
    half_byes: list[str] = []
    # A bye record may be of a round to come, which the points do not have yet.
    with_byes = {bye.seat for bye in records.byes}
    for row in records.players:
        if row.seat in with_byes:
            continue
        printed = _printed(row.points)
        points = sum(POINTS[cell.letter] for cell in row.cells)
        if printed is None or printed == points:
            continue
        blank = sum(cell.letter in _NOT_PLAYED for cell in row.cells)
        missing = printed - points
        explained = 0 < missing <= blank / 2 and (2 * missing).is_integer()
        text = f"{row.name or row.seat} {printed:g} ({points:g})"
        (half_byes if explained else differing).append(text)
    if differing:
        records.add("points-differ", count=len(differing), players=_first(differing))
    if half_byes:
        records.add("points-of-blank-rounds", count=len(half_byes), players=_first(half_byes))


def _printed(text: str) -> float | None:
    """Return the points in *text*, None where there are none or they cannot be read."""
    plain = text.replace(",", ".")
    if not plain.isascii() or not plain.replace(".", "", 1).isdecimal():
        return None
    return float(plain)


def _first(texts: list[str]) -> str:
    return "; ".join(texts[:_FIRST_NAMED]) + ("; …" if len(texts) > _FIRST_NAMED else "")
