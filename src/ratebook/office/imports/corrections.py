"""A table of corrections: each is made as the office makes one, by the person and for the reason that it names.

docs/formats/corrections.md describes the columns and the kinds of correction.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratebook.book.audit import FILE, AuditSubject, note_audit
from ratebook.book.connection import Actor, Book
from ratebook.book.failures import BookError, StoreError
from ratebook.book.submissions import Status
from ratebook.findings import Finding, Findings, Place, Severity
from ratebook.formats.contract import DayOrder
from ratebook.formats.reading.fields import close_match, shown
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.office import Progress, no_progress
from ratebook.office.action import Action, Kind
from ratebook.office.decisions.actions import DECISIONS
from ratebook.office.decisions.revision import NOT_ACCEPTED, NOTHING_CHANGES, DecisionResult, Reason
from ratebook.office.imports.table import TableRow, reading, rows_of_table

REQUIRED = ("on", "by", "kind", "reason")
OPTIONAL = ("event_id", "section", "seat", "round", "value", "opponent_value", "accept")
KIND = TableKind("corrections", (*REQUIRED, *OPTIONAL), REQUIRED)

MOST_CORRECTIONS = 100_000


KINDS = {
    action.row.kind: action for actions in DECISIONS.values() for action in actions if action.row is not None
}
"""What a row may ask for, by the words of the column ``kind``."""
NUMBERS = ("section", "seat", "round")


class Corrected(NamedTuple):
    """What became of a table of corrections: *made* in rated sections and of members, *mended* in reports that wait.

    Of the latter, some are *held* back; *already* is what the book said, *refused* what the findings say.
    """

    rows: int
    made: int = 0
    mended: int = 0
    held: int = 0
    already: int = 0
    refused: int = 0
    findings: tuple[Finding, ...] = ()
    changes: tuple[str, ...] = ()
    accepted: int = 0

    @property
    def words(self) -> str:
        """Return the counts in words, for the audit log."""
        reports = "1 report" if self.mended == 1 else f"{self.mended} reports"
        return f"{self.made} made, {reports} replaced, {self.already} made already, {self.refused} refused"


class _Correction(NamedTuple):
    """A row: what it asks for, by whom and why."""

    where: Place
    action: Action[Book, DecisionResult]
    values: dict[str, Any]
    on: date
    by: str
    reason: str
    accept: str

    @property
    def subject(self) -> str:
        """Return what it is about, for lines that name changes."""
        event = f"event {self.values['event']}, " if "event" in self.values else ""
        return f"{self.where}, {event}"


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
        return Corrected(len(corrections), findings=findings.of_file(path.name))
    counts = Counter[str]()
    changes: list[str] = []
    for done, row in enumerate(corrections):
        progress(done, len(corrections))
        codes = [*accepted, *row.accept.replace(",", " ").split()]
        day = "" if actor.at.startswith(str(row.on)) else f" ({row.on})"
        because = Reason(Actor(row.by, actor.at), f"{row.reason}{day}", codes)
        try:
            result = row.action.done(book, because, row.values, row.on)
        except BookError as failure:
            if failure.finding.code == NOTHING_CHANGES:
                counts["already"] += 1
                continue
            if isinstance(failure, StoreError):
                raise
            result = DecisionResult(None, (failure.finding,))
        if result.decision is None:
            counts["refused"] += 1
            _note(findings, row, result.findings)
            continue
        counts["made" if result.waiting is None else "mended"] += 1
        counts["held"] += result.waiting is Status.HELD
        counts["accepted"] += len(result.accepted)
        changes += [f"{row.subject}{change}" for change in result.changes]
    progress(len(corrections), len(corrections))
    corrected = Corrected(
        len(corrections), findings=findings.of_file(path.name), changes=tuple(changes), **counts
    )
    if corrected.made or corrected.mended:
        with book.writing() as connection:
            subject = AuditSubject(FILE, path.name)
            note_audit(connection, actor, "apply-corrections", subject, corrected.words)
    return corrected


def _note(findings: Findings, row: _Correction, raised: tuple[Finding, ...]) -> None:
    """Add the errors that a correction met, and the warnings that it raised, with the line of the file."""
    warnings = dict.fromkeys(finding.code for finding in raised if finding.severity is Severity.WARNING)
    not_accepted = any(finding.code == NOT_ACCEPTED for finding in raised)
    for finding in raised:
        if finding.code == NOT_ACCEPTED:
            findings.add("warnings-not-accepted.in-a-table", row.where, codes=" ".join(warnings))
        elif finding.severity is Severity.ERROR or (not_accepted and finding.severity is Severity.WARNING):
            findings.append(finding.within(row.where))


def _read(path: Path, findings: Findings, order: DayOrder | None) -> list[_Correction]:
    corrections: list[_Correction] = []
    with reading(findings, path), opened_sheet(path, findings) as stream:
        for row in rows_of_table(stream, path.name, findings, KIND, order):
            correction = _of_row(row)
            if correction is not None:
                corrections.append(correction)
            if len(corrections) > MOST_CORRECTIONS:
                findings.add("import-too-many-rows", row.where, most_corrections=MOST_CORRECTIONS)
                break
        return corrections
    return []


def _of_row(row: TableRow) -> _Correction | None:
    word = row.cells["kind"]
    action = KINDS.get(word)
    if action is None or action.row is None:
        remedy = "" if row.findings.full else close_match(word, frozenset(KINDS))
        row.findings.add(
            "import-kind-unknown", row.where.inner("kind"), value=shown(word), key="kind", remedy=remedy
        )
        return None
    on, numbers = row.day("on"), {title: row.number(title) for title in NUMBERS}
    for title, number in numbers.items():
        if number is not None and (not isinstance(number, int) or number < 1):
            cells = shown(row.cells[title])
            row.findings.add(
                "list-value-unreadable.of-correction", row.where.inner(title), cells=cells, title=title
            )
            return None
    values: dict[str, Any] = {}
    for column, parameter in action.row.columns(action).items():
        text = row.text(column)
        value: object = numbers.get(column, text or None)
        if text and parameter.kind is Kind.DAY:
            value = row.days.read(row.where.inner(column), text, private=parameter.private)
            on = None if value is None else on
        elif value is None and column != action.row.optional:
            row.findings.add(
                "list-value-missing.of-correction", row.where.inner(column), kind=word, title=column
            )
            on = None
        values[parameter.name] = value
    if on is None:
        return None
    return _Correction(
        where=row.where,
        action=action,
        values=values,
        on=on,
        **{name: row.text(name) for name in ("by", "reason", "accept")},
    )
