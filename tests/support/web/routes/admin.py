"""Rows of what the administrator does."""

from __future__ import annotations

from support.web.routes.rows import AGAIN, Row

ACCOUNTS, TOKENS, SESSIONS = "/admin/accounts", "/admin/tokens", "/admin/sessions"
NUMBER = "{number:int}"
NONE = "99999"
DIRECTOR = f"{ACCOUNTS}/1"


def kept(address: str = "", answer: int = 200) -> Row:
    """Return a row before which the password is asked for again; forms are empty, and so refused."""
    return Row("administrator", address, answer, marks=frozenset({AGAIN}))


ROUTES = {
    ("GET", "/admin"): Row("administrator"),
    ("GET", ACCOUNTS): Row("administrator"),
    ("GET", f"{ACCOUNTS}/new"): kept(),
    ("POST", f"{ACCOUNTS}/new"): kept(answer=422),
    ("GET", f"{ACCOUNTS}/{NUMBER}"): kept(DIRECTOR),
    ("POST", f"{ACCOUNTS}/{NUMBER}/change"): kept(f"{DIRECTOR}/change", 422),
    ("POST", f"{ACCOUNTS}/{NUMBER}/reset"): kept(f"{DIRECTOR}/reset", 422),
    ("POST", f"{ACCOUNTS}/{NUMBER}/disable"): kept(f"{DIRECTOR}/disable", 422),
    ("GET", TOKENS): Row("administrator"),
    ("GET", f"{TOKENS}/new"): kept(),
    ("POST", f"{TOKENS}/new"): kept(answer=422),
    ("POST", f"{TOKENS}/{NUMBER}/revoke"): Row("administrator", f"{TOKENS}/{NONE}/revoke", 404),
    ("GET", SESSIONS): Row("administrator"),
    ("POST", f"{SESSIONS}/{NUMBER}/end"): Row("administrator", f"{SESSIONS}/{NONE}/end", 404),
    ("GET", "/admin/log"): Row("administrator"),
    ("GET", "/admin/profile"): kept(),
    ("POST", "/admin/profile"): kept(answer=422),
    ("POST", "/admin/profile/face/try"): kept(answer=422),
    ("POST", "/admin/profile/face"): kept(answer=422),
    ("GET", "/admin/rules"): kept(),
    ("POST", "/admin/rules"): kept(answer=422),
    ("POST", "/admin/rules/try"): kept(answer=422),
    ("GET", "/admin/copies"): kept(),
    ("POST", "/admin/copies/backup"): kept(),
    ("POST", "/admin/copies/export"): kept(),
}
