"""The CSV report, in and out: one row for each player and section, under a header line.

| column | content |
|---|---|
| ``event_id`` ``event_name`` ``start`` ``end`` | the event; once is enough, in any row |
| ``section`` | number of the section; empty: as in the row above, 1 in the first |
| ``section_name`` ``section_start`` ``section_end`` | the section; once is enough; empty dates: the event's |
| ``time_control`` ``type`` ``online`` ``half_k`` ``youth`` | as in the native report, once; flags: ``yes`` or empty |
| ``seat`` | pairing number, needed |
| ``player`` ``name`` | id and name; without an id, one is made of the seat |
| ``round1`` ``round2`` ... | result letter, seat of the opponent, colour: ``W12b``, ``H``; needed |
| ``update`` ``floor_request`` | as in the native report |
| ``regular`` ``regular_games`` ``quick`` ... ``online_blitz_games`` | ratings before; empty games: established |
| ``rating`` | the rating by which players were paired, in no system; read only |

Dates are written YYYY-MM-DD. Columns may stand in any order, and all but ``seat`` and the rounds may be missing: the
user's hints complete what the file does not say. Commas, semicolons or tabs separate the cells; the text is UTF-8,
UTF-16 or in the usual Windows letters. Written files are UTF-8, with a byte order mark where there are other letters
than ASCII, by which spreadsheets know it; a text that a spreadsheet would take for a formula has a quote before it,
which is taken away in reading. Last rounds in which nobody has anything are not kept.
"""

from __future__ import annotations

import csv
import io
from types import MappingProxyType
from typing import TYPE_CHECKING

from ratebook.formats.contract import Findings, ParsedReport, Written
from ratebook.formats.csv_report.columns import (
    EVENT_COLUMNS,
    KNOWN_COLUMNS,
    SECTION_COLUMNS,
    SYSTEM_COLUMNS,
    TooMuchError,
    beginning_of,
    read_header,
    round_of,
    rows_of,
    text_of,
)
from ratebook.formats.csv_report.rows import Rows, SectionRows
from ratebook.formats.hints import Schedule, chosen_file, completed, note_unused_hints
from ratebook.formats.losses import Losses
from ratebook.formats.reading.cells import EMPTY_CELL, cell_text, plain_number
from ratebook.formats.reading.fields import EARLIEST_YEAR, LATEST_YEAR, close_match, parse_day, shown
from ratebook.formats.reading.spreadsheet import guarded
from ratebook.formats.reading.text import BYTE_ORDER_MARK
from ratebook.model import Event, Report, Section, SectionType, System

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from ratebook.formats.contract import AfterRatings, Hints
    from ratebook.formats.source import Source, SourceFile
    from ratebook.model import Entry, PlayerFacts

FILE_NAME = "report.csv"

HELD = frozenset(
    {
        *(f"event.{field}" for field in ("id", "name", "start", "end")),
        *(f"section.{field}" for field in Section._fields),
        "entry.update",
        "entry.floor_request",
        "player.name",
        "player.ratings",
    }
)

_NAMES_SHOWN = 3
_BEFORE_ROUNDS = (*EVENT_COLUMNS, "section", *SECTION_COLUMNS, "seat", "player", "name")


def looks_like(source: Source) -> bool:
    """Return whether a file of *source* begins with a header line of this format."""
    return any(_fits(file.data) for file in source.files)


def _fits(data: bytes) -> bool:
    names = beginning_of(data)
    told = [name for name in names if name == "seat" or round_of(name)]
    return bool(told) and len(told) + len(KNOWN_COLUMNS.intersection(names) - {"seat"}) > 1


def parse(source: Source, hints: Hints) -> ParsedReport:
    """Return the report in the one CSV file of *source*, with all findings; pairing ratings in ``pairing``."""
    findings = Findings()
    file = chosen_file(findings, source, _fits)
    if file is None:
        return findings.without_report(source.name)
    rows = _read_rows(findings, file, hints)
    if rows is None or not _is_one_event(findings, file.name, rows, hints):
        return findings.without_report(file.name)
    _note_missing_games(findings, file.name, rows)
    event = _read_event(findings, rows, hints)
    used = {"event", "online"}
    sections = [
        _read_section(findings, section, rows, event, hints, used) for section in rows.sections.values()
    ]
    note_unused_hints(findings, file.name, hints, "A CSV report", used=tuple(used))
    if findings.has_errors:
        return findings.without_report(file.name)
    report = Report(
        event, MappingProxyType(rows.players), tuple([section for section in sections if section is not None])
    )
    return ParsedReport(report, findings.of_file(file.name), pairing=MappingProxyType(rows.pairing))


