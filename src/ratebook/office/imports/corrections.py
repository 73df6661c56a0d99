"""A table of corrections: each is made as the office makes one, by the person and for the reason that it names.

docs/formats/corrections.md describes the columns and the kinds of correction.
"""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from ratebook.book.audit import FILE, AuditSubject, note_audit
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.events import is_withdrawn
from ratebook.book.facts.members import load_members
from ratebook.book.failures import BookError
from ratebook.book.reports import stored_report
from ratebook.book.submissions import Status
from ratebook.findings import Finding, Findings, Place, Severity
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import WHAT_IS_WRITTEN, parse_day, shown
from ratebook.formats.reading.kinds import Choice
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.model import Report, Section
from ratebook.office.decisions.acceptance import NOT_ACCEPTED
from ratebook.office.decisions.amendment import waiting_report
from ratebook.office.decisions.events import (
    GameResult,
    correct_dates,
    correct_member,
    correct_result,
    correct_time_control,
    withdraw,
)
from ratebook.office.decisions.members import ChangedFacts, correct_facts
from ratebook.office.decisions.revision import (
    DecisionResult,
    Reason,
    SectionRef,
    rated_event,
    section_of,
)
from ratebook.office.imports.table import TableRow, reading, rows_of_table
from ratebook.office.progress import Progress, no_progress

REQUIRED = ("on", "by", "kind", "reason")
OPTIONAL = ("event_id", "section", "seat", "round", "value", "opponent_value", "accept")
KIND = TableKind("corrections", (*REQUIRED, *OPTIONAL), REQUIRED)

MOST_CORRECTIONS = 100_000


class Correctable(StrEnum):
    """What a correction changes."""

    RESULT = "result"
    MEMBER = "member"
    DATE = "date"
    TIME_CONTROL = "time-control"
    WITHDRAW = "withdraw"
    BIRTH_DATE = "birth-date"


_NEEDED = {
    Correctable.RESULT: ("event_id", "section", "seat", "round", "value"),
    Correctable.MEMBER: ("event_id", "section", "seat", "value"),
    Correctable.DATE: ("event_id", "section", "value", "opponent_value"),
    Correctable.TIME_CONTROL: ("event_id", "section", "value"),
    Correctable.WITHDRAW: ("event_id", "section"),
    Correctable.BIRTH_DATE: ("value", "opponent_value"),
}
_DAYS = {Correctable.DATE: ("value", "opponent_value"), Correctable.BIRTH_DATE: ("opponent_value",)}


class Corrected(NamedTuple):
    """What became of a table of corrections.

    Attributes:
        made: corrections of rated sections and of members.
        mended: corrections of reports in the queue.
        held: those of them that left a report held back.
        already: what the book said already.
        refused: what could not be done; the findings say why, with the lines of the file.
        changes: what the corrections made change, in words.
        accepted: warnings that they raised and that were accepted.
    """

    rows: int
    made: int
    mended: int
    held: int
    already: int
    refused: int
    findings: tuple[Finding, ...]
    changes: tuple[str, ...] = ()
    accepted: int = 0


class _Correction(NamedTuple):
    where: str
    on: date
    kind: Correctable
    section: int
    seat: int
    round: int
    event_id: str
    value: str
    opponent_value: str
    by: str
    reason: str
    accept: str


_NUMBERS = ("section", "seat", "round")
_TEXTS = ("event_id", "value", "opponent_value", "by", "reason", "accept")


def apply_corrections(  # noqa: PLR0913 - what, by whom, and how
    book: Book,
    path: Path,
    actor: Actor,
    *,
    accepted: Sequence[str] = (),
    order: DayOrder | None = None,
    progress: Progress = no_progress,
) -> Corrected:
    """Make the corrections of a table, in its order; each is a decision of its own.

    If a row cannot be read, nothing is done. If a correction cannot be made, that is a finding, and the others are
    made; what the book says already is left out, so that the table can be given again. A correction that raises
    warnings is made only if its row accepts them, or if their codes are *accepted* for all rows; a report that waits is
    replaced by the corrected one all the same. The decisions name the persons of the table, not *actor*, the importer.

    Raises:
        BookError: the store fails; what was made before is kept.
    """
    findings = Findings()
    corrections = _read(path, findings, order)
    if findings.has_errors:
        return Corrected(len(corrections), 0, 0, 0, 0, 0, findings.of_file(path.name))
    made = mended = held = already = refused = warnings = 0
    changes: list[str] = []
    for done, one in enumerate(corrections):
        progress(done, len(corrections))
        decider = Actor(one.by, actor.at)
        try:
            if _known(book, one):
                already += 1
                continue
            codes = [*accepted, *one.accept.replace(",", " ").split()]
            decided = _make(book, one, Reason(decider, f"{one.reason} ({one.on})", codes))
            if decided.decision is None:
                refused += 1
                _note(findings, one, decided.findings)
                continue
            made += decided.waiting is None
            mended += decided.waiting is not None
            held += decided.waiting is Status.HELD
            warnings += len(decided.accepted)
            changes += [f"{one.where}, {_subject(one)}{change}" for change in decided.changes]
        except BookError as failure:
            if failure.finding.code.startswith("book-"):
                raise
            refused += 1
            _note(findings, one, (failure.finding,))
    progress(len(corrections), len(corrections))
    if made or mended:
        with book.writing() as connection:
            details = f"{made} made, {mended} reports mended, {already} made already, {refused} refused"
            note_audit(connection, actor, "apply-corrections", AuditSubject(FILE, path.name), details)
    counts = (len(corrections), made, mended, held, already, refused)
    return Corrected(*counts, findings.of_file(path.name), tuple(changes), warnings)


