"""Declaring what programs can ask: the addresses, the formats, and what the description says of them."""

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from litestar import get, post, route
from litestar.enums import HttpMethod
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Operation

from ratebook.web.api.answers import ENDINGS
from ratebook.web.api.problems import MEDIA_TYPE as PROBLEM
from ratebook.web.api.problems import TAKES, parameters_of
from ratebook.web.gate.turns import in_turn
from ratebook.web.routing import KEPT, NEEDS, READS, SCOPE, Declares, Needs, asked_by, declaring
from ratebook.web.store.tokens import Scope
from ratebook.wire import Problem

PREFIX = "/api/v1"

PROBLEMS = {
    400: "A parameter is wrong or missing.",
    404: "The book does not have it.",
    406: "There is no answer in an accepted format.",
    422: "A parameter is unknown, or the report is not accepted.",
    429: "There were too many requests.",
    503: "The store is busy, or a re-rating is pending.",
}


FILE = "application/octet-stream"


def resource(path: str, *, of_bytes: bool = False, lasting: bool = False) -> Declares:
    """Declare one thing that programs can read as JSON, or a file; the docstring says what it is.

    What is *lasting* never changes, whatever the book does: its handler answers conditional requests itself.
    """
    whole = ResponseSpec(bytes, generate_examples=False, description="The file.", media_type=FILE)
    answers = {200: whole} if of_bytes else {}
    return declaring(lambda function: _whole(path, function, answers, lasting=lasting))


NO_OTHERS: Mapping[int, ResponseSpec] = MappingProxyType({})


def collection(path: str) -> Declares:
    """Declare a collection, as JSON, CSV or ND-JSON; for those who can only type an address its ending says which.

    An address that ends with a value has no such endings: they would be part of it.
    """
    endings = () if path.endswith("}") else tuple(ENDINGS)

    def routes(function: Callable[..., Any]) -> tuple[HTTPRouteHandler, ...]:
        # A handler of several addresses would be wrapped in a thread for each.
        by_ending = (
            route(
                PREFIX + path + ending,
                http_method=READS,
                opt=_opt(function),
                sync_to_thread=True,
                include_in_schema=False,
            )(function)
            for ending in endings
        )
        return (*_whole(path, function), *by_ending)

    return declaring(routes)


def _whole(
    path: str,
    function: Callable[..., Any],
    answers: Mapping[int, ResponseSpec] = NO_OTHERS,
    *,
    lasting: bool = False,
) -> tuple[HTTPRouteHandler, ...]:
    """Return the handler that the description has, and the one for HEAD, which it need not have."""
    described = get(
        PREFIX + path,
        opt=_opt(function, lasting=lasting),
        sync_to_thread=True,
        include_in_schema=True,
        summary=summary_of(function),
        responses={**_problems(PROBLEMS), **answers},
    )
    plain = route(
        PREFIX + path,
        http_method=HttpMethod.HEAD,
        opt=_opt(function, lasting=lasting),
        sync_to_thread=True,
        include_in_schema=False,
    )
    return described(function), plain(function)


def summary_of(function: Callable[..., Any]) -> str:
    """Return what the description says of an operation: the first sentence of its docstring."""
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def _opt(function: Callable[..., Any], *, lasting: bool = False) -> dict[str, Any]:
    declared = {NEEDS: Needs.NOBODY, TAKES: parameters_of(function)}
    return declared if lasting else declared | {KEPT: asked_by(function)}


OF_TOKENS = {
    401: "There is no valid token.",
    403: "The token, or its account, may not do this.",
    409: "The same report is already being processed.",
    413: "The body is too large.",
    429: "There were too many requests.",
}
OF_BODIES = {415: "The body is encoded."}
SECURITY = "token"
"""The name of the security scheme in the description."""


def asked_with(scope: Scope, path: str, *, costly: bool = False) -> Declares:
    """Declare what a program with a token reads; where a sender can make it *costly*, it waits for its turn."""

    def routes(function: Callable[..., Any]) -> tuple[HTTPRouteHandler, ...]:
        answer = get(
            PREFIX + path,
            opt={NEEDS: Needs.PROGRAM, SCOPE: scope.value, TAKES: parameters_of(function)},
            sync_to_thread=None if costly else True,
            include_in_schema=True,
            summary=summary_of(function),
            security=[{SECURITY: []}],
            responses=_problems(PROBLEMS | OF_TOKENS),
        )
        return (answer(in_turn(function) if costly else function),)

    return declaring(routes)


def sent_with(
    scope: Scope, path: str, operation: type[Operation], status: int, unsaid: Callable[..., Any]
) -> Declares:
    """Declare what a program with a token sends; it waits for its turn. *unsaid* takes what no body says."""

    def routes(function: Callable[..., Any]) -> tuple[HTTPRouteHandler, ...]:
        answer = post(
            PREFIX + path,
            opt={NEEDS: Needs.PROGRAM, SCOPE: scope.value, TAKES: parameters_of(unsaid, function)},
            status_code=status,
            include_in_schema=True,
            summary=summary_of(function),
            operation_class=operation,
            security=[{SECURITY: []}],
            responses=_problems(PROBLEMS | OF_TOKENS | OF_BODIES),
        )
        return (answer(in_turn(function)),)

    return declaring(routes)


def _problems(words: Mapping[int, str]) -> dict[int, ResponseSpec]:
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=says, media_type=PROBLEM)
        for status, says in words.items()
    }
