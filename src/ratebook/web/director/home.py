"""The first page of a director."""

from litestar import Response

from ratebook.book.facts.members import names_of
from ratebook.web.gate.visitors import TheVisitor
from ratebook.web.rooms import room_page
from ratebook.web.routing import Needs, shown_to
from ratebook.web.site import TheSite


@shown_to(Needs.DIRECTOR, "/director")
def director_home(site: TheSite, visitor: TheVisitor) -> Response[bytes]:
    """Show for whom the director sends reports."""
    number = visitor.account.member_id
    with site.reading() as reader:
        found = names_of(reader.connection, [number])
    return room_page(site, visitor, "director/home.html", name=found.get(number, ""))
