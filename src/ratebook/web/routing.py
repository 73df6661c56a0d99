"""Declaring pages: every route says whom it is for, and the tests of rights go through all of them."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeAlias

from litestar import get, post
from litestar.handlers import HTTPRouteHandler

NEEDS = "needs"
"""Where a route keeps whom it is for."""
KEPT = "kept"
"""Set for pages that are the same for everybody, and so are made once and kept."""
AGAIN = "again"
"""Set for routes before which the password must have been given just now."""
INCOMPLETE = "incomplete"
"""Set for routes that an account reaches before it has its second factor."""


class Needs(StrEnum):
    """The least that a visitor must be; `ratebook.web.gate.guard.MAY` says which roles are that."""

    NOBODY = "nobody"
    ACCOUNT = "account"
    DIRECTOR = "director"
    OFFICE = "office"
    ADMINISTRATOR = "administrator"


Declares: TypeAlias = Callable[[Callable[..., Any]], HTTPRouteHandler]


def public(*paths: str) -> Declares:
    """Declare a page that anyone may read; it runs in a thread, since reading a book blocks."""
    return get(list(paths), opt={NEEDS: Needs.NOBODY, KEPT: True}, sync_to_thread=True)


def shown_to(needs: Needs, *paths: str, again: bool = False, incomplete: bool = False) -> Declares:
    """Declare a page that is made anew for each visitor, and changes nothing."""
    return get(list(paths), opt={NEEDS: needs, AGAIN: again, INCOMPLETE: incomplete}, sync_to_thread=True)


def done_by(needs: Needs, *paths: str, again: bool = False, incomplete: bool = False) -> Declares:
    """Declare what a form does; it answers with a page, or sends the browser to one."""
    return post(
        list(paths),
        opt={NEEDS: needs, AGAIN: again, INCOMPLETE: incomplete},
        sync_to_thread=True,
        status_code=200,
    )
