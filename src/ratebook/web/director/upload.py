"""Trying a report: a file is uploaded, or its text pasted, and leads to its preview."""

import hashlib

from litestar import Response

from ratebook.findings import Place, finding
from ratebook.web.director.links import NEW, PREVIEW, PREVIEWS
from ratebook.web.forms.context import Again, RefusedError, RequestContext, TheContext
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
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
        "Or paste its text",
        InputKind.LONG,
        "A published crosstable, a wall chart or CSV.",
        needed=False,
        most=MOST_TEXT,
    ),
)


@shown_to(Needs.DIRECTOR, NEW)
def new_preview(context: TheContext) -> Response[bytes]:
    """Ask for a report."""
    return _page(context)


@done_by(Needs.DIRECTOR, PREVIEWS, costly=True)
def make_preview(context: TheContext) -> Answer:
    """Read the report that was sent, and lead to its preview."""
    return previewed(context, _page)


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
    loaded = read_in_child(data, name, hints_of(context.sent))
    digest = hashlib.sha256(data).hexdigest()[:32]
    return keep(context.gate, context.visitor.account, Trial(name, loaded, digest, revises))


def _page(context: RequestContext) -> Response[bytes]:
    inputs = (*REPORT, *UNSAID)
    form = Form(PREVIEWS, "Preview", inputs, context.sent.values(inputs), context.findings)
    return context.page("director/upload.html", one=form, unsaid=UNSAID)
