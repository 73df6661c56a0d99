"""Trying a report: a file is uploaded, or its text pasted, and leads to its preview."""

import hashlib
from collections.abc import Sequence

from litestar import Response

from ratebook.book.failures import BookError
from ratebook.findings import Finding, Place, finding
from ratebook.web.director.links import NEW, PREVIEW, PREVIEWS
from ratebook.web.forms.context import UNPROCESSABLE, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.trial.hints import UNSAID, hints_of
from ratebook.web.trial.kept import Trial, keep
from ratebook.web.trial.reading import read_in_child

PASTED = "pasted.txt"
MOST_NAME, MOST_TEXT = 80, 4_000_000

REPORT = (
    Input(
        "file",
        "File",
        InputKind.FILE,
        "In any format that ratebook reads, at most 8 MB; several files as one zip archive.",
        needed=False,
    ),
    Input(
        "text",
        "Or its text",
        InputKind.LONG,
        "A crosstable as published, a wall chart, CSV: paste it here.",
        needed=False,
        most=MOST_TEXT,
    ),
)


@shown_to(Needs.DIRECTOR, NEW)
def new_preview(context: TheContext) -> Response[bytes]:
    """Ask for a report."""
    return _form(context)


@done_by(Needs.DIRECTOR, PREVIEWS, costly=True)
def make_preview(context: TheContext) -> Answer:
    """Read the report that was sent, and lead to its preview."""
    wrong = context.sent.wrong((*REPORT, *UNSAID)) or not_one(context.sent)
    if wrong:
        return _form(context, wrong)
    try:
        return onward(PREVIEW(tried(context)))
    except BookError as failure:
        return _form(context, (failure.finding,))


def not_one(form: Sent) -> tuple[Finding, ...]:
    """Return what is wrong where not exactly one report was sent."""
    file, text = form.file("file"), form.text("text")
    if file is None and not text:
        return (finding("report-not-given.neither", Place(input="file")),)
    return (finding("report-not-given.both", Place(input="text")),) if file is not None and text else ()


def tried(context: RequestContext, revises: int | None = None) -> str:
    """Read a report in a child, keep it, and return the name of its preview.

    Raises:
        BookError: too many are read, or were tried within a day.
    """
    file = context.sent.file("file")
    data = context.sent.text("text").encode() if file is None else file.content
    name = PASTED if file is None else file.name.replace("\\", "/").rsplit("/", 1)[-1][-MOST_NAME:] or PASTED
    loaded = read_in_child(data, name, hints_of(context.sent))
    digest = hashlib.sha256(data).hexdigest()[:32]
    return keep(context.gate, context.visitor.account, Trial(name, loaded, digest, revises))


def _form(context: RequestContext, wrong: Sequence[Finding] = ()) -> Response[bytes]:
    inputs = (*REPORT, *UNSAID)
    return context.page(
        "director/upload.html",
        status=UNPROCESSABLE if wrong else 200,
        one=Form(PREVIEWS, "Preview", inputs, context.sent.values(inputs), wrong),
        unsaid=UNSAID,
    )
