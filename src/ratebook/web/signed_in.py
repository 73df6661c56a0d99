"""Pages of those who are signed in: who they are is at the top, and every form carries the session's token."""

from collections.abc import Mapping
from typing import Any

from litestar import Response
from litestar.response import Redirect

from ratebook.book.ledger.lists import published_months
from ratebook.book.ledger.pending import count_pending
from ratebook.book.submissions import Status, count_statuses
from ratebook.web.gate.visitors import Visitor
from ratebook.web.layout.choices import MenuItem
from ratebook.web.layout.face import Face
from ratebook.web.rendering import page
from ratebook.web.site import Site
from ratebook.web.store.accounts import Role
from ratebook.web.store.jobs import asked_jobs

INTERRUPTED = "/director/kept"
"""Where forms go on that were sent after their session had ended."""
MENU: dict[Role, tuple[tuple[str, str], ...]] = {
    Role.DIRECTOR: (
        ("Your reports", "/director"),
        ("Upload or paste", "/director/previews/new"),
        ("Type a report", "/director/type"),
    ),
    Role.OFFICE: (
        ("Overview", "/office"),
        ("Add a report", "/director/previews/new"),
        ("Queue", "/office/queue"),
        ("Rate", "/office/rate"),
        ("Events", "/office/events"),
        ("Members", "/office/members"),
        ("Imports", "/office/imports"),
        ("Corrections", "/office/corrections"),
        ("Re-rate", "/office/rerate"),
        ("Verify", "/office/verify"),
        ("Official lists", "/office/lists"),
        ("Decisions", "/office/decisions"),
        ("Studies", "/office/studies"),
        ("Jobs", "/office/jobs"),
    ),
    Role.ADMINISTRATOR: (
        ("Overview", "/admin"),
        ("Accounts", "/admin/accounts"),
        ("Tokens", "/admin/tokens"),
        ("Sessions", "/admin/sessions"),
        ("Profile", "/admin/profile"),
        ("Rules", "/admin/rules"),
        ("Copies", "/admin/copies"),
        ("Log", "/admin/log"),
    ),
}
"""Pages of a role that every page of its own leads to: the nearest one above a page is marked as where one is."""
BELOW = {
    "/office/audit": "/office/decisions",
    "/office/why": "/office/events",
    "/director": "/director/previews/new",
}
"""Of which page of the side bar those are whose addresses are not below its own."""

NOTHING: Mapping[str, int] = {}


def menu_of(role: Role, path: str, waiting: Mapping[str, int] = NOTHING) -> tuple[MenuItem, ...]:
    """Return the side bar of a role as a page of a *path* shows it, with how much is *waiting* by address."""
    pages = MENU.get(role, ())
    places = BELOW | {address: address for _, address in pages}
    above = [address for address in places if f"{path}/".startswith(f"{address}/")]
    here = places[max(above, key=len)] if above else ""
    return tuple(
        MenuItem(title, address, address == here, waiting.get(address, 0)) for title, address in pages
    )


def waiting_for(site: Site, role: Role) -> dict[str, int]:
    """Return how much waits for the office, by the addresses of its pages; nothing for other roles."""
    if role is not Role.OFFICE or site.gate is None:
        return {}
    with site.reading() as reader:
        counts = count_statuses(reader.connection)
        pending = count_pending(reader.connection)
        published = published_months(reader.connection)
    with site.gate.store.reading() as connection:
        # A command may have published a list meanwhile that is still asked for here.
        publications = sum(job.arguments.get("month") not in published for job in asked_jobs(connection))
    return {
        "/office/queue": counts.get(Status.HELD, 0) + counts.get(Status.READY, 0),
        "/office/rate": counts.get(Status.READY, 0),
        "/office/rerate": pending,
        "/office/lists": publications,
    }


def signed_in_page(
    site: Site,
    visitor: Visitor | None,
    template: str,
    *,
    path: str = "",
    status: int = 200,
    face: Face | None = None,
    is_returned: bool = False,
    **contents: Any,  # noqa: ANN401 - what the template shows
) -> Response[bytes]:
    """Return a page of a *path* for a visitor, or for someone who is about to sign in.

    A *face* is one that is tried; otherwise it is the federation's own. A form of it *is_returned* if it was sent after
    the session's end.
    """
    return page(
        template,
        site.face() if face is None else face,
        status=status,
        visitor=visitor,
        is_returned=is_returned,
        home="/" if visitor is None else visitor.home,
        has_public=site.has_public,
        menu=()
        if visitor is None
        else menu_of(visitor.account.role, path, waiting_for(site, visitor.account.role)),
        **contents,
    )


def onward(address: str) -> Redirect:
    """Send the browser on after something was done, so that reloading does not do it again."""
    return Redirect(address, status_code=303)


class ElsewhereError(Exception):
    """What was asked for is at another address now."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def own_address(address: str) -> str:
    """Return an address of this site as it was said in a form, or nothing where it leads elsewhere.

    >>> own_address("/office"), own_address("//elsewhere.example"), own_address("https://elsewhere.example")
    ('/office', '', '')
    """
    inside = (
        address.startswith("/")
        and not address.startswith("//")
        and "\\" not in address
        and address.isprintable()
    )
    return address if inside else ""
