"""How much of a form is read: parsing one takes far longer than sending it, and no one else is served meanwhile."""

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException, HTTPException

SMALL_BODY = 16 * 1024
"""Bytes that forms without files, of those who sign in or of the own account, stay below."""
MOST_FIELDS = 20_000
"""A section of 500 players and 20 rounds has half as many."""
TOO_LARGE = 413


async def form_of(request: Request[Any, Any, Any]) -> FormMultiDict:
    """Return the form that is the body of a request.

    Raises:
        HTTPException: it has too many fields (413), or its text cannot be read (400).
    """
    kind, _ = request.content_type
    if kind == RequestEncodingType.URL_ENCODED and (await request.body()).count(b"&") >= MOST_FIELDS:
        raise HTTPException(status_code=TOO_LARGE, detail=f"A form has at most {MOST_FIELDS:,} fields.")
    try:
        return await request.form()
    except (LookupError, UnicodeError) as failure:
        raise ClientException("The encoding of the form is not understood.") from failure