def _read_rows(findings: Findings, file: SourceFile, hints: Hints) -> Rows | None:
    """Return what the rows of *file* say, or None with findings."""
    text = text_of(findings, file.data, file.name)
    if text is None:
        return None
    _, lines = rows_of(text)
    rows: Rows | None = None
    number = 0
    try:
        for number, row in enumerate(lines, start=1):
            if not any(row):
                continue
            if rows is not None:
                rows.read(number, row)
                if findings.full:
                    break
                continue
            header = read_header(findings, file.name, row)
            if header is None:
                return None
            rows = Rows(findings, header, hints)
    except TooMuchError as much:
        findings.add("file-too-large", file.name, much=much)
        return None
    except csv.Error as failure:
        findings.add("csv-unreadable", f"{file.name}, row {number + 1}", failure=failure)
        return None
    if rows is None or not (rows.sections or findings.has_errors or rows.others):
        findings.add("entries-empty.rows", file.name)
        return None
    return rows


def _is_one_event(findings: Findings, name: str, rows: Rows, hints: Hints) -> bool:
    """Return whether the rows are those of one event, the one asked for; report where they are not."""
    ids = rows.event_ids
    listed = ", ".join(shown(one) for one in ids[:_NAMES_SHOWN]) + (", …" if len(ids) > _NAMES_SHOWN else "")
    if hints.event is not None and ids and hints.event not in ids:
        findings.add("event-unknown.is-one-event", name, event=shown(hints.event), listed=listed)
        return False
    if hints.event is None and len(ids) > 1:
        findings.add("several-events.is-one-event", name, listed=listed)
        return False
    if rows.others:
        findings.add("records-of-other-events.is-one-event", name, others=rows.others)
    return True


def _note_missing_games(findings: Findings, name: str, rows: Rows) -> None:
    """Note the systems whose ratings come without games."""
    for system in rows.systems_without_games:
        taken = [player.ratings[system] for player in rows.players.values() if system in player.ratings]
        unknown = sum(rating.games is None for rating in taken)
        if unknown:
            column = f"{SYSTEM_COLUMNS[system]}_games"
            findings.add(
                "games-missing.note-missing-games", name, unknown=unknown, system=system, column=column
            )


def _day(findings: Findings, facts: Mapping[str, tuple[str, int]], column: str) -> date | None:
    """Return the date in a column, None where there is none."""
    text, row = facts.get(column, ("", 0))
    if not text:
        return None
    day = parse_day(text)
    if day is None or not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        findings.add(
            "date-unreadable.csv" if day is None else "date-out-of-range.csv",
            f"row {row}, {column}",
            text=shown(text),
            earliest_year=EARLIEST_YEAR,
            latest_year=LATEST_YEAR,
        )
        return None
    return day


def _read_event(findings: Findings, rows: Rows, hints: Hints) -> Event:
    ids = rows.event_ids
    return Event(
        id=hints.event if hints.event is not None and ids else "".join(ids[:1]),
        name=rows.event.get("event_name", ("", 0))[0],
        start=_day(findings, rows.event, "start"),
        end=_day(findings, rows.event, "end"),
    )


def _read_section(  # noqa: PLR0913, PLR0917 - each argument is a separate fact
    findings: Findings, section: SectionRows, rows: Rows, event: Event, hints: Hints, used: set[str]
) -> Section | None:
    """Return a section, or None with findings; the hints that it needed are added to *used*."""
    facts = section.facts
    where = f"section {section.number}"
    if not section.entries:
        # Its rows have findings of their own.
        return None
    said = Schedule(
        _day(findings, facts, "section_start") or event.start,
        _day(findings, facts, "section_end") or event.end,
        facts.get("time_control", (None, 0))[0],
        _read_type(findings, facts),
    )
    used.update(field for field in Schedule._fields if getattr(said, field) is None)
    played = completed(findings, where, said, hints, "The CSV file")
    flags = {
        column: rows.flag(facts[column][1], column, facts[column][0]) if column in facts else False
        for column in ("online", "half_k", "youth")
    }
    if played.end is None:
        return None
    return Section(
        number=section.number,
        name=facts.get("section_name", ("", 0))[0],
        start=played.start,
        end=played.end,
        time_control=played.time_control,
        type=played.type or SectionType.OTHER,
        online=flags["online"] or hints.online,
        half_k=flags["half_k"],
        youth=flags["youth"],
        entries=_without_last_blanks(section.entries),
    )


