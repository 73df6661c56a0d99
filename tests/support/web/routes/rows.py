"""What a row of the matrix of rights says."""

from __future__ import annotations

from typing import NamedTuple

SIGN_IN, HIDDEN, REFUSED = "/sign-in", 404, 403
LET_IN = object()
"""The answer of the route itself."""

ROLES = {
    # who may:         nobody   director  office    administrator
    "everyone":       (LET_IN,  LET_IN,   LET_IN,   LET_IN),
    "any account":    (SIGN_IN, LET_IN,   LET_IN,   LET_IN),
    "director":       (SIGN_IN, LET_IN,   LET_IN,   REFUSED),
    "own":            (SIGN_IN, LET_IN,   HIDDEN,   REFUSED),
    "office":         (SIGN_IN, HIDDEN,   LET_IN,   REFUSED),
    "office or administrator": (SIGN_IN, HIDDEN, LET_IN, LET_IN),
    "administrator":  (SIGN_IN, HIDDEN,   HIDDEN,   LET_IN),
}  # fmt: skip
"""WEB section 4.3: what each role gets."""
COLUMNS = ("nobody", "director", "office", "administrator")
AGAIN = "asks for the password again"
BEFORE_SECOND_FACTOR = "also before the second factor is set up"
FILE = "a file, no page"


class Row(NamedTuple):
    """A route: who may, an address, what the form holds, and the answer to whom it lets in."""

    who: str
    address: str = ""
    answer: int | str = 200
    form: dict[str, str] = {}  # noqa: RUF012 - never changed
    marks: frozenset[str] = frozenset()
