"""One attempt to prove who one is, counted whether it succeeds or not; and what the forms for it ask."""

from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.findings import Finding, Place, finding
from ratebook.pages.columns import counted
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.passwords import HASHER, SALT_BYTES, hashed, is_password
from ratebook.web.gate.second_factor import as_recovery_code, step_of
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import (
    Account,
    find_account,
    recovery_codes_left,
    set_password,
    use_code,
    use_recovery_code,
)
from ratebook.web.store.log import LogKind, note
from ratebook.web.store.throttle import begin_attempt, end_attempt

WRONG, WAIT = 403, 429
MINUTE = 60
WHOSE = Input("whose", "Account", InputKind.HIDDEN, complete="username")
"""For programs that keep passwords."""
PASSWORD = Input("password", "Password", InputKind.PASSWORD, complete="current-password")
NEW_PASSWORD = Input(
    "password",
    "Password",
    InputKind.PASSWORD,
    "At least 8 characters; 15 or more are better. Several words that no one would guess are easy to remember.",
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
            return finding("password-not-given.wait", Place(input=where), wait=_wait_words(self.wait_seconds))
        return finding(code, Place(input=where))


def _wait_words(seconds: int) -> str:
    """Return how long one waits, in minutes where it is longer than one.

    >>> _wait_words(1), _wait_words(60), _wait_words(61), _wait_words(3139)
    ('1 second', '60 seconds', '2 minutes', '53 minutes')
    """
    return counted(seconds, "second") if seconds <= MINUTE else counted(-(-seconds // MINUTE), "minute")


def attempt(
    gate: Gate, name: str, password: str, code: str | None, address: str, kind: LogKind = LogKind.SIGNED_IN
) -> Attempt:
    """Check a name, a password and, unless *code* is None, the code of an account that has a second factor."""
    account, wait = _begun(gate, name, address)
    if wait:
        return Attempt(None, wait)
    right = is_password(password, None if account is None or account.disabled_at else account.password)
    with gate.store.writing() as connection:
        if not right or account is None:
            return _failed(connection, gate, account, address)
        needed = code is not None and account.secret is not None
        how = _counted_code(connection, gate, account, code or "") if needed else ""
        if how is None:
            return _failed(connection, gate, account, address)
        if account.password is not None and HASHER.check_needs_rehash(account.password):
            set_password(connection, account.id, hashed(password, gate.random(SALT_BYTES)))
        return _succeeded(connection, gate, account, address, kind, how)


def attempt_code(gate: Gate, account: Account, code: str, address: str) -> Attempt:
    """Check the code of an account that has a second factor, whose password was given just now."""
    _, wait = _begun(gate, account.name, address)
    if wait:
        return Attempt(None, wait)
    with gate.store.writing() as connection:
        how = _counted_code(connection, gate, account, code)
        if how is None:
            return _failed(connection, gate, account, address)
        return _succeeded(connection, gate, account, address, LogKind.CODE_GIVEN, how)


def _begun(gate: Gate, name: str, address: str) -> tuple[Account | None, int]:
    """Return the account of a name, and how many seconds it must wait: 0 where the attempt is heard."""
    now = gate.now()
    with gate.store.writing() as connection:
        until = begin_attempt(connection, name, address, now)
        account = find_account(connection, name)
        if until is not None:
            note(connection, LogKind.SIGN_IN_WAITS, _shown(account), now, address)
    return account, 0 if until is None else max(1, round((until - now).total_seconds()))


def _failed(connection: Connection, gate: Gate, account: Account | None, address: str) -> Attempt:
    note(connection, LogKind.SIGN_IN_REFUSED, _shown(account), gate.now(), address)
    return Attempt(None)


def _shown(account: Account | None) -> str:
    """Return whose attempt it was, as the log says it: what was typed may be a password."""
    return "no such account" if account is None else account.name


def _succeeded(
    connection: Connection, gate: Gate, account: Account, address: str, kind: LogKind, how: str
) -> Attempt:
    end_attempt(connection, account.name, address, gate.now())
    note(connection, kind, account.name, gate.now(), address, how)
    return Attempt(account)


def _counted_code(connection: Connection, gate: Gate, account: Account, code: str) -> str | None:
    """Use up a code of the app or of recovery; return what the log says of it, None where it is neither."""
    if account.secret is None:
        return None
    if use_recovery_code(connection, account.id, digest_of(as_recovery_code(code))):
        left = recovery_codes_left(connection, account.id)
        return f"with a recovery code; {counted(left, 'code')} left"
    step = step_of(code, gate.vault.open(account.secret, account.id), gate.now(), after=account.counter)
    return "" if step is not None and use_code(connection, account.id, step) else None
