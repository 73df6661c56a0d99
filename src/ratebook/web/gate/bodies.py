"""How much of a form is read: parsing one takes far longer than sending it, and no one else may wait for that."""

from typing import Any
from urllib.parse import parse_qsl

from anyio import to_thread
from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException, HTTPException

MOST_BODY_BYTES = 8 * 1024 * 1024
"""Of anything that is sent, files included."""
SMALL_BODY = 16 * 1024
"""Bytes that forms without files, of those who sign in or of the own account, stay below."""
MOST_BYTES = 1024 * 1024
"""Of any other form without files; those with files are sent in parts, which are not decoded."""
MOST_FIELDS = 20_000
"""A section of 500 players and 20 rounds has half as many."""
TOO_LARGE = 413
_FORM = "form"


async def form_of(request: Request[Any, Any, Any]) -> FormMultiDict:
    """Return the form that is the body of a request; what must be decoded is decoded in a thread.

    Raises:
        HTTPException: it has too many fields or bytes (413), or its text cannot be read (400).
    """
    kind, _ = request.content_type
    try:
        if kind != RequestEncodingType.URL_ENCODED:
            return await request.form()
        state = request.scope["state"]
        if _FORM not in state:
            state[_FORM] = await to_thread.run_sync(_decoded, await _small_body(request))
    except (LookupError, UnicodeError) as failure:
        raise ClientException("The encoding of the form is not understood.") from failure
    decoded: FormMultiDict = state[_FORM]
    return decoded


async def _small_body(request: Request[Any, Any, Any]) -> bytes:
    if (request.content_length or 0) > MOST_BYTES or len(body := await request.body()) > MOST_BYTES:
        raise HTTPException(
            status_code=TOO_LARGE, detail=f"A form without files has at most {MOST_BYTES:,} bytes."
        )
    if body.count(b"&") >= MOST_FIELDS:
        raise HTTPException(status_code=TOO_LARGE, detail=f"A form has at most {MOST_FIELDS:,} fields.")
    return body


def _decoded(body: bytes) -> FormMultiDict:
    return FormMultiDict(parse_qsl(body.decode(), keep_blank_values=True))
