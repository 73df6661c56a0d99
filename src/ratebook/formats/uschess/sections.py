"""The section records of upload files, and the rounds of a section in order of play."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from ratebook.formats.contract import ROUNDS_AT_MOST, Findings, Hints
from ratebook.formats.hints import note_unused_hints
from ratebook.formats.reading.fields import shown
from ratebook.formats.uschess.codes import (
    DOUBLE_LETTERS,
    Rounds,
    columns_are_opponents,
    last_round,
    pair_forfeits,
    rounds_from_opponents,
    split_double_games,
)
from ratebook.formats.uschess.tables import (
    ZERO,
    EventRecord,
    Row,
    UploadTable,
    read_day,
    read_text,
    report_missing_columns,
    report_others,
    report_reversed,
    whole_number,
)
from ratebook.model import Event, SectionType

SECTION_TYPES = {
    "S": SectionType.SWISS,
    "C": SectionType.SWISS,
    "2": SectionType.SWISS,
    "R": SectionType.ROUND_ROBIN,
    "M": SectionType.MATCH,
}
"""S_TRN_TYPE: Swiss, cumulative Swiss, double-game Swiss, round robin, match."""

DOUBLE_GAME_TYPE = "2"


class SectionRecord(NamedTuple):
    """What a section record says, as far as both layouts say it.

    Attributes:
        where: the record in words.
        type: None where the record does not say it.
        total_rounds, last_seat: S_TOT_RNDS and S_LST_PAIR; None where blank or unreadable.
    """

    where: str
    row: Row
    number: int
    name: str
    type: SectionType | None
    double: bool
    total_rounds: int | None
    last_seat: int | None


def read_section_records(
    findings: Findings, table: UploadTable, header: EventRecord
) -> dict[int, SectionRecord] | None:
    """Return the section records of the event by their numbers; None where the table is none."""
    if "S_SEC_NUM" not in table.names:
        report_missing_columns(findings, table, ["S_SEC_NUM"])
        return None
    records: dict[int, SectionRecord] = {}
    others = 0
    for record, row in table.rows(findings):
        if not header.includes(row.get("S_EVENT_ID", "")):
            others += 1
            continue
        where = table.place(record)
        number = whole_number(row["S_SEC_NUM"])
        if not number:
            findings.add("section-number-unreadable", f"{where}, S_SEC_NUM", row=shown(row["S_SEC_NUM"]))
            continue
        if number in records:
            findings.add("section-number-twice.section-numbers-differ", f"{where}, S_SEC_NUM", number=number)
            if findings.full:
                break
            continue
        kind = row.get("S_TRN_TYPE", "").upper()
        if kind and kind not in SECTION_TYPES:
            findings.add(
                "section-type-unknown.section-records",
                f"{where}, S_TRN_TYPE",
                kind=shown(kind),
                number=number,
            )
        records[number] = SectionRecord(
            where,
            row,
            number,
            read_text(findings, where, row, "S_SEC_NAME"),
            SECTION_TYPES.get(kind),
            kind == DOUBLE_GAME_TYPE,
            whole_number(row.get("S_TOT_RNDS", "")),
            whole_number(row.get("S_LST_PAIR", "")),
        )
    report_others(findings, table, others)
    _check_section_count(findings, header, records)
    return records


def _check_section_count(findings: Findings, header: EventRecord, records: dict[int, SectionRecord]) -> None:
    if not records and not findings.has_errors:
        findings.add("sections-empty.section-count", header.where)
    total = header.row.get("H_TOT_SECT", "")
    if total and whole_number(total) != len(records):
        findings.add(
            "section-count-differs",
            f"{header.where}, H_TOT_SECT",
            total=shown(total),
            record_count=len(records),
        )


def section_type(record: SectionRecord, hints: Hints) -> SectionType:
    """Return the type of a section; *hints* say it where the record does not, and for what it cannot say."""
    if hints.type is not None and (record.type is None or hints.type not in SECTION_TYPES.values()):
        return hints.type
    return record.type or SectionType.OTHER


def stated_systems(records: Mapping[int, SectionRecord]) -> dict[int, str]:
    """Return the letter of S_R_SYSTEM by section, where there is one; the time control decides, not the letter."""
    letters = {number: record.row.get("S_R_SYSTEM", "") for number, record in records.items()}
    return {number: letter for number, letter in letters.items() if letter}


def note_unused(
    findings: Findings,
    name: str,
    header: EventRecord,
    records: Mapping[int, SectionRecord],
    hints: Hints,
) -> None:
    """Name the options for what the files say themselves."""
    used = ["online", "event"]
    used += [
        field
        for field, column in (("start", "H_BEG_DATE"), ("end", "H_END_DATE"))
        if not header.row.get(column, "").strip(ZERO)
    ]
    if any(not record.row.get("S_TIMECTL") for record in records.values()):
        used.append("time_control")
    if any(section_type(record, hints) is not record.type for record in records.values()):
        used.append("type")
    note_unused_hints(findings, name, hints, "The upload", tuple(used))


def days_of(findings: Findings, record: SectionRecord, event: Event) -> tuple[date | None, date | None]:
    """Return the first and last day of a section: its own, else the event's; report what is wrong or missing."""
    where = record.where
    own_start = read_day(findings, where, record.row, "S_BEG_DATE")
    own_end = read_day(findings, where, record.row, "S_END_DATE")
    start, end = own_start or event.start, own_end or event.end
    # A date that cannot be read is a finding already.
    if end is None and findings.has_errors:
        return start, end
    if end is None:
        findings.add("end-missing.days-of", where, number=record.number)
    elif start is None:
        findings.add("start-missing.days-of", where, number=record.number, end=end)
    elif end < start and (own_start is not None or own_end is not None):
        report_reversed(findings, f"{where}, S_END_DATE", start, end)
    return start, end


