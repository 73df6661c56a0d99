"""Pages of imports: which there are, the file of one, what it would change, and doing it."""

from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.connection import Book
from ratebook.office.action import Action
from ratebook.office.founding.found import FOUND, FOUND_BOOK, FOUNDED, UNDERSTOOD, Founded
from ratebook.pages.columns import Column, Columns
from ratebook.pages.queue import SUMMARY, CodeLine, brief
from ratebook.pages.submission import folded_now
from ratebook.web.findings import FindingPlace, shown_findings
from ratebook.web.forms.actions import fitting_values, inputs_of
from ratebook.web.forms.context import RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.gate.visitors import Visitor
from ratebook.web.imports.kept import (
    AT_ONCE_BYTES,
    KINDS,
    TriedImport,
    WaitingImport,
    keep,
    kept_import,
    run_import,
    try_import,
)
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import IMPORT, IMPORT_PREVIEW, KIND, NAME, OWNER
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.layout.tables import HtmlTable, html_table
from ratebook.web.office import links
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.jobs import Job

IMPORTS = "/office/imports"
OF_KIND, WAITING = f"{IMPORTS}/{{kind:str}}", f"{IMPORTS}/{{kind:str}}/{{name:str}}"
ACTIONS = (
    "import-members",
    "import-memberships",
    "import-external-ratings",
    "import-foreign-list",
    "import-opening-balances",
    "add-member",
    FOUND_BOOK,
)
HOLDING: Columns[CodeLine] = (
    Column("What", lambda line: brief(line.code, line.findings)),
    *(column for column in SUMMARY if column.title != "Code"),
)
MOST_ENTRIES, MOST_CHANGES = 10, 200


@shown_to(Needs.OFFICE, IMPORTS)
def imports_page(context: TheContext, done: FromQuery[str] = "") -> Response[bytes]:
    """Show what can be imported, and what was last, which was *done* just now."""
    with context.site.reading() as reader:
        last = newest_entries(reader.connection, MOST_ENTRIES, RecordFilter(kinds=ACTIONS))
    return context.page("office/imports/imports.html", kinds=KINDS, last=last, done=bool(done))


@shown_to(Needs.OFFICE, OF_KIND)
def import_form(context: TheContext, kind: FromPath[str]) -> Response[bytes]:
    """Ask for the file of an import."""
    action = _of(kind)
    inputs = inputs_of(action)
    values = context.sent.values(inputs)
    form = Form(f"{IMPORTS}/{kind}", "Preview", inputs, values, context.findings)
    return context.page("office/imports/file.html", kind=action, form=form)


@done_by(Needs.OFFICE, OF_KIND, costly=True)
def send_file(context: TheContext, jobs: TheJobs, kind: FromPath[str]) -> Answer:
    """Keep the file, and go where it is tried, which is a job where it is large; nothing is imported yet."""
    action = _of(kind)
    inputs = inputs_of(action)

    def work() -> Answer:
        fitting_values(action, context.sent)
        name, kept = keep(context.gate, context.visitor, kind, context.sent, inputs)
        if _is_quick(kept):
            return onward(f"{IMPORTS}/{kind}/{name}")
        arguments, seen = _arguments(context.visitor, kind, name), context.site.revision()
        return onward(links.JOB(jobs.ask(IMPORT_PREVIEW, arguments, context.visitor, seen)))

    return context.attempt(inputs, work, lambda refused: import_form(refused, kind))


@shown_to(Needs.OFFICE, WAITING, costly=True)
def import_preview(context: TheContext, kind: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Show what an import would change."""
    waiting = _waits(context, kind, name)
    if not _is_quick(waiting):
        # Its job has shown what it would change; what was refused is said here.
        return import_form(context, kind)
    tried = try_import(waiting, context.site, context.because.actor)
    return _outcome_page(context, kind, name, tried)


@done_by(Needs.OFFICE, WAITING, costly=True)
def do_import(context: TheContext, jobs: TheJobs, kind: FromPath[str], name: FromPath[str]) -> Answer:
    """Import the file, if the book is as it was when that was tried."""
    waiting = _waits(context, kind, name)

    def work() -> str:
        book = context.book
        if not _is_quick(waiting):
            seen = book.expecting or 0
            return links.JOB(jobs.ask(IMPORT, _arguments(context.visitor, kind, name), context.visitor, seen))
        done = run_import(waiting, book, context.site, context.because.actor)
        if not done.is_whole:
            raise RefusedError(done.findings)
        return links.QUEUE if kind == "reports" else f"{IMPORTS}?done=yes"

    return context.decide((), work, lambda refused: import_preview(refused, kind, name))


@shown_to(Needs.OFFICE, f"{IMPORTS}/jobs/{{number:int}}")
def import_job(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show what an import that ran as a job would change, or has changed."""
    job = context.job(number)
    would = result_of(job, IMPORT_PREVIEW, TriedImport)
    tried = would or result_of(job, IMPORT, TriedImport)
    if job is None or tried is None:
        raise NotFoundException
    kind, name = job.arguments[KIND], job.arguments[NAME]
    return _outcome_page(context, kind, name, tried, done=job if would is None else None)


def _is_quick(waiting: WaitingImport) -> bool:
    """Return whether it is tried and imported while the browser waits."""
    return waiting.size <= AT_ONCE_BYTES and waiting.kind != FOUND.word


def _tables(founded: Founded | None, *, is_done: bool) -> list[HtmlTable]:
    """Return what a folder holds, what became of it, and what holds reports back."""
    if founded is None:
        return []
    return [
        html_table("Contents", UNDERSTOOD, founded.understood),
        html_table("Result" if is_done else "What the result would be", FOUNDED, founded.files),
        html_table("What holds reports back", HOLDING, founded.held_by),
    ]


def _arguments(visitor: Visitor, kind: str, name: str) -> dict[str, str]:
    return {KIND: kind, NAME: name, OWNER: str(visitor.account.id)}


def _of(kind: str) -> Action[Book, Any]:
    if kind not in KINDS:
        raise NotFoundException
    return KINDS[kind]


def _waits(context: RequestContext, kind: str, name: str) -> WaitingImport:
    waiting = kept_import(context.gate, context.visitor.account.id, kind, name)
    if waiting is None:
        raise NotFoundException
    return waiting


def _outcome_page(
    context: RequestContext, kind: str, name: str, tried: TriedImport, done: Job | None = None
) -> Response[bytes]:
    outcome = tried.outcome
    waiting = kept_import(context.gate, context.visitor.account.id, kind, name)
    form = None
    if outcome.is_whole and not outcome.is_known and waiting is not None and done is None:
        act = "Import" if outcome.founded is None else FOUND.title
        form = context.form(f"{IMPORTS}/{kind}/{name}", act, revision=tried.revision)
    return context.page(
        "office/imports/preview.html" if outcome.founded is None else "office/imports/founded.html",
        kind=_of(kind),
        address=f"{IMPORTS}/{kind}",
        file="the file" if waiting is None else next(iter(waiting.files.values())).name[:80],
        outcome=outcome,
        findings=shown_findings(folded_now(outcome.findings), lambda place: FindingPlace(str(place))),
        changes=outcome.changes[:MOST_CHANGES],
        more=len(outcome.changes) - MOST_CHANGES,
        form=form,
        done=done,
        tables=_tables(outcome.founded, is_done=done is not None),
    )
