"""Declaring what programs can ask: the addresses, the formats, and what the description says of them."""

from collections.abc import Callable
from typing import Any, TypeAlias

from litestar import route
from litestar.handlers import HTTPRouteHandler

from ratebook.web.api.answers import ENDINGS
from ratebook.web.routing import KEPT, NEEDS, READS, Needs, asked_by

PREFIX = "/api/v1"

Handlers: TypeAlias = tuple[HTTPRouteHandler, ...]
Declares: TypeAlias = Callable[[Callable[..., Any]], Handlers]


def resource(path: str, says: str) -> Declares:
    """Declare one thing that programs can read as JSON."""
    return lambda function: (_declared(path, says, function),)


def collection(path: str, says: str) -> Declares:
    """Declare a collection, as JSON, CSV or ND-JSON; for those who can only type an address its ending says which."""

    def declared(function: Callable[..., Any]) -> Handlers:
        # A handler of several addresses would be wrapped in a thread for each.
        by_ending = (_declared(path + ending, says, function, described=False) for ending in ENDINGS)
        return (_declared(path, says, function), *by_ending)

    return declared


def _declared(
    path: str, says: str, function: Callable[..., Any], *, described: bool = True
) -> HTTPRouteHandler:
    declares = route(
        PREFIX + path,
        http_method=READS,
        opt={NEEDS: Needs.NOBODY, KEPT: asked_by(function)},
        sync_to_thread=True,
        include_in_schema=described,
        summary=says,
    )
    return declares(function)
