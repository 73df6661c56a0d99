"""The current upload files of US Chess, format 2C: reading (docs/formats/uschess.md).

One report is three tables: the event, its sections, its players. `ratebook.formats.uschess.write_2c` writes them.
"""

from ratebook.formats.contract import Hints, ParsedReport
from ratebook.formats.reading.fields import HIGHEST_RATING, LOWEST_RATING, shown
from ratebook.formats.source import Source
from ratebook.formats.uschess.columns import FORMAT_WORD
from ratebook.formats.uschess.read import UploadReader
from ratebook.formats.uschess.seats import UploadSeats
from ratebook.formats.uschess.sections import SectionRecord
from ratebook.formats.uschess.tables import (
    EventRecord,
    UploadLayout,
    layout_of,
    printable_text,
    read_text,
    whole_number,
)
from ratebook.model import PlayerFacts


def looks_like(source: Source) -> bool:
    """Return whether *source* holds a table of the current upload files, whatever the files are called."""
    return layout_of(source) is UploadLayout.CURRENT


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the three tables of *source*, with all findings.

    Pairing ratings (D_RATING) come back in ``pairing``; *hints* give what the files leave blank, and say that the
    event was online, which the files cannot.
    """
    return _CurrentReader(source, hints).parse()


class _CurrentReader(UploadReader):
    """Reads the format of the event record, and names and pairing ratings of players."""

    def check_event(self, header: EventRecord) -> None:
        word = header.row.get("H_FORMAT", "")
        if word.upper() != FORMAT_WORD:
            self.findings.add("upload-format-unknown", f"{header.where}, H_FORMAT", word=shown(word))

    def time_control(self, record: SectionRecord) -> str | None:
        text = read_text(self.findings, record.where, record.row, "S_TIMECTL")
        return text or self.hints.time_control

    def is_half_k(self, record: SectionRecord) -> bool:  # noqa: ARG002 - the older layout asks the record
        return False

    def read_players(self, header: EventRecord, seats: UploadSeats) -> None:
        columns = seats.columns
        for record, section, seat, values in seats.records(header):
            if seats.taken(section, seat):
                seats.report_taken(record, section, seat)
                continue
            player = seats.player_id(record, section, seat, values[columns.member])
            seats.add(section, seat, player, seats.cells(record, section, seat, values))
            self._name(seats, record, player, values[columns.name] if columns.name >= 0 else "")
            if columns.rating >= 0:
                self._rating(seats.place(record, "D_RATING"), player, values[columns.rating])

    def _name(self, seats: UploadSeats, record: int, player: str, name: str) -> None:
        if not name.isprintable():
            name = printable_text(self.findings, seats.place(record), name, "D_NAME")
        known = seats.players.get(player)
        if known is None or not known.name:
            seats.players[player] = PlayerFacts(player, name)
        elif name and _letters(name) != _letters(known.name):
            self.findings.add("member-names-differ", seats.place(record, "D_NAME"), player=shown(player))

    def _rating(self, where: str, player: str, text: str) -> None:
        """Take the pairing rating; 0 and blank mean unrated."""
        if not text.strip("0") or text.upper().startswith("UNR"):
            return
        # A mark for provisional ratings may follow.
        points = whole_number(text.rstrip("Pp*"))
        if points is not None and LOWEST_RATING <= points <= HIGHEST_RATING:
            self.pairing.setdefault(player, float(points))
            return
        self.findings.add(
            "pairing-rating-unreadable",
            where,
            text=shown(text),
            lowest_rating=LOWEST_RATING,
            highest_rating=HIGHEST_RATING,
        )


def _letters(name: str) -> str:
    """Return what of *name* tells persons apart: "Last, First" and "FIRST LAST" are one name.

    >>> _letters("Example, Adams") == _letters("ADAMS EXAMPLE")
    True
    """
    return "".join(sorted(filter(str.isalnum, name.casefold())))
