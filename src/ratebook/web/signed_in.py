"""Pages of those who are signed in: who they are is at the top, and every form carries the session's token."""

from typing import Any

from litestar import Response
from litestar.response import Redirect

from ratebook.web.gate.visitors import Visitor
from ratebook.web.rendering import page
from ratebook.web.site import Site
from ratebook.web.store.accounts import Role

HOME = {Role.DIRECTOR: "/director", Role.OFFICE: "/office", Role.ADMINISTRATOR: "/admin"}
"""The first page of each role."""
INTERRUPTED = "/director/kept"
"""Where forms go on that were sent after their session had ended."""
MENU: dict[Role, tuple[tuple[str, str], ...]] = {
    Role.OFFICE: (
        ("Queue", "/office/queue"),
        ("Rate", "/office/rate"),
        ("Members", "/office/members"),
        ("Imports", "/office/imports"),
        ("Correct", "/office/corrections"),
        ("Re-rate", "/office/rerate"),
        ("Lists", "/office/lists"),
        ("Decisions", "/office/decisions"),
        ("Jobs", "/office/jobs"),
    ),
    Role.ADMINISTRATOR: (
        ("Accounts", "/admin/accounts"),
        ("Tokens", "/admin/tokens"),
        ("Sessions", "/admin/sessions"),
        ("Profile", "/admin/profile"),
        ("Rules", "/admin/rules"),
        ("Copies", "/admin/copies"),
        ("Log", "/admin/log"),
    ),
}
"""Pages of a role that every page of its own leads to."""


def signed_in_page(
    site: Site,
    visitor: Visitor | None,
    template: str,
    *,
    status: int = 200,
    **contents: Any,  # noqa: ANN401 - what the template shows
) -> Response[bytes]:
    """Return a page for a visitor, or for someone who is about to sign in."""
    with site.reading() as reader:
        name = reader.federation.profile.name
    home = "/" if visitor is None else HOME[visitor.account.role]
    return page(
        template,
        status=status,
        visitor=visitor,
        home=home,
        federation=name,
        has_public=site.has_public,
        menu=() if visitor is None else MENU.get(visitor.account.role, ()),
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
