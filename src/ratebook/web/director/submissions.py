"""One's own submissions: what became of them, what holds them back, an answer, and taking one back."""

from datetime import date
from typing import NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from ratebook.book.connection import Connection
from ratebook.book.reports import ends_of_sections, with_members
from ratebook.book.submissions import (
    WAITING,
    QueuedReport,
    Status,
    holding_codes,
    read_submission,
    revisions_of,
)
from ratebook.office.decisions.changes import changes_said
from ratebook.office.decisions.revision import with_book_names
from ratebook.office.queue.submit import reject, waiting_submission
from ratebook.pages.columns import counted
from ratebook.pages.submission import ReportState, SubmissionPage, state_of, submission_page
from ratebook.records.reports import HoldingCode
from ratebook.reports.draft import can_be_typed, draft_of
from ratebook.web.director.links import PREVIEW, SUBMISSION, SUBMISSIONS, TYPED_REPORT
from ratebook.web.director.preview import (
    NOTE,
    Due,
    due,
    due_of,
    own_report_like,
    problems_in,
    reported_tables,
    shown_to_sender,
    with_known_names,
)
from ratebook.web.director.ratings import ratings_tables, unpacked
from ratebook.web.director.upload import REPORT, previewed, read_again
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import Answer
from ratebook.web.layout.words import in_running_text
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.site import Reader
from ratebook.web.store.reports.notes import NoteReader, add_note, read_notes
from ratebook.web.store.sendings import SentReport, kept_ratings, note_withdrawn, sent_by
from ratebook.web.trial.kept import Trial, TrialGone, keep, kept
from ratebook.web.trial.sending import brought_with

MOST_LISTED = 50
OWN_NOTE = NOTE._replace(needed=True, hint="The office sees it beside the report.")
WITHDRAWN = "withdrawn by the sender"


class OwnSubmission(NamedTuple):
    """A submission as its sender follows it: the newest version of the report.

    Attributes:
        first: the number of its first version.
        held_by: the codes that hold it back.
        due: until when reports of its event are taken without asking; None where it waits no more.
    """

    newest: QueuedReport
    first: int
    state: ReportState
    held_by: tuple[HoldingCode, ...]
    due: Due | None

    @property
    def left(self) -> str:
        """Return how many days are left."""
        return "" if self.due is None else str(self.due.left) if self.due.left >= 0 else "past due"

    @property
    def blocked(self) -> str:
        """Return what holds it back, as a count."""
        errors = sum(one.findings for one in self.held_by if one.severity.value == "error")
        warnings = sum(one.findings for one in self.held_by) - errors
        counts = (counted(errors, "error"), counted(warnings, "open warning"))
        return " and ".join(words for words in counts if not words.startswith("0 "))


def own_submissions(
    connection: Connection, own: dict[int, SentReport], days: int, today: date
) -> list[OwnSubmission]:
    """Return the reports that an account sent, the newest first; *days* are those for reporting."""
    held_by = holding_codes(connection)
    listed: dict[int, OwnSubmission] = {}
    for number, sent in sorted(own.items(), reverse=True)[:MOST_LISTED]:
        row = read_submission(connection, number)
        if row is None:
            continue
        versions = revisions_of(connection, row)
        newest = versions[-1]
        waits = newest.status in WAITING
        ends = ends_of_sections(row.report) if waits and row.id == newest.id and row.report else ()
        until = due(max(day for _, day in ends), days, today) if ends else None
        state = state_of(connection, newest, taken_back=sent.withdrawn_at is not None)
        listed[newest.id] = OwnSubmission(newest, versions[0].id, state, held_by.get(newest.id, ()), until)
    return sorted(listed.values(), key=lambda sent: (sent.newest.received, sent.newest.id), reverse=True)


@shown_to(Needs.DIRECTOR, SUBMISSION, costly=True)
def own_submission(
    context: TheContext, number: FromPath[int], sent: FromQuery[str] = "", ask: FromQuery[str] = ""
) -> Response[bytes]:
    """Show a submission to who sent it; *sent* thanks who has just done so, *ask* opens the note.

    A correction is asked for by the name of a report that is tried and has what is right.
    """
    chain, own = _own(context, number)
    with context.gate.store.reading() as connection:
        content = kept_ratings(connection, chain)
        name = context.visitor.account.name
        letters = [note for note in read_notes(connection, chain[0]) if note.is_read_by(name)]
    ratings = None if content is None else unpacked(content)
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)
        days = reader.federation.profile.checks.days_to_report
        is_rated = submission.line.status == Status.RATED
        (version,) = (each for each in submission.revisions if each.id == number)
        mine = [own[each] for each in chain if each in own][-1]
        state = state_of(reader.connection, version, taken_back=mine.withdrawn_at is not None)
        report = with_known_names(reader, submission.report if submission.sections else None)
        found = [each.first for each in submission.findings]
        looks_like = own_report_like(reader.connection, found, own) if submission.waits else None
        wanted = _corrected_by(context, reader, submission, ask) if ask and is_rated else ""
    is_asked = bool(letters) and letters[-1].reader is NoteReader.SENDER
    newest = submission.revisions[-1]
    problems = problems_in(report, submission.findings) if submission.line.status in WAITING else {}
    address = SUBMISSION(number)
    return context.page(
        "director/submission.html",
        found=submission,
        number=number,
        newest=newest,
        state=state,
        waits=submission.line.status in WAITING,
        due=due_of(report, days, context.site.today()),
        findings=shown_to_sender(report, [each for each in submission.findings if each.holds], is_sent=True),
        others=shown_to_sender(
            report, [each for each in submission.findings if not each.holds], is_sent=True
        ),
        just_sent=bool(sent),
        notes=letters,
        is_asked=is_asked,
        looks_like=looks_like,
        asks=bool(ask),
        note=context.form(
            f"{address}/note",
            "Send the answer" if is_asked else "Send the note",
            (OWN_NOTE._replace(label="Answer to the office") if is_asked else OWN_NOTE,),
            {NOTE.name: wanted},
            number=5,
        ),
        ratings=ratings,
        new_ratings=[] if ratings is None else ratings_tables(context.site, ratings, problems=problems),
        tables=[] if report is None else reported_tables(report, problems, anchored=ratings is None),
        in_form=context.form(f"{address}/type", "Edit in the form", number=3)
        if report is not None and can_be_typed(report)
        else None,
        upload=Form(f"{address}/answer", "Preview", REPORT, context.sent.values(REPORT), context.findings),
        once_more=context.form(f"{address}/try", "Try it again", number=4)
        if report is not None and submission.line.status == Status.REJECTED
        else None,
        withdraw=context.form(f"{address}/withdraw", "Withdraw the report", number=2),
    )


