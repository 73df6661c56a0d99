"""Trying a report: a file is uploaded, or its text pasted, and leads to its preview."""

import hashlib
from collections.abc import Sequence

from litestar import Response

from ratebook.book.failures import BookError
from ratebook.findings import Finding, finding
from ratebook.web.director.links import NEW, PREVIEWS, preview_address
from ratebook.web.forms.desk import UNPROCESSABLE, Desk, TheDesk
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.forms.once import Answer
from ratebook.web.forms.sent import Sent
from ratebook.web.rooms import onward
from ratebook.web.routing import Needs, done_by, shown_to
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
def new_preview(desk: TheDesk) -> Response[bytes]:
    """Ask for a report."""
    return _form(desk)


@done_by(Needs.DIRECTOR, PREVIEWS, costly=True)
def make_preview(desk: TheDesk) -> Answer:
    """Read the report that was sent, and lead to its preview."""
    wrong = desk.sent.wrong((*REPORT, *UNSAID)) or not_one(desk.sent)
    if wrong:
        return _form(desk, wrong)
    try:
        return onward(preview_address(tried(desk)))
    except BookError as failure:
        return _form(desk, (failure.finding,))


def not_one(form: Sent) -> tuple[Finding, ...]:
    """Return what is wrong where not exactly one report was sent."""
    file, text = form.file("file"), form.text("text")
    if file is None and not text:
        return (finding("report-not-given.neither", "file"),)
    return (finding("report-not-given.both", "text"),) if file is not None and text else ()


def tried(desk: Desk, revises: int | None = None) -> str:
    """Read a report in a child, keep it, and return the name of its preview.

    Raises:
        BookError: too many are read, or were tried within a day.
    """
    file = desk.sent.file("file")
    data = desk.sent.text("text").encode() if file is None else file.content
    name = PASTED if file is None else file.name.replace("\\", "/").rsplit("/", 1)[-1][-MOST_NAME:] or PASTED
    loaded = read_in_child(data, name, hints_of(desk.sent))
    digest = hashlib.sha256(data).hexdigest()[:32]
    return keep(desk.gate, desk.visitor.account, Trial(name, loaded, digest, revises))


def _form(desk: Desk, wrong: Sequence[Finding] = ()) -> Response[bytes]:
    inputs = (*REPORT, *UNSAID)
    return desk.page(
        "director/upload.html",
        status=UNPROCESSABLE if wrong else 200,
        one=Form(PREVIEWS, "Preview", inputs, desk.sent.values(inputs), wrong),
        unsaid=UNSAID,
    )
