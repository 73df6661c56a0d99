"""Declaring pages: every route says whom it is for, and the tests of rights go through all of them."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeAlias

from litestar import get
from litestar.handlers import HTTPRouteHandler

NEEDS = "needs"
"""Where a route keeps whom it is for."""
KEPT = "kept"
"""Set for pages that are the same for everybody, and so are made once and kept."""


class Needs(StrEnum):
    """The least that a visitor must be."""

    NOBODY = "nobody"
    DIRECTOR = "director"
    OFFICE = "office"
    ADMINISTRATOR = "administrator"


Declares: TypeAlias = Callable[[Callable[..., Any]], HTTPRouteHandler]


def public(*paths: str) -> Declares:
    """Declare a page that anyone may read; it runs in a thread, since reading a book blocks."""
    return get(list(paths), opt={NEEDS: Needs.NOBODY, KEPT: True}, sync_to_thread=True)
