"""One attempt to prove who one is, counted whether it succeeds or not; and what the forms for it ask."""

from datetime import datetime
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.findings import Finding, finding
from ratebook.pages.columns import counted
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.passwords import HASHER, SALT_BYTES, hashed, is_password
from ratebook.web.gate.second_factor import step_of
from ratebook.web.store.accounts import Account, find_account, set_password, use_code
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.throttle import begin_attempt, end_attempt

WRONG, WAIT = 403, 429
WHOSE = Input("whose", "Account", InputKind.HIDDEN, complete="username")
"""For programs that keep passwords."""
PASSWORD = Input("password", "Password", InputKind.PASSWORD, complete="current-password")
NEW_PASSWORD = Input(
    "password",
    "Password",
    InputKind.PASSWORD,
    "At least 8 characters; 15 or more are better. A few words that no one would guess are easy to remember.",
    complete="new-password",
)
CODE = Input("code", "Code", complete="one-time-code")
ONWARD_TO = Input("onward_to", "Page to go to", InputKind.HIDDEN)


class Attempt(NamedTuple):
    """How an attempt went.

    Attributes:
        account: who it was; None where anything of it was wrong.
        wait_seconds: until the next one is heard; 0 where this one was.
    """

    account: Account | None
    wait_seconds: int = 0

    @property
    def status(self) -> int:
        """Return the status of the answer where it did not go well."""
        return WAIT if self.wait_seconds else WRONG

    def mistake(self, code: str, where: str) -> Finding:
        """Return what is said then: that one must wait, or the finding of *code*."""
        if self.wait_seconds:
            return finding("password-not-given.wait", where, wait=counted(self.wait_seconds, "second"))
        return finding(code, where)


def attempt(
    gate: Gate, name: str, password: str, code: str | None, address: str, kind: LogKind = LogKind.SIGNED_IN
) -> Attempt:
    """Check a name, a password and, unless *code* is None, the code of an account that has a second factor.

    Raises:
        BookError: the store fails.
    """
    now = gate.now()
    with gate.store.writing() as connection:
        until = begin_attempt(connection, name, address, now)
        found = find_account(connection, name)
    if until is not None:
        return Attempt(None, max(1, round((until - now).total_seconds())))
    right = is_password(password, None if found is None or found.disabled_at else found.password)
    with gate.store.writing() as connection:
        if right and found is not None and (code is None or _code_counts(connection, found, code, now)):
            end_attempt(connection, name, address, now)
            if found.password is not None and HASHER.check_needs_rehash(found.password):
                set_password(connection, found.id, hashed(password, gate.random(SALT_BYTES)))
            note(connection, kind, found.name, now, address)
            return Attempt(found)
        said = "no such account" if found is None else found.name
        note(connection, LogKind.SIGN_IN_REFUSED, said, now, address)
    return Attempt(None)


def _code_counts(connection: Connection, account: Account, code: str, now: datetime) -> bool:
    if account.secret is None:
        return True
    step = step_of(code, account.secret, now, after=account.counter)
    return step is not None and use_code(connection, account.id, step)
