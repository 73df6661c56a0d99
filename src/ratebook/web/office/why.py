"""Why a rating moved, with every figure: ages can be computed from some of them, so it is the office's alone."""

from litestar import Response
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.pages.event import event_page
from ratebook.pages.players.answer import answer_of
from ratebook.web.forms.context import TheContext
from ratebook.web.office.links import WHY
from ratebook.web.routing import Needs, shown_to
from ratebook.web.signed_in import onward
from ratebook.web.store.log import LogKind


@shown_to(Needs.OFFICE, WHY)
def why(
    context: TheContext,
    member: FromPath[str],
    event: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[bytes] | Redirect:
    """Explain what a section did to a rating; the look is noted in the log."""
    with context.site.reading() as reader:
        holding = holding_id(reader.connection, member)
        header = event_page(reader.connection, event)
        documents = reader.federation.rulebook.documents
    if holding != member:
        return onward(WHY(holding, event, number))
    asked = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(context.site.book, member, event, asked)
    with context.gate.store.writing() as log:
        context.note(log, LogKind.PRIVATE_VIEWED, f"member {member}, event {event}, section {number}")
    return context.page(
        "office/why.html",
        member=member,
        name=explanations[0].name or member,
        event=header,
        number=number,
        explanations=[(explanation, answer_of(explanation)) for explanation in explanations],
        documents=documents,
    )