@done_by(Needs.DIRECTOR, f"{SUBMISSIONS}/{{number:int}}/answer", costly=True)
def answer_submission(context: TheContext, number: FromPath[int]) -> Answer:
    """Read another version of a submission, and lead to its preview."""
    _waiting(context, number)
    return previewed(context, lambda refused: own_submission(refused, number), revises=number)


@done_by(Needs.DIRECTOR, f"{SUBMISSIONS}/{{number:int}}/type", costly=True)
def type_submission(context: TheContext, number: FromPath[int]) -> Answer:
    """Open a submission in the form."""
    submission = _waiting(context, number)
    if not submission.sections or not can_be_typed(submission.report):
        raise NotFoundException
    with context.site.reading() as reader:
        row = waiting_submission(reader.connection, number)
        brought = brought_with(reader.connection, row)
    trial = Trial(row.source_name, draft=draft_of(submission.report), revises=number, brought=brought)

    def work() -> str:
        return TYPED_REPORT(keep(context.gate, context.visitor.account, trial))

    return context.decide((), work, lambda refused: own_submission(refused, number))


@done_by(Needs.DIRECTOR, f"{SUBMISSIONS}/{{number:int}}/withdraw", costly=True)
def withdraw_submission(context: TheContext, number: FromPath[int]) -> Answer:
    """Take a submission back before it is rated."""
    chain, _ = _own(context, number)

    def work() -> str:
        reject(context.site.book, [number], WITHDRAWN, context.because.actor)
        with context.gate.store.writing() as connection:
            note_withdrawn(connection, chain, context.gate.now())
        return SUBMISSION(number)

    return context.decide((), work, lambda refused: own_submission(refused, number))


@done_by(Needs.DIRECTOR, f"{SUBMISSIONS}/{{number:int}}/try", costly=True)
def try_submission(context: TheContext, number: FromPath[int]) -> Answer:
    """Make a new try of a report that was withdrawn or not accepted, and lead to its preview."""
    _own(context, number)
    with context.site.reading() as reader:
        row = read_submission(reader.connection, number)
        if row is None or row.status is not Status.REJECTED or not row.report:
            raise NotFoundException
        original = brought_with(reader.connection, row)
    return context.decide(
        (),
        lambda: PREVIEW(read_again(context, row, original)),
        lambda refused: own_submission(refused, number),
    )


@done_by(Needs.DIRECTOR, f"{SUBMISSION}/note")
def note_submission(context: TheContext, number: FromPath[int]) -> Answer:
    """Tell the office something about a submission, or ask for a correction of what is rated."""
    (first, *_), _ = _own(context, number)

    def work() -> str:
        account, words = context.visitor.account.id, context.sent.text(NOTE.name)
        with context.gate.store.writing() as connection:
            add_note(connection, first, account, words, context.gate.now())
        return f"{SUBMISSION(number)}#notes"

    return context.decide((OWN_NOTE,), work, lambda refused: own_submission(refused, number))


def _own(context: RequestContext, number: int) -> tuple[list[int], dict[int, SentReport]]:
    """Return the numbers of a submission's versions, of which one must be the visitor's, and all that is theirs."""
    with context.gate.store.reading() as connection:
        own = sent_by(connection, context.visitor.account.id)
    with context.site.reading() as reader:
        row = read_submission(reader.connection, number)
        chain = [] if row is None else [version.id for version in revisions_of(reader.connection, row)]
    if own.keys().isdisjoint(chain):
        raise NotFoundException
    return chain, own


def _waiting(context: RequestContext, number: int) -> SubmissionPage:
    """Return a submission of one's own that waits."""
    _own(context, number)
    with context.site.reading() as reader:
        submission = submission_page(reader.connection, number)
    if not submission.waits:
        raise NotFoundException
    return submission


def _corrected_by(context: RequestContext, reader: Reader, submission: SubmissionPage, tried: str) -> str:
    """Return what a report that is tried would change in a submission, in words; empty where it is gone."""
    try:
        report = kept(context.gate, context.visitor.account, tried).report
    except TrialGone:
        return ""
    if report is None:
        return ""
    before = with_book_names(reader.connection, submission.report)
    after = with_book_names(reader.connection, with_members(reader.connection, report)[0])
    return "\n".join(map(in_running_text, changes_said(before, after)))[: NOTE.most]