def has_double_games(section: SectionRecord, columns: Rounds) -> bool:
    """Return whether each cell of *section* is two games: its type says so, or a letter that nothing else has."""
    return section.double or any(
        cell.letter in DOUBLE_LETTERS for cells in columns.values() for cell in cells
    )


def rounds_in_order(findings: Findings, section: SectionRecord, columns: Rounds) -> Rounds:
    """Return the cells of *section* as rounds in order of play, from *columns* as they stand in the file."""
    kept = _without_padding(findings, section, columns)
    if section.type is SectionType.ROUND_ROBIN and columns_are_opponents(kept):
        kept = rounds_from_opponents(kept)
        findings.add("columns-are-opponents", section.where, number=section.number)
    forfeits = pair_forfeits(kept)
    if forfeits.given:
        findings.add("forfeits-paired", section.where, given=forfeits.given, number=section.number)
    if has_double_games(section, forfeits.rounds):
        return _two_games_a_round(findings, section, forfeits.rounds)
    return forfeits.rounds


def _without_padding(findings: Findings, section: SectionRecord, columns: Rounds) -> Rounds:
    """Return *columns* without those that pad the section to the longest one; no result is ever cut off."""
    width = max(map(len, columns.values()), default=0)
    rounds = max(min(section.total_rounds or 0, width), last_round(columns))
    if section.total_rounds is None:
        findings.add(
            "rounds-not-stated",
            f"{section.where}, S_TOT_RNDS",
            number=section.number,
            value=shown(section.row.get("S_TOT_RNDS", "")),
            rounds=rounds,
        )
    if rounds == width:
        return columns
    return {seat: cells[:rounds] for seat, cells in columns.items()}


def _two_games_a_round(findings: Findings, section: SectionRecord, rounds: Rounds) -> Rounds:
    split: Rounds = {}
    for seat, cells in rounds.items():
        legs = split_double_games(seat, cells)
        if isinstance(legs, int):
            findings.add(
                "double-game-unreadable",
                f"section {section.number}, seat {seat}, round {legs}",
                letter=cells[legs - 1].letter,
            )
            if findings.full:
                break
            continue
        split[seat] = legs
    longest = max(map(len, split.values()), default=0)
    if longest > ROUNDS_AT_MOST:
        report_too_many_rounds(findings, section.where, longest)
        return {}
    findings.add("double-games-split", section.where, number=section.number)
    return split


def report_too_many_rounds(findings: Findings, where: str, rounds: int) -> None:
    """Report more rounds than a section can have."""
    findings.add(
        "too-many-rounds.report-too-many-rounds", where, rounds=rounds, rounds_at_most=ROUNDS_AT_MOST
    )
