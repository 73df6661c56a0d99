"""Reports that programs with a token send: tried by what the book knows, and submitted to the office."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.enums import RequestEncodingType
from litestar.exceptions import NotFoundException
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath, HeaderParameter, QueryParameter, SkipValidation

from ratebook.book.submissions import first_version, holding_codes, read_findings, read_submission
from ratebook.findings import Finding, Place, finding
from ratebook.formats.contract import DayOrder, Hints
from ratebook.model import SectionType
from ratebook.pages.queue import queue_line
from ratebook.pages.submission import remedy_once_sent, state_of
from ratebook.records.record import fields_of, plain
from ratebook.records.reports import QueuedSubmission, ReportNote, ReportPreview, SubmissionStatus, said
from ratebook.web.api.answers import JSON, json_answer
from ratebook.web.api.problems import Refusal, RefusedRequest, problem
from ratebook.web.api.routing import PREFIX, asked_with, sent_with
from ratebook.web.forms.once import LONGEST_KEY
from ratebook.web.forms.sent import SentFile, sent_form
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.programs import Program, TheProgram
from ratebook.web.site import Site, TheSite
from ratebook.web.store.reports.notes import read_notes
from ratebook.web.store.sendings import begin_sending, end_sending, forget_sending, sent_by
from ratebook.web.store.tokens import Scope
from ratebook.web.trial.kept import Trial, keep, kept
from ratebook.web.trial.previews import Previews, ThePreviews
from ratebook.web.trial.reading import read_in_child
from ratebook.web.trial.sending import send

CREATED, ACCEPTED, CONFLICT, UNPROCESSABLE = 201, 202, 409, 422
UNNAMED = "report"
PLAIN = "identity"
MOST_NAME, MOST_COLUMNS = 80, 20
KEY = "Idempotency-Key"
LINE = tuple(field.name for field in fields_of(QueuedSubmission))


@dataclass
class ReportOperation(Operation):
    """An operation whose body is a report."""

    def __post_init__(self) -> None:
        """Describe the body."""
        binary = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        form = Schema(type=OpenAPIType.OBJECT, properties={"file": binary}, required=["file"])
        self.request_body = RequestBody(
            {
                "application/octet-stream": OpenAPIMediaType(binary),
                RequestEncodingType.MULTI_PART: OpenAPIMediaType(form),
            },
            description="A report in any format that ratebook reads; several files as one zip archive.",
            required=True,
        )


async def sent_report(request: Request[Any, Any, Any]) -> SentFile:
    """Return the report that is the body of a request, or the first file of a form.

    Raises:
        RefusedRequest: the body is encoded (415).
    """
    encoding = request.headers.get("content-encoding", PLAIN)
    if encoding != PLAIN:
        where = "Content-Encoding"
        raise RefusedRequest(
            415, finding("api-body-encoded", Place(input=where), encoding=encoding[:MOST_NAME])
        )
    kind, _ = request.content_type
    if kind == RequestEncodingType.MULTI_PART:
        files = [file for those in (await sent_form(request)).files.values() for file in those]
        return files[0] if files else SentFile("", b"")
    return SentFile("", await request.body())


TheReport: TypeAlias = NamedDependency[SentFile]
"""How a handler asks for the report that was sent."""


class RatingsKind(StrEnum):
    """What the rating column of a FIDE tournament report has."""

    FIDE = "fide"
    PAIRING = "pairing"


class Unsaid(NamedTuple):
    """What some formats cannot say, and the name of the file."""

    file: str
    hints: Hints


async def unsaid(
    file: Annotated[str, QueryParameter(max_length=MOST_NAME, description="The name of the file.")] = "",
    start: Annotated[date | None, QueryParameter(description="First day, if the report lacks it.")] = None,
    end: Annotated[date | None, QueryParameter(description="Last day, if the report lacks it.")] = None,
    time_control: Annotated[str, QueryParameter(max_length=100, description="For example G/60;d5.")] = "",
    kind: Annotated[SectionType | None, QueryParameter(name="type")] = None,
    online: Annotated[bool, QueryParameter(description="Whether it was played online.")] = False,  # noqa: FBT002 - a parameter of an address
    title: Annotated[str, QueryParameter(name="name", max_length=200, description="Name of the event.")] = "",
    event: Annotated[
        str, QueryParameter(max_length=40, description="The event to read, if there are several.")
    ] = "",
    day_order: Annotated[
        DayOrder | None, QueryParameter(description="The order of day and month in dates such as 5/6/2026.")
    ] = None,
    ratings: Annotated[
        RatingsKind | None, QueryParameter(description="What the ratings of a FIDE tournament report are.")
    ] = None,
    sheet: Annotated[
        str, QueryParameter(max_length=200, description="The sheet or file to read, if there are several.")
    ] = "",
    column: Annotated[
        list[str] | None,
        QueryParameter(
            max_items=MOST_COLUMNS, description="What a column of a table holds, for example Wertung=rating."
        ),
    ] = None,
) -> Unsaid:
    """Return what a request says of a report that its format cannot say."""
    hints = Hints(
        start=start,
        end=end,
        time_control=time_control or None,
        online=online,
        type=kind,
        event=event or None,
        name=title or None,
        ratings=ratings,
        day_order=day_order,
        sheet=sheet or None,
        column=tuple(column or ()),
    )
    return Unsaid(file, hints)


TheUnsaid: TypeAlias = NamedDependency[SkipValidation[Unsaid]]
"""How a handler asks for what the report cannot say."""


@sent_with(Scope.PREVIEW, "/previews", ReportOperation, CREATED, unsaid)
def make_preview(
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    previews: ThePreviews,
    report: TheReport,
    unsaid: TheUnsaid,
) -> Response[ReportPreview]:
    """Try a report: its problems, and the ratings that it would give."""
    trial = _read(report, unsaid)
    name = keep(gate, program.account, trial)
    tried = _preview(site, previews, program, name, trial)
    return json_answer(tried, CREATED, f"{PREFIX}/previews/{name}")


@asked_with(Scope.PREVIEW, "/previews/{name:str}", costly=True)
def read_preview(
    site: TheSite, gate: TheGate, program: TheProgram, previews: ThePreviews, name: FromPath[str]
) -> Response[ReportPreview]:
    """The preview of a report, by what the book knows now."""
    trial = kept(gate, program.account, name)
    return json_answer(_preview(site, previews, program, name, trial))


@sent_with(Scope.SUBMIT, "/submissions", ReportOperation, ACCEPTED, unsaid)
def make_submission(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    report: TheReport,
    unsaid: TheUnsaid,
    key: Annotated[
        str,
        HeaderParameter(
            name=KEY,
            min_length=1,
            max_length=LONGEST_KEY,
            description="A name of your own for this submission. If it is sent again, the first answer is repeated.",
        ),
    ],
) -> Response[Any]:
    """Send a report to the office."""
    body = hashlib.sha256(repr((report.content, unsaid)).encode()).hexdigest()
    account = program.account.id
    with gate.store.writing() as connection:
        earlier = begin_sending(connection, account, KEYS + key, gate.now())
    if earlier is not None:
        return _again(request, earlier, body)
    answer = None
    try:
        trial = _read(report, unsaid)
        answer = _submitted(request, site, gate, program, trial)
    finally:
        with gate.store.writing() as connection:
            if answer is not None and answer.status_code == ACCEPTED:
                end_sending(connection, account, KEYS + key, f"{body} {answer.content.decode()}")
            else:
                forget_sending(connection, account, KEYS + key)
    return answer


KEYS = "program "
"""Before the keys of programs, so that they are never those of forms."""


@asked_with(Scope.SUBMIT, "/submissions/{number:int}")
def read_own_submission(
    site: TheSite, gate: TheGate, program: TheProgram, number: FromPath[int]
) -> Response[SubmissionStatus]:
    """A report that this account has sent: its status and findings."""
    submission = _submission(site, gate, program, number)
    if submission is None:
        raise NotFoundException
    return json_answer(submission)


def _read(report: SentFile, unsaid: Unsaid) -> Trial:
    name = (unsaid.file or report.name).replace("\\", "/").rpartition("/")[2][-MOST_NAME:] or UNNAMED
    loaded = read_in_child(report.content, name, unsaid.hints)
    return Trial(name, loaded, hashlib.sha256(report.content).hexdigest()[:32])


def _preview(site: Site, previews: Previews, program: Program, name: str, trial: Trial) -> ReportPreview:
    if trial.loaded is None:
        # It is being typed by a director.
        raise NotFoundException
    with site.reading() as reader:
        preview = previews.of(site, reader, program.account, trial, trial.loaded)
    report = preview.examined.report or trial.loaded.report
    return ReportPreview(
        name=name,
        source=trial.source,
        revision=preview.revision,
        event_name=None if report is None else report.event.name,
        known=None if preview.examined.known is None else preview.examined.known.id,
        findings=said(preview.findings, attrgetter("for_sender")),
        sections=tuple(preview.tables()),
    )


def _submitted(
    request: Request[Any, Any, Any], site: Site, gate: Gate, program: Program, trial: Trial
) -> Response[Any]:
    loaded = trial.loaded
    assert loaded is not None  # noqa: S101 - it was read from a file
    if loaded.report is None:
        return _refused(request, loaded.findings)
    submitted = send(site, gate, program.account, gate.acting(program.account), trial, loaded)
    submission = None if submitted.number is None else _submission(site, gate, program, submitted.number)
    if submission is None:
        return _refused(request, submitted.findings)
    return _accepted(msgspec.json.encode(plain(submission)), submission.number)


def _refused(request: Request[Any, Any, Any], findings: Sequence[Finding]) -> Response[Any]:
    return problem(request, UNPROCESSABLE, *map(Refusal, findings))


def _again(request: Request[Any, Any, Any], earlier: str, body: str) -> Response[Any]:
    """Return the answer of the first sending under a key."""
    sent, _, answer = earlier.partition(" ")
    if not sent:
        return problem(request, CONFLICT, Refusal(finding("api-report-being-sent", Place(input=KEY))))
    if sent != body:
        return problem(request, UNPROCESSABLE, Refusal(finding("api-key-used", Place(input=KEY))))
    return _accepted(answer.encode(), msgspec.json.decode(answer, type=SubmissionStatus).number)


def _accepted(content: bytes, number: int) -> Response[bytes]:
    headers = {"location": f"{PREFIX}/submissions/{number}"}
    return Response(content, media_type=JSON, status_code=ACCEPTED, headers=headers)


def _submission(site: Site, gate: Gate, program: Program, number: int) -> SubmissionStatus | None:
    with gate.store.reading() as store, site.reading() as reader:
        own = sent_by(store, program.account.id).get(number)
        row = read_submission(reader.connection, number)
        if row is None or own is None:
            return None
        state = state_of(reader.connection, row, taken_back=own.withdrawn_at is not None)
        notes = read_notes(store, first_version(reader.connection, number))
        stored = read_findings(reader.connection, number)
        findings = said((noted.finding for noted in stored), remedy_once_sent)
        held_by = holding_codes(reader.connection, [row.status]).get(number, ())
    line, sender = queue_line(row, held_by), program.account.name
    return SubmissionStatus(
        **{name: getattr(line, name) for name in LINE},
        state=state.words,
        findings=findings,
        notes=tuple(
            ReportNote(written_at=note.written_at, from_office=note.by != sender, words=note.words)
            for note in notes
            if note.is_read_by(sender)
        ),
    )


OF_REPORTS = {"report": Provide(sent_report), "unsaid": Provide(unsaid)}
"""What the handlers ask for beside what all others do."""