def _read_type(findings: Findings, facts: Mapping[str, tuple[str, int]]) -> SectionType | None:
    text, row = facts.get("type", ("", 0))
    known = frozenset(member.value for member in SectionType)
    if not text or text.lower() in known:
        return SectionType(text.lower()) if text else None
    findings.add(
        "section-type-unknown.type", f"row {row}, type", text=shown(text), text_2=close_match(text, known)
    )
    return None


def _without_last_blanks(entries: list[Entry]) -> tuple[Entry, ...]:
    """Return *entries* without the last rounds in which nobody has anything: columns of longer sections."""
    columns = len(entries[0].rounds)
    rounds = columns
    while rounds and all(entry.rounds[rounds - 1] == EMPTY_CELL for entry in entries):
        rounds -= 1
    if rounds == columns:
        return tuple(entries)
    return tuple([entry._replace(rounds=entry.rounds[:rounds]) for entry in entries])


def write(report: Report, after: AfterRatings | None = None) -> Written:
    """Return *report* as one CSV file, with notes of all that it cannot hold; ratings *after* are the rated CSV's."""
    del after
    losses = Losses()
    losses.add_facts(report, HELD)
    if report.event.start is not None:
        losses.add(
            "unknown first day of a section, which reads as the event's",
            sum(section.start is None for section in report.sections),
        )
    seated = {entry.player for section in report.sections for entry in section.entries}
    rated = {system for player in seated for system in report.players[player].ratings}
    systems = [system for system in System if system in rated]
    rounds = max((len(entry.rounds) for section in report.sections for entry in section.entries), default=0)
    header = [
        *_BEFORE_ROUNDS,
        *(f"round{number}" for number in range(1, max(1, rounds) + 1)),
        "update",
        "floor_request",
        *(
            column
            for system in systems
            for column in (SYSTEM_COLUMNS[system], f"{SYSTEM_COLUMNS[system]}_games")
        ),
    ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(_rows_of_report(report, systems, max(1, rounds), losses))
    text = out.getvalue()
    data = text.encode()
    return Written(
        {FILE_NAME: data if text.isascii() else BYTE_ORDER_MARK + data}, losses.findings(FILE_NAME)
    )


def _rows_of_report(
    report: Report, systems: list[System], rounds: int, losses: Losses
) -> Iterator[list[str]]:
    """Yield the row of each entry; event and sections stand in their first rows, and players' ratings in theirs."""

    def plain(text: str) -> str:
        losses.add("blanks around a text", int(text != text.strip()))
        return guarded(text.strip())

    event = [
        plain(report.event.id),
        plain(report.event.name),
        _date(report.event.start),
        _date(report.event.end),
    ]
    shown_players: set[str] = set()
    for section in report.sections:
        facts = [
            plain(section.name),
            _date(section.start),
            section.end.isoformat(),
            plain(section.time_control or ""),
            section.type.value,
            _flag(said=section.online),
            _flag(said=section.half_k),
            _flag(said=section.youth),
        ]
        for entry in section.entries:
            player = report.players[entry.player]
            first = entry.player not in shown_players
            shown_players.add(entry.player)
            cells = [cell_text(cell) for cell in entry.rounds]
            yield [
                *event,
                str(section.number),
                *facts,
                str(entry.seat),
                guarded(entry.player),
                plain(player.name) if first else guarded(player.name.strip()),
                *cells,
                *[""] * (rounds - len(cells)),
                _flag(said=entry.update),
                "" if entry.floor_request is None else entry.floor_request.value,
                *(_ratings(player, systems) if first else [""] * (2 * len(systems))),
            ]
            event = [""] * len(event)
            facts = [""] * len(facts)


def _ratings(player: PlayerFacts, systems: list[System]) -> Iterator[str]:
    """Yield points and games of each system; nothing where the player is unrated in it."""
    for system in systems:
        rating = player.ratings.get(system)
        if rating is None:
            yield from ("", "")
        else:
            yield repr(plain_number(rating.rating))
            yield "" if rating.games is None else repr(plain_number(rating.games))


def _date(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def _flag(*, said: bool) -> str:
    return "yes" if said else ""
