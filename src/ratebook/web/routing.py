"""Declaring pages: every route says whom it is for, and the tests of rights go through all of them.

Ids are parts of addresses, whatever letters they have. A server decodes an address before it is routed, so that a slash
in an id would part it: `WholeParts` keeps such parts together until a route is found, and `DecodedParts` gives handlers
the id.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from importlib import import_module
from itertools import chain
from pkgutil import walk_packages
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar, cast, get_type_hints
from urllib.parse import quote, unquote, urlencode

from litestar import get, post, route
from litestar.enums import HttpMethod, ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.params import QueryParameter
from litestar.types import ASGIApp, Empty, Receive, Scope, Send

from ratebook.web.gate.bodies import SMALL_BODY
from ratebook.web.gate.turns import in_turn

NEEDS = "needs"
"""Where a route keeps whom it is for."""
KEPT = "kept"
"""Where a page that is the same for all readers, and is made once and kept, has the names that its query may have."""
NO_NUMBER = 2**31
"""Numbers in addresses are smaller: a store could not even be asked for others."""
READS = (HttpMethod.GET, HttpMethod.HEAD)
AGAIN = "again"
"""Set for routes before which the password must have been given just now."""
SCOPE = "scope"
"""Where a route for programs with a token keeps what the token must allow."""
Number: TypeAlias = Annotated[int, QueryParameter(ge=0, lt=NO_NUMBER)]
"""Of an entry, in a query."""
PageNumber: TypeAlias = Annotated[int, QueryParameter(name="page", ge=1, le=10_000)]
"""Of a long table; what is further back is found by asking for less."""
INCOMPLETE = "incomplete"
"""Set for routes that an account reaches before it has its second factor."""
LASTING = "lasting"
"""Set for forms in which much is typed: what is sent after the session's end is done when its account is back.

Other forms are shown again then (`ratebook.web.interrupted`).
"""
RETURNED = "returned"
"""Asks a page to show a form again that was sent after the session's end: its number."""


class Needs(StrEnum):
    """The least that a visitor must be; `ratebook.web.gate.guard.MAY` says which roles are that."""

    NOBODY = "nobody"
    PROGRAM = "program"
    ACCOUNT = "account"
    DIRECTOR = "director"
    OFFICE = "office"
    STAFF = "office or administrator"
    ADMINISTRATOR = "administrator"


Function = TypeVar("Function", bound=Callable[..., Any])


class Declares(Protocol):
    """Declares a function as a handler, and leaves it as it is: others answer with its page by calling it."""

    def __call__(self, function: Function, /) -> Function:
        """Return the *function*."""


_DECLARED: dict[Callable[..., Any], tuple[HTTPRouteHandler, ...]] = {}


def declaring(routes_of: Callable[[Callable[..., Any]], tuple[HTTPRouteHandler, ...]]) -> Declares:
    """Return what declares functions as the handlers that *routes_of* makes of them."""

    def declared(function: Function) -> Function:
        _DECLARED[function] = routes_of(function)
        return function

    return declared


def public(*paths: str) -> Declares:
    """Declare a page that anyone may read; it runs in a thread, since reading a book blocks."""

    def routes(function: Callable[..., Any]) -> tuple[HTTPRouteHandler, ...]:
        opt = {NEEDS: Needs.NOBODY, KEPT: asked_by(function)}
        page = route(list(paths), http_method=READS, opt=opt, sync_to_thread=True, include_in_schema=False)
        return (page(function),)

    return declaring(routes)


