"""What went wrong, for programs: RFC 9457, with the code and the remedy of the finding."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from enum import Enum
from inspect import Signature, signature
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from ratebook.findings import Finding, Place, finding
from ratebook.records.reports import said
from ratebook.wire import Problem

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/"
TAKES = "takes"
"""Where a route keeps what its parameters take."""
NOTHING_TAKEN: Mapping[str, "QueryOrHeader"] = {}
NOT_READ = "api-request-unreadable"
OF_STATUS = {
    403: "api-refused",
    404: "api-address-unknown",
    413: "api-body-too-large",
    414: "api-address-too-long",
}
"""The findings of statuses that need no further detail."""
TITLES = {
    400: "This address is not understood",
    401: "A token is needed",
    403: "This is not open to you",
    404: "There is nothing here",
    405: "This cannot be done here",
    406: "This format is not available",
    409: "Something has changed meanwhile",
    413: "This is too large",
    414: "This address is too long",
    415: "This encoding is not supported",
    422: "This was not accepted",
    429: "Too many requests",
    503: "Not available right now",
}


class RefusedRequest(HTTPException):
    """A request of a program that is refused by a finding."""

    def __init__(self, status: int, reason: Finding, headers: dict[str, str] | None = None) -> None:
        super().__init__(status_code=status, detail=reason.message, headers=headers)
        self.finding = reason


class QueryOrHeader(NamedTuple):
    """A parameter by its name in requests, what it takes, in words, and whether an operation needs it."""

    name: str
    allowed: str
    needed: bool = False


def parameters_of(*functions: Callable[..., Any]) -> dict[str, QueryOrHeader]:
    """Return what functions take from addresses and headers, by the names of their arguments."""
    return {
        name: QueryOrHeader(
            source.name or name,
            allowed_words(kind, source),
            isinstance(source, HeaderParameter)
            and signature(function).parameters[name].default is Signature.empty,
        )
        for function in functions
        for name, hint in get_type_hints(function, include_extras=True).items()
        for kind, *others in [get_args(hint) or (hint,)]
        for source in others
        if isinstance(source, SOURCES)
    }


SOURCES = (QueryParameter, PathParameter, HeaderParameter)


def allowed_words(  # noqa: PLR0911 - a line for each type
    kind: type, limits: QueryParameter | PathParameter | HeaderParameter
) -> str:
    """Return in words what a parameter of a type and with such limits takes.

    >>> allowed_words(int, QueryParameter(ge=1, le=200)), allowed_words(str, QueryParameter(max_length=40))
    ('a whole number from 1 to 200', 'a text of at most 40 characters')
    """
    first = next(part for part in (*get_args(kind), kind) if part is not NoneType)
    if get_origin(first) is list:
        return f"at most {limits.max_items} texts"
    if issubclass(first, Enum):
        return f"one of {', '.join(str(member.value) for member in first)}"
    if issubclass(first, bool):
        return "true or false"
    if issubclass(first, int):
        return f"a whole number from {limits.ge} to {limits.le}" if limits.le else "a whole number"
    if issubclass(first, date):
        return "a day, such as 2026-11-22"
    if limits.pattern and limits.description:
        return limits.description[0].lower() + limits.description[1:].rstrip(".")
    least = f"{limits.min_length} to" if limits.min_length else "at most"
    return f"a text of {least} {limits.max_length} characters" if limits.max_length else "a text"


class Refusal(NamedTuple):
    """A finding about a request, and the parameter that it is about, if it is about one."""

    finding: Finding
    parameter: QueryOrHeader | None = None


def is_for_program(request: Request[Any, Any, Any]) -> bool:
    """Return whether a program asks."""
    return request.scope["path"].startswith(PREFIX)


def problem(request: Request[Any, Any, Any], status: int, *refusals: Refusal) -> Response[Any]:
    """Return the answer that says what went wrong; the first of *refusals* gives code and remedy."""
    body = problem_body(request.scope["path"], status, *refusals)
    return Response(body, media_type=MEDIA_TYPE, status_code=status)


def problem_body(path: str, status: int, *refusals: Refusal) -> bytes:
    """Return the body of the answer that says what went wrong at a *path*."""
    first, parameter = refusals[0]
    return msgspec.json.encode(
        Problem(
            type=f"/docs/findings#{first.code}",
            title=TITLES.get(status, "Something went wrong"),
            status=status,
            detail=first.message if parameter is not None else f"{first.where}: {first.message}",
            instance=path,
            code=first.code,
            remedy=first.on_page,
            parameter="" if parameter is None else parameter.name,
            allowed="" if parameter is None else parameter.allowed,
            findings=said((refusal.finding for refusal in refusals), attrgetter("on_page")),
        )
    )


def refusals_of(request: Request[Any, Any, Any], failure: HTTPException) -> list[Refusal]:
    """Return what is wrong with a request that the server does not take."""
    where = f"{request.method} {request.scope['path']}"
    if isinstance(failure, RefusedRequest):
        return [Refusal(failure.finding)]
    if failure.status_code == 405:  # noqa: PLR2004 - the status of HTTP
        allowed = (failure.headers or {}).get("allow", "GET")
        return [
            Refusal(
                finding("api-method-refused", Place(subject=where), method=request.method, allowed=allowed)
            )
        ]
    handler = request.scope.get("route_handler")
    takes: Mapping[str, QueryOrHeader] = (
        NOTHING_TAKEN if handler is None else handler.opt.get(TAKES, NOTHING_TAKEN)
    )
    wrong = failure.extra if isinstance(failure.extra, list) else []
    keys = [detail["key"] for detail in wrong if isinstance(detail, dict) and detail.get("key") in takes]
    refusals = [_refusal("api-parameter-wrong", takes[key]) for key in keys]
    if not refusals and isinstance(failure, ValidationException):
        present = {*request.query_params, *request.headers}
        missing = (
            parameter
            for parameter in takes.values()
            if parameter.needed and parameter.name.lower() not in present
        )
        refusals = [_refusal("api-parameter-missing", parameter) for parameter in missing]
    return refusals or [Refusal(finding(OF_STATUS.get(failure.status_code, NOT_READ), Place(subject=where)))]


def _refusal(code: str, parameter: QueryOrHeader) -> Refusal:
    name, allowed, _ = parameter
    return Refusal(finding(code, Place(input=name), parameter=name, allowed=allowed), parameter)


def unknown_parameters(path: str, unknown: Iterable[str], known: Iterable[str]) -> bytes:
    """Return the body that says which parts of a query are not known."""
    names = ", ".join(sorted(known)) or "none"
    return problem_body(
        path,
        422,
        *(
            Refusal(finding("api-parameter-unknown", Place(input=name), parameter=name, known=names))
            for name in unknown
        ),
    )
