"""Private facts for programs of the office; the log has each look."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.params import FromPath, FromQuery, QueryParameter

from ratebook.book.audit import RecordFilter
from ratebook.book.decisions import RecordedDecision, newest_decisions
from ratebook.book.facts.members import MemberFacts, holding_id, load_members
from ratebook.book.submissions import WAITING, QueueFilter, Status
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.pages.queue import queue_page
from ratebook.records.explanations import Explanation
from ratebook.records.reports import QueuedSubmission
from ratebook.web.api.answers import Limit, json_answer
from ratebook.web.api.routing import asked_with
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.programs import Program, TheProgram
from ratebook.web.gate.visitors import address_of
from ratebook.web.routing import PageNumber
from ratebook.web.site import TheSite
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.tokens import Scope
from ratebook.wire import Items


@asked_with(Scope.READ_PRIVATE, "/private/players/{member:str}")
def private_facts(
    request: Request[Any, Any, Any], site: TheSite, gate: TheGate, program: TheProgram, member: FromPath[str]
) -> Response[MemberFacts]:
    """What the office knows about a person besides the ratings."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        facts = load_members(reader.connection, [holding])[holding].facts
    _note(request, gate, program, f"member {holding}")
    return json_answer(facts, office=True)


@asked_with(Scope.READ_PRIVATE, "/private/players/{member:str}/explanations/{event:str}/{number:int}")
def whole_explanations(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    member: FromPath[str],
    event: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[Items[Explanation]]:
    """Why a section moved a player's ratings, with every figure.

    They have the figures from which a newcomer's age could be computed.
    """
    asked = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(site.book, member, event, asked)
    _note(request, gate, program, f"member {member}, event {event}, section {number}")
    return json_answer({"items": explanations, "next": None}, office=True)


@asked_with(Scope.READ_PRIVATE, "/private/queue")
def queue(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    status: FromQuery[Status | None] = None,
    limit: Limit = 200,
    number: PageNumber = 1,
) -> Response[Items[QueuedSubmission]]:
    """The reports in the queue of the office, and what holds them back."""
    statuses = WAITING if status is None else (status.value,)
    with site.reading() as reader:
        lines = queue_page(reader.connection, QueueFilter(statuses, most=limit, page=number))
    _note(request, gate, program, "queue")
    return json_answer({"items": lines, "next": None}, office=True)


@asked_with(Scope.READ_PRIVATE, "/private/decisions")
def decisions(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    subject: Annotated[str, QueryParameter(max_length=60, description="What they are about.")] = "",
    limit: Limit = 200,
) -> Response[Items[RecordedDecision]]:
    """The decisions of the office, the newest first."""
    with site.reading() as reader:
        rows = newest_decisions(reader.connection, limit, RecordFilter(subject=subject))
    _note(request, gate, program, f"decisions {subject}".rstrip())
    return json_answer({"items": rows, "next": None}, office=True)


def _note(request: Request[Any, Any, Any], gate: Gate, program: Program, viewed: str) -> None:
    with gate.store.writing() as log:
        name, at = program.account.name, gate.now()
        note(log, LogKind.PRIVATE_VIEWED, name, at, address_of(request), viewed)
