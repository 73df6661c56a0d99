"""The current upload files of US Chess, format 2C: writing, and what is lost by it (docs/formats/uschess.md)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import ROUNDS_AT_MOST, SEATS_AT_MOST, AfterRatings, Written
from ratebook.formats.hints import is_seat_id, seat_id
from ratebook.formats.losses import Losses
from ratebook.formats.reading.tables import EVENT
from ratebook.formats.uschess import columns as upload
from ratebook.formats.uschess.codes import pair_forfeits
from ratebook.formats.uschess.columns import UploadColumn
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.rating.formulas import rounded
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timecontrol import systems_of_section

HEADER_FILE = "THEXPORT.DBF"
SECTIONS_FILE = "TSEXPORT.DBF"
PLAYERS_FILE = "TDEXPORT.DBF"
ALL_FILES = "THEXPORT, TSEXPORT, TDEXPORT"

MEMBER_UNKNOWN = "00000000"
SECTIONS_AT_MOST = 99

_HELD = frozenset(
    {
        *(f"event.{column.field}" for column in upload.EVENT_COLUMNS),
        *(f"section.{column.field}" for column in upload.SECTION_COLUMNS),
        *("player.name", "player.ratings", "player.state", "player.pairing_rating"),
    }
)

_TYPE_LETTERS = {kind: letter for letter, kind in reversed(upload.SECTION_TYPES.items())}

# The published text knows no letter for blitz; SwissSys sends D, which was accepted (docs/formats/uschess.md#sections).
_SYSTEM_LETTERS = {
    System.REGULAR: "R",
    System.QUICK: "Q",
    System.BLITZ: "D",
    System.ONLINE_REGULAR: "R",
    System.ONLINE_QUICK: "Q",
    System.ONLINE_BLITZ: "D",
}
_DUAL_LETTER = "D"
_PADDING = "U0"
_MOST_GRAND_PRIX_POINTS = 999
_EPOCH = date(1980, 1, 1)


class _Numbered(NamedTuple):
    """A section with what several of its fields need.

    Attributes:
        number: as it is written.
        rounds: those of its longest entry.
        systems: by which it is rated; empty where the time control does not say.
    """

    section: Section
    number: int
    rounds: int
    systems: tuple[System, ...]

    @property
    def system(self) -> System:
        """The system of the pairing ratings: Regular where the section is rated so, else the first."""
        if self.systems:
            return self.systems[0]
        return System.ONLINE_REGULAR if self.section.online else System.REGULAR


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return the three files of *report*, with a note for each kind of thing that they cannot hold.

    More sections, seats or rounds than the fields have digits for are an error, and no file is written.
    """
    too_large = _too_large(report)
    if too_large:
        return Written({}, (finding("too-large-for-2c", Place(file=ALL_FILES), too_large=too_large),))
    losses = Losses()
    sections = _numbered(losses, report.sections)
    event, findings = _dated(report)
    texts: dict[str, Any] = {
        field: upload.fitted(losses, column, EVENT.field(field).title, getattr(event, field))
        for field, column in upload.EVENT_TEXTS.items()
    }
    event = event._replace(**texts)
    # A table without a column of rounds would not be taken for one of players.
    columns = (
        *upload.PLAYER_COLUMNS,
        *upload.round_columns(max([1, *(numbered.rounds for numbered in sections)])),
    )
    day = event.end or event.start or _EPOCH
    files = {
        HEADER_FILE: _table(
            upload.EVENT_COLUMNS,
            [upload.record_of(upload.EVENT_COLUMNS, {**event._asdict(), "sections": len(sections)})],
            day,
        ),
        SECTIONS_FILE: _table(
            upload.SECTION_COLUMNS, [_section_record(losses, event, numbered) for numbered in sections], day
        ),
        PLAYERS_FILE: _table(columns, _player_rows(losses, report.players, event.id, sections), day),
    }
    losses.add_facts(report, _HELD)
    _add_lost_ratings(losses, report.players, sections)
    for section in report.sections:
        _, given = pair_forfeits({entry.seat: entry.rounds for entry in section.entries})
        loss = "forfeit without an opponent: the only win and loss of a round are read as one pairing"
        losses.add(loss, given)
    losses.add("rating after the event", len(after or ()))
    return Written(files, (*findings, *losses.findings(ALL_FILES)))


