"""Rows of signing in and of the own account."""

from __future__ import annotations

from support.web.accounts import PASSWORD
from support.web.routes.rows import AGAIN, BEFORE_SECOND_FACTOR, Row


def own(answer: int | str, *more: str, **form: str) -> Row:
    """Return the row of a route of the own account."""
    return Row("any account", "", answer, form, frozenset({BEFORE_SECOND_FACTOR, *more}))


ROUTES = {
    ("GET", "/sign-in"): Row("everyone"),
    ("POST", "/sign-in"): Row("everyone", "", "/director", {"name": "director", "password": PASSWORD}),
    ("POST", "/sign-out"): own("/sign-in"),
    ("GET", "/first-password/{link:str}"): Row("everyone", "/first-password/link"),
    ("POST", "/first-password/{link:str}"): Row("everyone", "/first-password/link", 422),
    ("GET", "/account"): own(200),
    ("POST", "/account/password"): own(422),
    ("POST", "/account/sessions/{number:int}/end"): own("/account"),
    ("GET", "/account/again"): own(200),
    ("POST", "/account/again"): own("/account", password=PASSWORD, onward_to="/account"),
    ("GET", "/account/second-factor"): own(200, AGAIN),
    ("POST", "/account/second-factor"): own(422, AGAIN),
    ("POST", "/account/recovery-codes"): own(422, AGAIN),
}