def _subject(one: _Correction) -> str:
    return f"event {one.event_id}, " if one.event_id else ""


def _note(findings: Findings, one: _Correction, made: tuple[Finding, ...]) -> None:
    """Add the errors that a correction met, and the warnings that it raised, with the line of the file."""
    warnings = dict.fromkeys(found.code for found in made if found.severity is Severity.WARNING)
    held = any(found.code == NOT_ACCEPTED for found in made)
    for found in made:
        if found.code == NOT_ACCEPTED:
            findings.add("warnings-not-accepted.in-a-table", one.where, codes=" ".join(warnings))
        elif found.severity is Severity.ERROR or (held and found.severity is Severity.WARNING):
            findings.append(found._replace(place=Place(text=f"{one.where}, {found.where}")))


def _read(path: Path, findings: Findings, order: DayOrder | None) -> list[_Correction]:
    found: list[_Correction] = []
    with reading(findings, path), opened_sheet(path, findings) as stream:
        for row in rows_of_table(stream, path.name, findings, KIND, order):
            one = _of_row(row)
            if one is not None:
                found.append(one)
            if len(found) > MOST_CORRECTIONS:
                findings.add("import-too-many-rows", row.where, most_corrections=MOST_CORRECTIONS)
                break
        return found
    return []


def _of_row(row: TableRow) -> _Correction | None:
    kind = row.fields.read("kind", Choice(Correctable, "import-kind-unknown"))
    on = row.day("on")
    numbers = []
    for title in _NUMBERS:
        value = row.number(title)
        if value is not None and (not isinstance(value, int) or value < 1):
            row.findings.add(
                "list-value-unreadable.of-row",
                f"{row.where}, {title}",
                cells=shown(row.cells[title]),
                title=title,
            )
            return None
        numbers.append(value or 0)
    if kind is None or on is None:
        return None
    missing = [title for title in _NEEDED[kind] if not row.cells.get(title)]
    days = _DAYS.get(kind, ())
    wrong = [title for title in days if title not in missing and parse_day(row.cells[title]) is None]
    for title in missing:
        row.findings.add("list-value-missing.of-row", f"{row.where}, {title}", kind=kind, title=title)
    for title in wrong:
        said = WHAT_IS_WRITTEN if kind is Correctable.BIRTH_DATE else shown(row.cells[title])
        row.findings.add("date-unreadable.day", f"{row.where}, {title}", value=said)
    if missing or wrong:
        return None
    return _Correction._make((row.where, on, kind, *numbers, *map(row.text, _TEXTS)))


def _day(text: str) -> date:
    day = parse_day(text)
    assert day is not None, "it was looked at when the row was read"  # noqa: S101 - tells the type checker
    return day


def _known(book: Book, one: _Correction) -> bool:
    """Return whether the book says what the correction would make it say."""
    with book.reading() as connection:
        if one.kind is Correctable.BIRTH_DATE:
            known = load_members(connection, [one.value]).get(one.value)
            return known is not None and known.facts.birth_date == _day(one.opponent_value)
        if one.kind is Correctable.WITHDRAW:
            return is_withdrawn(connection, one.event_id, one.section)
        report = _report_of(connection, one.event_id)
    return _reported(section_of(report, one.section), one)


def _report_of(connection: Connection, event_id: str) -> Report:
    waiting = waiting_report(connection, event_id)
    return stored_report(waiting or rated_event(connection, event_id))[0]


def _reported(section: Section, one: _Correction) -> bool:
    """Return whether the report of a section says what the correction would make it say."""
    if one.kind is Correctable.DATE:
        return (section.start, section.end) == (_day(one.value), _day(one.opponent_value))
    if one.kind is Correctable.TIME_CONTROL:
        return section.time_control == one.value
    entries = {entry.seat: entry for entry in section.entries}
    entry = entries.get(one.seat)
    if one.kind is Correctable.MEMBER:
        return entry is not None and entry.player == one.value
    if entry is None or one.round > len(entry.rounds):
        # Making the correction gives the finding.
        return False
    cell = entry.rounds[one.round - 1]
    other = entries.get(cell.opponent or 0)
    theirs = "" if other is None else other.rounds[one.round - 1].letter
    return cell.letter == one.value and one.opponent_value in {"", theirs}


def _make(book: Book, one: _Correction, because: Reason) -> DecisionResult:
    """Make one correction of an event or of a member."""
    at = SectionRef(one.event_id, one.section)
    match one.kind:
        case Correctable.RESULT:
            game = GameResult(one.seat, one.round, one.value, one.opponent_value)
            decided = correct_result(book, at, game, because)
        case Correctable.MEMBER:
            decided = correct_member(book, at, one.seat, one.value, because)
        case Correctable.TIME_CONTROL:
            decided = correct_time_control(book, at, one.value, because)
        case Correctable.WITHDRAW:
            decided = withdraw(book, at, because)
        case Correctable.BIRTH_DATE:
            facts = ChangedFacts(birth_date=_day(one.opponent_value))
            decided = correct_facts(book, one.value, facts, because)
        case Correctable.DATE:
            with book.reading() as connection:
                report = _report_of(connection, one.event_id)
            if len(report.sections) == 1:
                at = SectionRef(one.event_id, None)
            decided = correct_dates(book, at, _day(one.value), _day(one.opponent_value), because)
    return decided
