"""The upload files of US Chess as they were from 1991: reading (docs/formats/uschess.md#the-layout-of-1991).

They have no names, no colours and no time control; a player with more than ten rounds has several records, and a set
of files may hold several events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.formats.contract import ROUNDS_AT_MOST
from ratebook.formats.reading.cells import EMPTY_CELL
from ratebook.formats.reading.fields import shown
from ratebook.formats.uschess.read import UploadReader
from ratebook.formats.uschess.sections import report_too_many_rounds
from ratebook.formats.uschess.tables import UploadLayout, layout_of, whole_number
from ratebook.model import PlayerFacts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.formats.contract import Hints, ParsedReport
    from ratebook.formats.source import Source
    from ratebook.formats.uschess.seats import UploadSeats
    from ratebook.formats.uschess.sections import SectionRecord
    from ratebook.formats.uschess.tables import EventRecord
    from ratebook.model import Cell

    _Parts = dict[int, tuple[Cell, ...]]

HALF_K = "H"
"""S_K_FACTOR of sections rated at half K; F is full, and Q says no more than S_R_SYSTEM does."""

_RECORDS_AT_MOST = 9
# Nine records of ten rounds; the last columns of the last record may be empty.
_COLUMNS_AT_MOST = ROUNDS_AT_MOST


def looks_like(source: Source) -> bool:
    """Return whether *source* holds a table of the upload files of 1991, whatever the files are called."""
    return layout_of(source) is UploadLayout.OLD


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return one event of the three tables of *source*, with all findings.

    *hints* name the event where there are several, and must give the time control.
    """
    return _OldReader(source, hints).parse()


class _OldReader(UploadReader):
    """Joins the records of each player."""

    required = ("D_REC_SEQ",)

    def check_sections(self, records: Mapping[int, SectionRecord]) -> None:
        if self.hints.time_control is not None and self.hints.time_control.strip():
            return
        letters = sorted({record.row.get("S_R_SYSTEM", "") for record in records.values()} - {""})
        said = f" S_R_SYSTEM ({', '.join(map(shown, letters[:3]))}) does not replace it." if letters else ""
        self.findings.add("time-control-missing.time-control", self.source.name, said=said)

    def time_control(self, record: SectionRecord) -> str | None:  # noqa: ARG002 - the current layout asks the record
        return (self.hints.time_control or "").strip()

    def is_half_k(self, record: SectionRecord) -> bool:
        return record.row.get("S_K_FACTOR", "").upper() == HALF_K

    def read_players(self, header: EventRecord, seats: UploadSeats) -> None:
        columns = seats.columns
        parts: dict[tuple[int, int], _Parts] = {}
        for record, section, seat, values in seats.records(header):
            if (section, seat) not in parts:
                player = seats.player_id(record, section, seat, values[columns.member])
                seats.add(section, seat, player, ())
                seats.players.setdefault(player, PlayerFacts(player))
                parts[section, seat] = {}
            # A single record need not be numbered.
            text = values[columns.sequence] or "1"
            sequence = whole_number(text)
            if not sequence or sequence > _RECORDS_AT_MOST:
                self.findings.add(
                    "record-sequence-unreadable", seats.place(record, "D_REC_SEQ"), text=shown(text)
                )
            elif sequence in parts[section, seat]:
                seats.report_taken(record, section, seat)
            else:
                parts[section, seat][sequence] = seats.cells(record, section, seat, values)
                seats.count(len(columns.rounds))
        self._join(seats, parts)

    def _join(self, seats: UploadSeats, parts: Mapping[tuple[int, int], _Parts]) -> None:
        """Give each seat the rounds of all its records, as many as the longest seat of its section has."""
        rounds = len(seats.columns.rounds)
        records: dict[int, int] = {}
        for (section, _), own in parts.items():
            records[section] = max(records.get(section, 0), *own, 0)
        # Checked before anything of that size is built.
        if seats.too_many(rounds * sum(records[section] - len(own) for (section, _), own in parts.items())):
            return
        for section, most in records.items():
            if most * rounds > _COLUMNS_AT_MOST:
                report_too_many_rounds(self.findings, f"{seats.file}, section {section}", most * rounds)
                return
        nothing = (EMPTY_CELL,) * rounds
        for (section, seat), own in parts.items():
            last = max(own, default=0)
            if len(own) < last and not self.findings.full:
                self.findings.add(
                    "record-sequence-incomplete",
                    f"{seats.file} (section {section}, seat {seat}), D_REC_SEQ",
                    last=last,
                )
            cells: tuple[Cell, ...] = ()
            for sequence in range(1, records[section] + 1):
                cells += own.get(sequence, nothing)
            seats.complete(section, seat, cells)
