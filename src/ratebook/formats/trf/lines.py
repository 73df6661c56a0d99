"""The lines of a FIDE tournament report file (TRF16 and TRF26): columns, result codes, dates and names.

The columns are the same in both editions; TRF26 only adds records.
Source: docs/formats/trf.md.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from ratebook.formats.contract import SEATS_AT_MOST
from ratebook.formats.reading.cells import EMPTY_CELL, small_number
from ratebook.model import POINTS, Cell, SectionType, Sex

NEW_EDITION = 26

PLAYER_RECORD = "001"
NAME_WIDTH = 33
NUMBER_WIDTH = 11
FIRST_ROUND = 91
CELL_WIDTH = 8
ROUND_WIDTH = 2 + CELL_WIDTH
"""A round cell with the two blanks before it: cut so, all cells have the same width."""

SEX_LETTERS = {"m": Sex.MALE, "w": Sex.FEMALE, "f": Sex.FEMALE, "x": Sex.OTHER}
"""Column 10; f and x are not in the documents, but are meant by whoever writes them."""
SEXES_WRITTEN = {Sex.MALE: "m", Sex.FEMALE: "w"}
DEPUTIES = "; "
"""Between the deputy arbiters, who have a record each."""

HOME_FEDERATION = "USA"
CANADA = "CAN"
RANKING_UNKNOWN = f"172 {HOME_FEDERATION} OTHER"
"""Needed with national records; by which rating the players were ranked is not known."""

RESULT_LETTERS: Final = {
    "1": "W",
    "=": "D",
    "0": "L",
    "+": "X",
    "-": "F",
    # Played, but under one move: on the scoreboard a game, for the rating a forfeit.
    "W": "X",
    "D": "Z",
    "L": "F",
    "H": "H",
    "F": "B",
    "U": "B",
    "Z": "U",
}

OLD_TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}
"""Titles as files before TRF16 write them."""

ALLOCATED_BYE = "U"
FULL_BYE = "F"
RESULT_CODES: Final = {
    **{letter: code for code, letter in reversed(RESULT_LETTERS.items())},
    "N": "1",
    "R": "=",
    "S": "0",
}
"""Result codes by letter; but an allocated bye may occur once in a round, any other B is a full-point bye."""

SEPARATOR = " - "
"""Between the name of the event and that of the section, where each section is a tournament of its own."""

_LOST_OR_BLANK: Final = frozenset(("L", "F", ""))
_COLOURS: Final = {"w": "w", "W": "w", "b": "b", "B": "b", "-": "", " ": ""}
_ENDINGS: Final = {
    f" {column} {case}": (letter, colour)
    for column, colour in _COLOURS.items()
    for code, letter in (*RESULT_LETTERS.items(), (" ", ""))
    for case in (code, code.lower())
}
"""Letter and colour by the last four columns of a round."""

_CELLS_KEPT = 1 << 15


@lru_cache(maxsize=_CELLS_KEPT)
def parse_result(text: str) -> Cell | None:
    """Return the cell in the ten columns of one round (two blanks, then columns 92 to 99), or None.

    >>> parse_result("    12 w 1")
    Cell(letter='W', opponent=12, colour='w')
    >>> parse_result("  0000 - H")
    Cell(letter='H', opponent=None, colour='')
    >>> parse_result("    12 w ?") is parse_result("    12 w  ") is None
    True
    """
    if not text.strip():
        return EMPTY_CELL
    text = text.ljust(ROUND_WIDTH)
    ending = _ENDINGS.get(text[6:])
    if ending is None or text[:2] != "  ":
        return None
    letter, colour = ending
    seat = small_number(text[2:6].strip() or "0")
    if seat == 0:
        # A blank result is a zero-point bye, and so is what is lost against no one.
        return Cell("U" if letter in _LOST_OR_BLANK else letter, None, colour)
    return Cell(letter, seat, colour) if letter and seat else None


@lru_cache(maxsize=_CELLS_KEPT)
def result_text(cell: Cell, bye: str) -> str:
    """Return *cell* in the eight columns of a round; *bye* is the code for a full bye.

    >>> result_text(Cell("W", 12, "b"), "U"), result_text(Cell("B"), "U"), result_text(Cell(), "U")
    ('  12 b 1', '0000 - U', '        ')
    """
    if not cell.letter:
        return " " * CELL_WIDTH
    opponent = f"{cell.opponent:>4}" if cell.opponent and 0 < cell.opponent <= SEATS_AT_MOST else "0000"
    code = bye if cell.letter == "B" else RESULT_CODES.get(cell.letter, " ")
    return f"{opponent} {cell.colour or '-'} {code}"


def date_text(day: date) -> str:
    """Return *day* as TRF writes it.

    >>> date_text(date(2026, 11, 4))
    '2026/11/04'
    """
    return f"{day.year:04}/{day.month:02}/{day.day:02}"


def tournament_names(event: str, sections: Sequence[str]) -> list[str]:
    """Return the name of the tournament that each section becomes.

    >>> tournament_names("Autumn Open", ["Open", "Under 1800"])
    ['Autumn Open - Open', 'Autumn Open - Under 1800']
    >>> tournament_names("Autumn Quad", ["Quad A"])
    ['Autumn Quad']
    """
    if len(sections) == 1:
        return [event or sections[0]]
    return [SEPARATOR.join(part for part in (event, section) if part) for section in sections]


def names_of(tournaments: Sequence[str]) -> tuple[str, list[str]]:
    """Return the names of the event and of its sections; what `tournament_names` joined, where that shows.

    >>> names_of(["Autumn Open - Open", "Autumn Open - Under 1800"])
    ('Autumn Open', ['Open', 'Under 1800'])
    >>> names_of(["Autumn Quad - A"]), names_of(["Open", "Under 1800"])
    (('Autumn Quad - A', ['']), ('', ['Open', 'Under 1800']))
    """
    if len(tournaments) == 1:
        return tournaments[0], [""]
    parts = [tournament.partition(SEPARATOR) for tournament in tournaments]
    events = {event for event, _, _ in parts}
    if len(events) == 1:
        return parts[0][0], [section for _, _, section in parts]
    return "", list(tournaments)


_TYPES_IN_WORDS = {
    SectionType.SWISS: "Swiss",
    SectionType.ROUND_ROBIN: "Round robin",
    SectionType.MATCH: "Match",
}
# The code table has no match. By which rules a Swiss was paired is not known, and pairing programs refuse CUSTOM_SWISS.
_TYPES_CODED = {SectionType.ROUND_ROBIN: "CUSTOM_ROUNDROBIN"}


class TypeRecords(NamedTuple):
    """What the records 092 and 192 say of the type of a tournament: in *words*, and *coded*."""

    words: str
    coded: str

    @property
    def type(self) -> SectionType:
        """The type that the code names, else the words."""
        for text in (self.coded.lower(), self.words.lower()):
            plain = text.replace("-", "").replace("_", "").replace(" ", "")
            if plain in {"match", "individualmatch"}:
                return SectionType.MATCH
            if "roundrobin" in plain or "berger" in plain or "allplayall" in plain:
                return SectionType.ROUND_ROBIN
            if any(word in plain for word in ("swiss", "dutch", "dubov", "burstein")):
                return SectionType.SWISS
        return SectionType.OTHER

    def unusual(self) -> "TypeRecords":
        """Return what is not written anyway for a tournament of this type."""
        usual = usual_type_records(self.type)
        return TypeRecords(*["" if said == one else said for said, one in zip(self, usual, strict=True)])


def usual_type_records(kind: SectionType) -> TypeRecords:
    """Return what is written of a tournament that says no more than its type."""
    return TypeRecords(_TYPES_IN_WORDS.get(kind, ""), _TYPES_CODED.get(kind, ""))


def ranks_by_points(points: Sequence[float]) -> list[int]:
    """Return the rank of each player by points alone; equal points share the best one.

    >>> ranks_by_points([1.0, 2.5, 1.0])
    [2, 1, 2]
    """
    ranks: dict[float, int] = {}
    for rank, value in enumerate(sorted(points, reverse=True), start=1):
        ranks.setdefault(value, rank)
    return [ranks[value] for value in points]


def points_of(cells: Sequence[Cell]) -> float:
    """Return what *cells* are worth together."""
    return sum(POINTS.get(cell.letter, 0.0) for cell in cells)
