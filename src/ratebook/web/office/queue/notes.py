"""Who of the office has a report, and what is noted on it."""

from collections.abc import Callable

from litestar.params import FromPath

from ratebook.book.connection import Connection
from ratebook.pages.submission import submission_page
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Input
from ratebook.web.forms.once import Answer
from ratebook.web.office import links
from ratebook.web.office.queue.submission import LETTER, NOTE, report_page
from ratebook.web.routing import Needs, done_by
from ratebook.web.store.reports.notes import NoteReader, add_note, give_back, take_report


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/take")
def take(context: TheContext, number: FromPath[int]) -> Answer:
    """Have a report from now on, whoever had it before."""
    account = context.visitor.account.id
    return _noted(
        context, number, (), lambda store, first: take_report(store, first, account, context.gate.now())
    )


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/give-back")
def give(context: TheContext, number: FromPath[int]) -> Answer:
    """Give a report back, so that no one has it."""
    return _noted(context, number, (), give_back)


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/note")
def write_note(context: TheContext, number: FromPath[int]) -> Answer:
    """Add a note on a report."""
    return _written(context, number, NOTE, NoteReader.OFFICE)


@done_by(Needs.OFFICE, f"{links.SUBMISSION}/{LETTER.name}")
def write_letter(context: TheContext, number: FromPath[int]) -> Answer:
    """Write to who sent a report."""
    return _written(context, number, LETTER, NoteReader.SENDER)


def _written(context: RequestContext, number: int, field: Input, reader: NoteReader) -> Answer:
    account, words = context.visitor.account.id, context.sent.text(field.name)
    return _noted(
        context,
        number,
        (field,),
        lambda store, first: add_note(store, first, account, words, context.gate.now(), reader=reader),
        "#letter" if reader is NoteReader.SENDER else "#notes",
    )


def _noted(
    context: RequestContext,
    number: int,
    inputs: tuple[Input, ...],
    work: Callable[[Connection, int], None],
    part: str = "",
) -> Answer:
    """Keep something about a report, which all of its versions share, and lead to the *part* of its page with it."""
    with context.site.reading() as reader:
        first = submission_page(reader.connection, number).revisions[0].id

    def noted() -> str:
        with context.gate.store.writing() as connection:
            work(connection, first)
        return links.SUBMISSION(number) + part

    return context.decide(inputs, noted, lambda refused: report_page(refused, number))
