"""Why a rating moved: one sentence first, then the steps with their figures and the sources of the rules."""

from litestar import Response
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id
from ratebook.model import System
from ratebook.office.rating.explain import AskedRatings, explain_rating
from ratebook.pages.changes import changes_of_section
from ratebook.pages.event import event_page
from ratebook.rating.explanation.public import explain_in_public
from ratebook.web.public.changes import former_ratings
from ratebook.web.public.links import WHY_PAGE
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


@public(WHY_PAGE)
def why(
    site: TheSite,
    member: FromPath[str],
    event: FromPath[str],
    number: FromPath[int],
    system: FromQuery[System | None] = None,
) -> Response[bytes] | Redirect:
    """Explain what a section did to a rating, with no figure from which the age of a newcomer could be computed."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        header = event_page(reader.connection, event)
        rulebook = reader.federation.rulebook
        former = changes_of_section(reader.connection, reader.federation, holding, event, number)
    if holding != member:
        return Redirect(WHY_PAGE(holding, event, number, system=system), status_code=308)
    asked = AskedRatings(number, () if system is None else (system,))
    explanations = explain_rating(site.book, member, event, asked, explain_in_public)
    return page(
        "public/why.html",
        member=member,
        name=explanations[0].name or member,
        event=header,
        number=number,
        explanations=explanations,
        documents=rulebook.documents,
        former=former_ratings(tuple(one for one in former if system in {None, one.system})),
    )