def _table(columns: Sequence[UploadColumn], rows: Iterable[Sequence[str]], day: date) -> bytes:
    """Return a dBASE file; rounds that a row does not have are written as unpaired."""
    widths = [(column.name, column.width) for column in columns]
    return write_dbf(widths, ([*row, *[_PADDING] * (len(columns) - len(row))] for row in rows), day)


def _too_large(report: Report) -> str:
    """Return what of *report* goes beyond the digits of the fields, in words; empty where nothing does."""
    entries = [entry for section in report.sections for entry in section.entries]
    opponents = (cell.opponent or 0 for entry in entries for cell in entry.rounds)
    if len(report.sections) > SECTIONS_AT_MOST:
        return f"{len(report.sections):,} sections"
    if any(len(entry.rounds) > ROUNDS_AT_MOST for entry in entries):
        return f"more than {ROUNDS_AT_MOST} rounds"
    if any(seat > SEATS_AT_MOST for seat in (*(entry.seat for entry in entries), *opponents)):
        return f"pairing numbers above {SEATS_AT_MOST:,}"
    return ""


def _numbered(losses: Losses, sections: tuple[Section, ...]) -> list[_Numbered]:
    """Return the sections with the numbers that are written: their own where all of them have two digits."""
    rulebook = load_rulebook()
    keep = all(section.number <= SECTIONS_AT_MOST for section in sections)
    if not keep:
        losses.add("section numbers above 99: the sections were numbered 1, 2, 3 and so on")
    return [
        _Numbered(
            section,
            section.number if keep else place,
            max((len(entry.rounds) for entry in section.entries), default=0),
            (System.REGULAR,) if section.type is SectionType.FIDE else systems_of_section(section, rulebook),
        )
        for place, section in enumerate(sections, start=1)
    ]


def _dated(report: Report) -> tuple[Event, list[Finding]]:
    """Return the event with its days: the upload needs them, so they are taken from the sections where unknown."""
    event = report.event
    days = [section.end for section in report.sections] + ([] if event.start is None else [event.start])
    end = event.end or max(days, default=None)
    start = event.start
    starts = [section.start for section in report.sections if section.start is not None]
    # Where no section has a first day either, the last one stands in for it in the sections only, where it selects the
    # same rules.
    if start is None and starts and end is not None:
        start = min(*starts, end)
    if (start, end) == (event.start, event.end):
        return event, []
    place = Place(file=HEADER_FILE, field="H_BEG_DATE and H_END_DATE")
    return event._replace(start=start, end=end), [finding("event-days-filled-in", place)]


def _section_record(losses: Losses, event: Event, numbered: _Numbered) -> list[str]:
    section = numbered.section
    start = section.start
    if start is None and event.start is not None:
        # A blank would be read as the event's first day; the last day selects the rules that are in force anyway.
        losses.add("section without a first day: its last day was written, which selects the same rules")
        start = section.end
    if section.type not in _TYPE_LETTERS:
        losses.add(f"section type {section.type}: written as Swiss")
    points = section.grand_prix_points or 0
    values = {
        "event": event.id,
        "number": numbered.number,
        "name": upload.fitted(losses, "S_SEC_NAME", "section name", section.name),
        "system": _DUAL_LETTER if len(numbered.systems) > 1 else _SYSTEM_LETTERS[numbered.system],
        "time_control": upload.fitted_time_control(losses, section.time_control),
        "chief_td": upload.fitted(losses, "S_CTD_ID", "chief director of a section", section.chief_td)
        or event.chief_td,
        "assistant_td": upload.fitted(
            losses, "S_ATD_ID", "assistant director of a section", section.assistant_td
        ),
        "scholastic": upload.fitted(losses, "S_SCH_LVL", "scholastic level", section.scholastic)
        or upload.NOT_SCHOLASTIC,
        "grand_prix": upload.YES if section.grand_prix else upload.NO,
        "grand_prix_points": 0 if points > _MOST_GRAND_PRIX_POINTS else points,
        "fide_rated": upload.YES if section.fide_rated else upload.NO,
        "type": _TYPE_LETTERS.get(section.type, _TYPE_LETTERS[SectionType.SWISS]),
        "rounds": numbered.rounds,
        "last_seat": max((entry.seat for entry in section.entries), default=0),
        "start": start,
        "end": section.end,
    }
    losses.add("number of Grand Prix points beyond three digits", points > _MOST_GRAND_PRIX_POINTS)
    return upload.record_of(upload.SECTION_COLUMNS, values)


