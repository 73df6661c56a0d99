"""Answers to programs: JSON, and for collections CSV and ND-JSON, by ``Accept`` or by the ending of the address."""

import csv
import io
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias, TypeVar
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response
from litestar.datastructures import Headers, State
from litestar.datastructures.headers import Accept
from litestar.params import QueryParameter

from ratebook.findings import Place, finding
from ratebook.pages.columns import csv_cells, flat_cells
from ratebook.records.record import columns_of, plain
from ratebook.web.api.problems import RefusedRequest
from ratebook.web.running.root import below_root
from ratebook.wire import Items

Item = TypeVar("Item")
ApiRequest: TypeAlias = Request[Any, Any, State]

JSON, CSV, LINES = "application/json", "text/csv", "application/x-ndjson"
ENDINGS = {".json": JSON, ".csv": CSV, ".ndjson": LINES}
MOST_ITEMS = 200

Limit: TypeAlias = Annotated[
    int, QueryParameter(ge=1, le=MOST_ITEMS, description="The number of items, at most.")
]
NEXT = "The `next` of the previous part."
Cursor: TypeAlias = Annotated[str, QueryParameter(max_length=200, description=NEXT)]
NumberedCursor: TypeAlias = Annotated[str, QueryParameter(pattern="^[0-9]{0,15}$", description=NEXT)]
"""A place that is a number which a store can hold."""


def json_answer(
    value: object, status: int = 200, location: str = "", *, office: bool = False
) -> Response[Any]:
    """Return one thing as JSON, without what the office alone may see unless it is for the *office*.

    *location* is its address, where it was made just now.
    """
    headers = {"location": location} if location else {}
    content = msgspec.json.encode(plain(value, office=office))
    return Response(content, media_type=JSON, status_code=status, headers=headers)


def listed(
    request: ApiRequest, kind: type[Item], items: Sequence[Item], following: str | None = None
) -> Response[Any]:
    """Return a part of a collection in the format that is asked for; *following* is the cursor of the next part."""
    headers = {}
    if following is not None:
        url = request.url
        address = url.with_replacements(path=below_root(url.path), query=_query_with(request, following))
        headers["link"] = f'<{address}>; rel="next"'
    media_type = asked_format(request)
    if media_type == CSV:
        return Response(
            _as_csv(kind, items), media_type=f"{CSV}; charset=utf-8; header=present", headers=headers
        )
    if media_type == LINES:
        lines = b"".join(msgspec.json.encode(item) + b"\n" for item in plain(items))
        return Response(lines, media_type=LINES, headers=headers)
    return Response(msgspec.json.encode(Items(plain(items), following)), media_type=JSON, headers=headers)


def asked_format(request: ApiRequest) -> str:
    """Return the media type that a request for a collection asks for.

    Raises:
        RefusedRequest: there is none of those that it accepts (406).
    """
    for ending, media_type in ENDINGS.items():
        if request.scope["path"].endswith(ending):
            return media_type
    accepted = accepted_format(request.headers)
    if accepted is None:
        offered = f"{JSON}, {CSV} or {LINES}"
        raise RefusedRequest(406, finding("api-format-refused", Place(input="Accept"), offered=offered))
    return accepted


def accepted_format(headers: Headers) -> str | None:
    """Return the media type of collections that a request accepts best; None where it accepts none."""
    try:
        return Accept(headers.get("accept", "*/*")).best_match([JSON, CSV, LINES], default=None)
    except OverflowError:
        # Its weight was infinite.
        return None


def _query_with(request: ApiRequest, cursor: str) -> str:
    given = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    return urlencode([*given, ("cursor", cursor)])


def _as_csv(kind: type, items: Sequence[object]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns_of(kind))
    writer.writerows(csv_cells(flat_cells(kind, item)) for item in items)
    return text.getvalue().encode()
