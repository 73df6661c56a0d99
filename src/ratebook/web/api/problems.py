"""What went wrong, for programs: RFC 9457, with the code and the remedy of the finding."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from litestar import Request, Response

from ratebook.findings import Finding
from ratebook.web.findings import remedy_on_page
from ratebook.wire import Problem, SaidFinding

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/"


def said(findings: Iterable[Finding]) -> list[SaidFinding]:
    """Return findings as programs read them."""
    return [
        SaidFinding(one.code, one.severity, one.where, one.message, remedy_on_page(one)) for one in findings
    ]


def is_for_program(request: Request[Any, Any, Any]) -> bool:
    """Return whether a program asks."""
    return request.scope["path"].startswith(PREFIX)


def problem(
    request: Request[Any, Any, Any],
    status: int,
    title: str,
    detail: str,
    finding: Finding | None = None,
    findings: Iterable[Finding] = (),
) -> Response[Any]:
    """Return the answer that says what went wrong."""
    body = Problem(
        type="about:blank" if finding is None else f"/docs/findings#{finding.code}",
        title=title,
        status=status,
        detail=detail if finding is None else f"{finding.where}: {finding.message}",
        instance=request.scope["path"],
        code="" if finding is None else finding.code,
        remedy="" if finding is None else remedy_on_page(finding),
        findings=said(findings),
    )
    return Response(msgspec.json.encode(body), media_type=MEDIA_TYPE, status_code=status)


def unknown_parameters(path: str, unknown: Sequence[str]) -> bytes:
    """Return the body that says which parts of a query are not known."""
    detail = f"Not known here: {', '.join(unknown)}."
    return msgspec.json.encode(Problem("about:blank", "A wrong question", 422, detail, path))
