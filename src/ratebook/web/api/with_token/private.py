"""Private facts for programs of the office; the log has each look."""

from typing import Any

from litestar import Request, Response
from litestar.params import FromPath

from ratebook.book.facts.members import holding_id, load_members
from ratebook.web.api.answers import found
from ratebook.web.api.routing import asked_with
from ratebook.web.gate.gate import TheGate
from ratebook.web.gate.programs import TheProgram
from ratebook.web.gate.visitors import address_of
from ratebook.web.site import TheSite
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.tokens import Scope
from ratebook.wire import PrivateFacts


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
) -> Response[PrivateFacts]:
    """Read private facts; an id that was merged into another leads to that one."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        facts = load_members(reader.connection, [holding])[holding].facts
    with gate.store.writing() as log:
        name, at = program.account.name, gate.now()
        note(log, LogKind.PRIVATE_VIEWED, name, at, address_of(request), f"member {holding}")
    return found(PrivateFacts(**{name: getattr(facts, name) for name in PrivateFacts.__struct_fields__}))


HANDLERS = (private_facts,)
