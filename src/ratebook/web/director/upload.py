"""Trying a report: a file is uploaded, or its text pasted, and leads to its preview."""

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.submissions import StoredReport
from ratebook.findings import Place, finding
from ratebook.reports.load import LoadedReport
from ratebook.web.director.links import COMPLETE, NEW, PREVIEW, PREVIEWS
from ratebook.web.director.preview import columns_of, preview_page, sheets_of
from ratebook.web.forms.context import Again, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.trial.hints import (
    AT_UPLOAD,
    UNSAID,
    events_in,
    hints_of,
    sections_asked,
    unsaid_of,
    wrong_days,
)
from ratebook.web.trial.kept import Trial, change, keep, kept, with_brought, with_taken
from ratebook.web.trial.reading import read_in_child

PASTED = "pasted.txt"
MOST_NAME, MOST_TEXT = 80, 4_000_000
MOST_MEGABYTES = MOST_BODY_BYTES // 1024**2

REPORT = (
    Input(
        "file",
        "A file",
        InputKind.FILE,
        "Drop it here, or choose it: a crosstable, a spreadsheet, a TRF, the files of a pairing program. "
        f"Several files come as one zip archive; at most {MOST_MEGABYTES} MB.",
        needed=False,
        is_either=True,
    ),
    Input(
        "text",
        "Or paste its text",
        InputKind.LONG,
        "Pairings with results, a crosstable, a wall chart, an e-mail or CSV.",
        needed=False,
        most=MOST_TEXT,
        is_either=True,
    ),
)


@shown_to(Needs.DIRECTOR, NEW)
def new_preview(context: TheContext) -> Response[bytes]:
    """Ask for a report that is uploaded or pasted."""
    inputs = (*REPORT, *AT_UPLOAD)
    form = Form(PREVIEWS, "Preview", inputs, context.sent.values(inputs), context.findings)
    return context.page("director/upload.html", one=form, unsaid=AT_UPLOAD)


@done_by(Needs.DIRECTOR, PREVIEWS, costly=True, lasting=True)
def make_preview(context: TheContext) -> Answer:
    """Read the report that was sent, and lead to its preview."""
    return previewed(context, new_preview)


@done_by(Needs.DIRECTOR, COMPLETE, costly=True)
def complete_preview(context: TheContext, name: FromPath[str]) -> Answer:
    """Read a file again, with what it does not say."""
    account = context.visitor.account
    trial = kept(context.gate, account, name)
    if not trial.data or trial.draft is not None or trial.submission is not None:
        raise NotFoundException

    columns, sections = columns_of(trial), sections_asked(trial.report)

    def work() -> Answer:
        completed = _read(context, trial, columns, sections)
        change(context.gate, account, name, completed)
        return onward(PREVIEW(name))

    inputs = (*columns.values(), *unsaid_of(sheets_of(trial), trial.events), *sections)
    return context.attempt(inputs, work, lambda refused: preview_page(refused, name))


def previewed(context: RequestContext, again: Again, revises: int | None = None) -> Answer:
    """Read a report in a child, keep it, and lead to its preview; or show the form *again*."""
    return context.attempt(
        (*REPORT, *UNSAID), lambda: onward(PREVIEW(_kept_preview(context, revises))), again
    )


def _kept_preview(context: RequestContext, revises: int | None) -> str:
    file, text = context.sent.file("file"), context.sent.text("text")
    if file is None and not text:
        raise RefusedError([finding("report-not-given.neither", Place(input="file"))])
    if file is not None and text:
        raise RefusedError([finding("report-not-given.both", Place(input="text"))])
    data = text.encode() if file is None else file.content
    name = PASTED if file is None else file.name.replace("\\", "/").rsplit("/", 1)[-1][-MOST_NAME:] or PASTED
    digest = hashlib.sha256(data).hexdigest()[:32]
    trial = _read(context, Trial(name, digest=digest, revises=revises, data=data))
    return keep(context.gate, context.visitor.account, trial)


def read_again(context: RequestContext, row: StoredReport, original: LoadedReport) -> str:
    """Keep a new try of a report that the book has, *original* with what was read beside it, and return its name."""
    data = row.report.encode()
    trial = Trial(row.source_name, digest=hashlib.sha256(data).hexdigest()[:32], data=data, brought=original)
    return keep(context.gate, context.visitor.account, _read(context, trial))


def _read(
    context: RequestContext,
    trial: Trial,
    columns: Mapping[str, Input] = MappingProxyType({}),
    sections: Sequence[Input] = (),
) -> Trial:
    """Return what a file gives with the hints that were sent."""
    hints = hints_of(context.sent, columns, sections)
    if (hints.sheet, hints.event) != (trial.hints.sheet, trial.hints.event):
        # The names are those of other sections.
        hints = hints._replace(section_names=())
    if wrong := wrong_days(hints):
        raise RefusedError(wrong)
    loaded = read_in_child(trial.data, trial.source, hints, stand_in=context.site.today())
    loaded = with_brought(with_taken(loaded, trial.taken), trial.brought)
    events = events_in(loaded.findings) or trial.events
    return trial._replace(loaded=loaded, hints=hints, events=events)
