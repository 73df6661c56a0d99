"""Accounts of a web server for the tests, with a clock that is set and randomness that repeats."""

from __future__ import annotations

import base64
import re
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from html import unescape
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from pyotp import TOTP

from ratebook.web.gate.gate import Gate
from ratebook.web.gate.passwords import hashed
from ratebook.web.gate.vault import KEY_BYTES, Vault
from ratebook.web.gate.visitors import COOKIE, Visitor, digest_of, sign_in_as
from ratebook.web.store.accounts import Role, add_account, find_account, set_password, set_second_factor
from ratebook.web.store.opening import Store, open_store
from ratebook.web.store.sessions import find_session
from ratebook.web.store.tokens import Scope, add_token
from support.web.tried import keep_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar
    from litestar.testing import TestClient

PASSWORD = "correct horse battery staple"  # noqa: S105 - of accounts that tests make
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105 - as above
AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
ADDRESS = "https://ratings.example"
HOST = "ratings.example"
FROM_THIS_SITE = {"sec-fetch-site": "same-origin"}

_numbers: Iterator[int] = count()


class Clock:
    """Says what time it is; tests move it on."""

    def __init__(self) -> None:
        self.now = AT

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **time: float) -> None:
        self.now += timedelta(**time)


class Office(NamedTuple):
    """A gate and its clock."""

    gate: Gate
    clock: Clock

    def signed_in(self, name: str) -> Visitor:
        """Start a session of an account, as if its password had been given."""
        with self.gate.store.writing() as connection:
            account = find_account(connection, name)
            assert account is not None
            token = sign_in_as(connection, self.gate, account.id, "a browser")
            found = find_session(connection, digest_of(token), self.clock.now)
            assert found is not None
        return Visitor(account, found[0], token)

    def code(self) -> str:
        """Return the code of this moment."""
        return TOTP(SECRET).at(self.clock.now)


@cache
def stored_password() -> str:
    """Return the hash of the password of all accounts."""
    return hashed(PASSWORD, b"salt of the tests")


def vault_for_tests() -> Vault:
    """Return a vault whose key is in no file."""
    return Vault(Random(1).randbytes, key=base64.b64encode(bytes(KEY_BYTES)).decode())  # noqa: S311 - no secrets here


def office_in(place: Path | str) -> Office:
    """Make a store with accounts of each role, named like it, and one that is new in the office.

    At a path it is a copy of one that was made before, which takes a fifth of the time.
    """
    if isinstance(place, Path):
        place.write_bytes(_file_with_accounts())
    store = open_store(str(place))
    if not isinstance(place, Path):
        _add_accounts(store)
    clock = Clock()
    random_bytes = Random(next(_numbers)).randbytes  # noqa: S311 - repeats on purpose
    return Office(Gate(store, clock, random_bytes, vault_for_tests()), clock)


@cache
def _file_with_accounts() -> bytes:
    """Return the file of a store with the accounts."""
    with TemporaryDirectory() as folder:
        place = Path(folder, "web")
        with closing(open_store(str(place))) as store:
            _add_accounts(store)
        return place.read_bytes()


def _add_accounts(store: Store) -> None:
    for role in Role:
        add(store, role.value, role, with_second_factor=role is not Role.DIRECTOR)
    add(store, "new", Role.OFFICE, with_second_factor=False)
    add(store, "other", Role.DIRECTOR, with_second_factor=False)
    with store.writing() as connection:
        keep_all(connection, AT)


def add(store: Store, name: str, role: Role, *, with_second_factor: bool) -> None:
    """Add an account that has its password."""
    with store.writing() as connection:
        account = add_account(connection, name, role, "", (), AT)
        assert account is not None
        set_password(connection, account.id, stored_password())
        if with_second_factor:
            set_second_factor(connection, account.id, vault_for_tests().seal(SECRET, account.id), 0)


def token_of(
    office: Office, account: str, scopes: tuple[Scope, ...] = tuple(Scope), days: int = 90
) -> tuple[str, int]:
    """Add a token of an account; return it, and its number."""
    token = "rbk_" + office.gate.random(8).hex()
    with office.gate.store.writing() as connection:
        owner = find_account(connection, account)
        assert owner is not None
        digest = digest_of(token)
        number = add_token(connection, digest, owner.id, "tests", scopes, office.clock.now, days)
    return token, number


def bearing(token: str) -> dict[str, str]:
    """Return the header that a program sends with a token."""
    return {"authorization": f"Bearer {token}"}


PREVIEWS, SENT = "/director/previews", "/director/submissions"
FIELD = re.compile(r"<input[^>]*>")
KEY = re.compile(r'name="key" value="([^"]+)"')


class Director:
    """Asks for pages and sends forms as an account."""

    def __init__(self, client: TestClient[Litestar], office: Office, name: str) -> None:
        self.client = client
        self.visitor = office.signed_in(name)
        self.headers = {**FROM_THIS_SITE, "cookie": f"{COOKIE}={self.visitor.token}"}

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path, headers=self.headers)
        assert answer.status_code == status, path
        return answer.text

    def post(self, path: str, file: bytes | None = None, /, **form: str) -> str:
        """Send a form and return where it leads, or else the page that comes back."""
        files = None if file is None else {"file": ("report.json", file)}
        answer = self.client.post(
            path, data={"csrf": self.visitor.csrf, **form}, files=files, headers=self.headers
        )
        return answer.headers["location"] if answer.is_redirect else answer.text


class Typist(Director):
    """A director who fills in the forms in which a report is typed."""

    def shown(self, path: str) -> dict[str, str]:
        """Return what the inputs of a page hold, but for boxes that are not checked."""
        return fields_in(self.get(path))

    def sends(self, path: str, page: dict[str, str], **changed: str) -> str:
        """Send the form of a *page* with some fields changed, and return where it leads, or what comes back."""
        return self.post(urlsplit(path).path, None, **{"type": "swiss", **page, **changed})


def fields_in(page: str) -> dict[str, str]:
    """Return what the inputs of a page hold, but for boxes that are not checked."""
    fields: dict[str, str] = {}
    for tag in FIELD.findall(page):
        name, value = re.search(r' name="([^"]*)"', tag), re.search(r' value="([^"]*)"', tag)
        if name is None or ('type="checkbox"' in tag and "checked" not in tag):
            continue
        fields.setdefault(name[1], unescape(value[1]) if value is not None else "")
    return fields


def key_in(page: str) -> str:
    found = KEY.search(page)
    assert found is not None
    return found[1]


def number_in(address: str) -> int:
    return int(page_of(address).rpartition("/")[2])


def page_of(address: str) -> str:
    return address.partition("?")[0]