def asked_by(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names that a handler takes from the query of an address."""
    hints = get_type_hints(function, include_extras=True)
    parameters = {
        name: parameter
        for name, hint in hints.items()
        for parameter in getattr(hint, "__metadata__", ())
        if isinstance(parameter, QueryParameter)
    }
    return frozenset(parameter.name or name for name, parameter in parameters.items())


def shown_to(
    needs: Needs, *paths: str, again: bool = False, incomplete: bool = False, costly: bool = False
) -> Declares:
    """Declare a page that is made anew for each visitor, and changes nothing.

    Where a sender can make it *costly*, it waits for its turn (`ratebook.web.gate.turns`).
    """
    page = get(
        list(paths),
        opt={NEEDS: needs, AGAIN: again, INCOMPLETE: incomplete},
        sync_to_thread=None if costly else True,
        include_in_schema=False,
    )
    return declaring(lambda function: (page(in_turn(function) if costly else function),))


def done_by(
    needs: Needs,
    *paths: str,
    again: bool = False,
    incomplete: bool = False,
    costly: bool = False,
    lasting: bool = False,
) -> Declares:
    """Declare what a form does; it answers with a page, or sends the browser to one (*costly*: as `shown_to`).

    A *lasting* form is one in which much is typed: what is sent after the session's end is done later.
    """
    form = post(
        list(paths),
        opt={NEEDS: needs, AGAIN: again, INCOMPLETE: incomplete, LASTING: lasting},
        sync_to_thread=None if costly else True,
        status_code=200,
        include_in_schema=False,
        request_max_body_size=SMALL_BODY if needs in {Needs.NOBODY, Needs.ACCOUNT} else Empty,
    )
    return declaring(lambda function: (form(in_turn(function) if costly else function),))


_DECODED = "ratebook_decoded"


def part(text: str) -> str:
    """Return a text as one part of an address.

    >>> part("2026/3"), part("90000012")
    ('2026%2F3', '90000012')
    """
    return text if text.isalnum() and text.isascii() else quote(text, safe="")


class Address(str):
    """The address of pages as their route has it; called with the values of its parts, the address of one page.

    >>> PLAYER = Address("/players/{member:str}/against/{other:str}")
    >>> PLAYER("90000012", "2026/3", page=2, system=None)
    '/players/90000012/against/2026%2F3?page=2'
    >>> Address("")(q="", page=2)
    '?page=2'
    """

    __slots__ = ()

    def __call__(self, *values: object, **query: object) -> str:
        """Return the address of the page with these *values*; what is None or empty in the *query* is left out."""
        path = _form_of(self).format(*(part(str(value)) for value in values))
        asked = {name: value for name, value in query.items() if value not in {None, ""}}
        return f"{path}?{urlencode(asked)}" if asked else path


_PART = re.compile(r"\{[a-z_]+:[a-z]+\}")


@cache
def _form_of(address: Address) -> str:
    return _PART.sub("{}", address)


class WholeParts:
    """Leaves slashes and percent signs in the parts of an address encoded until it is routed, and empty fields away."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Route a request."""
        raw = scope.get("raw_path", b"") if scope["type"] == ScopeType.HTTP else b""
        if b"%25" in raw or b"%2f" in raw.lower():
            parts = raw.partition(b"?")[0].decode("latin-1").split("/")
            scope["path"] = "/".join(map(_kept_whole, parts))
            cast("dict[str, object]", scope)[_DECODED] = False
        query = scope.get("query_string", b"")
        if b"=&" in query or query.endswith(b"="):
            # A browser sends every field of a form: what was left empty is not asked. Fields of the same name are rows,
            # of which each has its place.
            fields = [pair.partition(b"=") for pair in query.split(b"&")]
            several = Counter(name for name, _, _ in fields)
            kept = [b"".join(field) for field in fields if field[2] or several[field[0]] > 1]
            scope["query_string"] = b"&".join(kept)
        await self._app(scope, receive, send)


class DecodedParts(ASGIMiddleware):
    """Gives handlers the parts of an address as they are meant, after it was routed."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Decode what `WholeParts` left."""
        if cast("dict[str, object]", scope).get(_DECODED) is False:
            scope["path_params"] = {
                name: value.replace("%2F", "/").replace("%25", "%") if isinstance(value, str) else value
                for name, value in scope["path_params"].items()
            }
        await next_app(scope, receive, send)


def _kept_whole(text: str) -> str:
    return unquote(text).replace("%", "%25").replace("/", "%2F")


def routes_of(
    package: str, path: Iterable[str], *, without: tuple[str, ...] = ()
) -> tuple[HTTPRouteHandler, ...]:
    """Return the handlers that the modules of a package declare, those *without* left out."""
    names = {
        module.name
        for module in walk_packages(path, f"{package}.")
        if not module.name.removeprefix(f"{package}.").startswith(without)
    }
    for name in sorted(names):
        import_module(name)
    return tuple(chain.from_iterable(map(handlers_of, (one for one in _DECLARED if one.__module__ in names))))


def handlers_of(function: Callable[..., Any]) -> tuple[HTTPRouteHandler, ...]:
    """Return the handlers as which a function is declared."""
    return _DECLARED[function]
