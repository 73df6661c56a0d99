"""Private facts for programs of the office; the log has each look."""

from typing import Any

from litestar import Request, Response
from litestar.params import FromPath, FromQuery

from ratebook.book.facts.members import MemberFacts, holding_id, load_members
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.records.explanations import Explanation
from ratebook.web.api.answers import found
from ratebook.web.api.routing import asked_with
from ratebook.web.gate.gate import Gate, TheGate
from ratebook.web.gate.programs import Program, TheProgram
from ratebook.web.gate.visitors import address_of
from ratebook.web.site import TheSite
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.tokens import Scope
from ratebook.wire import Items


@asked_with(
    Scope.READ_PRIVATE,
    "/private/players/{member:str}",
    "What the office knows of a person beside the ratings.",
)
def private_facts(
    request: Request[Any, Any, Any],
    site: TheSite,
    gate: TheGate,
    program: TheProgram,
    member: FromPath[str],
) -> Response[MemberFacts]:
    """Read private facts; an id that was merged into another leads to that one."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        facts = load_members(reader.connection, [holding])[holding].facts
    _note(request, gate, program, f"member {holding}")
    return found(facts, office=True)


@asked_with(
    Scope.READ_PRIVATE,
    "/private/players/{member:str}/explanations/{event:str}/{number:int}",
    "Why a section moved a player's ratings, with every figure.",
)
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
    """Read explanations, one for each system, with the figures that would tell everyone a newcomer's age."""
    asked = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(site.book, member, event, asked)
    _note(request, gate, program, f"member {member}, event {event}, section {number}")
    return found({"items": explanations, "next": None}, office=True)


def _note(request: Request[Any, Any, Any], gate: Gate, program: Program, viewed: str) -> None:
    with gate.store.writing() as log:
        name, at = program.account.name, gate.now()
        note(log, LogKind.PRIVATE_VIEWED, name, at, address_of(request), viewed)


HANDLERS = (private_facts, whole_explanations)