def _player_rows(
    losses: Losses, players: Mapping[str, PlayerFacts], event: str, sections: list[_Numbered]
) -> Iterator[list[str]]:
    """Yield the record of each seat, with as many rounds as its section has."""
    names: dict[str, str] = {}
    states: dict[str, str] = {}
    for numbered in sections:
        for entry in numbered.section.entries:
            player = players[entry.player]
            rating = player.ratings.get(numbered.system)
            if entry.player not in names:
                names[entry.player] = upload.fitted(losses, "D_NAME", "name", player.name)
                states[entry.player] = upload.fitted(losses, "D_STATE", "player's state", player.state)
            values = {
                "event": event,
                "section": numbered.number,
                "seat": entry.seat,
                "member": _member(losses, numbered.number, entry),
                "name": names[entry.player],
                "state": states[entry.player],
                "rating": _pairing_rating(losses, player, rating),
            }
            yield [*upload.record_of(upload.PLAYER_COLUMNS, values), *_cells(losses, entry, numbered.rounds)]


def _pairing_rating(losses: Losses, player: PlayerFacts, rating: Rating | None) -> int:
    """Return the rating in the section's system, else the one by which the player was paired, rounded; 0: unrated."""
    paired = player.pairing_rating
    if rating is None:
        losses.add("decimals of a pairing rating", paired is not None and not paired.is_integer())
        return 0 if paired is None else int(rounded(paired))
    place = paired is not None and rounded(paired) != rounded(rating.rating)
    losses.add("pairing rating beside a rating", place)
    return int(rounded(rating.rating))


def _member(losses: Losses, section: int, entry: Entry) -> str:
    """Return the member id, or zeros where the player's id cannot be one."""
    player = entry.player
    if upload.fits("D_MEM_ID", player) and player.strip("0") and not is_seat_id(player):
        return player
    # The reader makes this id of the seat again.
    if player != seat_id(section, entry.seat):
        losses.add(
            "player id that is not a member id: written as zeros, so that two seats of a player are two players"
        )
    return MEMBER_UNKNOWN


def _cells(losses: Losses, entry: Entry, rounds: int) -> list[str]:
    cells = [_cell_text(cell) for cell in entry.rounds]
    losses.add("empty round: written as unpaired", cells.count("") + rounds - len(cells))
    return [text or _PADDING for text in cells]


# Enough for every cell of a large event.
@lru_cache(maxsize=1 << 15)
def _cell_text(cell: Cell) -> str:
    """Return a cell as the files have it, empty where there is nothing.

    >>> from ratebook.model import Cell
    >>> _cell_text(Cell("W", 12, "b")), _cell_text(Cell("H"))
    ('W12B', 'H0')
    """
    return f"{cell.letter}{cell.opponent or 0}{cell.colour.upper()}" if cell.letter else ""


def _add_lost_ratings(losses: Losses, players: Mapping[str, PlayerFacts], sections: list[_Numbered]) -> None:
    """Count what of the ratings themselves is lost: all but the points of one system, rounded."""
    written: dict[str, set[System]] = {}
    for one in sections:
        for entry in one.section.entries:
            written.setdefault(entry.player, set()).add(one.system)
    for key, player in players.items():
        own = written.get(key, set())
        for system, rating in player.ratings.items():
            if system not in own:
                losses.add("rating in a system other than that of the pairing ratings")
                continue
            if not float(rating.rating).is_integer():
                losses.add("decimals of a rating")
            losses.add("number of games of a rating")
