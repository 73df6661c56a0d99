"""``ratebook web``: accounts and tokens from the machine, and a server that is started and asked."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import click
import pytest
from litestar.testing import TestClient

from ratebook.book.connection import Actor, open_book
from ratebook.book.figures.federation import activity_since
from ratebook.book.ledger.lists import published_months
from ratebook.book.ledger.pending import read_pending
from ratebook.book.profile import Profile, read_federation
from ratebook.book.submissions import Status, read_submission
from ratebook.cli.web.demo import WRONG_ID, held_back, make_book
from ratebook.cli.web.group import COMMANDS, Places, Serving, web_group
from ratebook.cli.web.serving import opened
from ratebook.cli.web.session import random_bytes
from ratebook.demo.build import build_federation
from ratebook.office.creation import create_book
from ratebook.pages.member import history_page, member_page
from ratebook.web.gate.passwords import is_password
from ratebook.web.gate.vault import Vault
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import find_account, set_second_factor
from ratebook.web.store.log import newest_entries
from ratebook.web.store.opening import open_store
from support.command_line import invoke
from support.web.accounts import PASSWORD

if TYPE_CHECKING:
    from pathlib import Path


FIRST = "90000001"
"""The first member of an invented federation."""
SERVING = Serving(
    served="all",
    host="127.0.0.1",
    port=0,
    uds=None,
    root_path="",
    names=(),
    workers=1,
    behind_proxy=None,
    https_by_proxy=False,
    hsts_subdomains=False,
    limit=0,
    data=None,
    access_log=False,
    log_json=False,
    metrics_port=None,
    metrics_host="127.0.0.1",
    demo=False,
)


@pytest.fixture
def book(tmp_path: Path) -> str:
    """Give the place of a new book."""
    place = str(tmp_path / "league.book")
    create_book(place, Profile(name="Example League"), Actor("office", "2026-11-20T12:00:00Z")).close()
    return place


def web(book: str, *arguments: str, data: str = "") -> tuple[int, str]:
    done = invoke("web", "--book", book, *arguments, data=data.encode())
    return done.exit_code, done.output


def test_an_account_is_made_by_a_link_that_is_shown_once(book: str, tmp_path: Path) -> None:
    status, said = web(
        book, "account", "add", "Ann  Lee", "--role", "office", "--address", "https://r.example/"
    )
    assert status == 0
    link = re.search(r"^https://r\.example/first-password/(\S{43})$", said, re.MULTILINE)
    assert link is not None
    store = tmp_path / "league.book.web"
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert link[1].encode() not in store.read_bytes()
    assert digest_of(link[1]).encode() in store.read_bytes()
    status, said = web(book, "account", "list", "--json")
    (one,) = json.loads(said)["accounts"]
    assert (one["name"], one["role"], one["state"]) == ("Ann Lee", "office", "has no password yet")
    assert web(book, "account", "add", "ann lee", "--role", "director")[0] == 1


def test_a_password_can_be_typed_on_the_machine(book: str) -> None:
    typed = f"{PASSWORD}\n{PASSWORD}\n"
    assert web(book, "account", "add", "ada", "--role", "administrator", "--ask", data=typed)[0] == 0
    refused = web(book, "account", "add", "eve", "--role", "office", "--ask", data="password1\npassword1\n")
    assert refused[0] == 1
    assert "[password-common]" in refused[1]
    with closing(open_store(f"{book}.web")) as store, store.reading() as connection:
        account = find_account(connection, "ada")
        assert account is not None
        assert account.password is not None
        assert account.password.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert is_password(PASSWORD, account.password)
        assert find_account(connection, "eve") is None


def test_accounts_are_changed_reset_and_disabled_and_the_log_says_so(book: str) -> None:
    web(book, "account", "add", "dora", "--role", "director", "--member", "12345678", "--affiliate", "A1")
    assert web(book, "account", "change", "dora", "--role", "office")[0] == 0
    assert web(book, "account", "disable", "dora")[0] == 0
    assert "disabled" in web(book, "account", "list")[1]
    status, said = web(book, "account", "reset", "dora", "--yes")
    assert status == 0
    assert "/first-password/" in said
    assert "token" not in said
    with closing(open_store(f"{book}.web")) as store, store.reading() as connection:
        kinds = [one.kind for one in newest_entries(connection, 9)]
    assert kinds == ["account reset", "account disabled", "account changed", "account added"]


def test_a_token_is_shown_once_and_revoked(book: str, tmp_path: Path) -> None:
    web(book, "account", "add", "dora", "--role", "director")
    status, said = web(book, "token", "add", "dora", "--purpose", "club", "--scope", "submit")
    assert status == 0
    token = said.split()[-1]
    assert re.fullmatch(r"rbk_\S{43}", token)
    assert token.encode() not in (tmp_path / "league.book.web").read_bytes()
    assert "submit" in web(book, "token", "list")[1]
    assert web(book, "token", "revoke", "1")[0] == 0
    assert "revoked" in web(book, "token", "list")[1]
    status, said = web(book, "token", "revoke", "1")
    assert status == 1
    assert "[token-unknown]" in said


def test_a_reset_says_what_becomes_of_tokens_and_makes_them_void_where_that_is_asked(book: str) -> None:
    web(book, "account", "add", "dora", "--role", "director")
    for _ in range(2):
        web(book, "token", "add", "dora", "--purpose", "club", "--scope", "submit")
    assert "tokens of its programs hold on" in web(book, "account", "reset", "dora", data="n\n")[1]
    status, said = web(book, "account", "reset", "dora", "--yes")
    assert status == 0
    assert "2 tokens of its programs hold on" in said
    assert "revoked" not in web(book, "token", "list")[1]
    status, said = web(book, "account", "reset", "dora", "--yes", "--void-tokens", "--json")
    assert (status, json.loads(said)["tokens"]) == (0, 0)
    assert web(book, "token", "list")[1].count("revoked") == 2


def test_a_server_whose_key_is_lost_says_who_is_shut_out(book: str, tmp_path: Path) -> None:
    web(book, "account", "add", "dora", "--role", "office")
    key = tmp_path / "league.book.web.key"
    sealed = Vault(random_bytes, str(key)).seal("A" * 32, 1)
    with closing(open_store(f"{book}.web")) as store, store.writing() as connection:
        set_second_factor(connection, 1, sealed, 0)
    key.unlink()
    for arguments in ((), ("--key-file", str(tmp_path / "elsewhere"))):
        status, said = web(book, *arguments)
        assert status == 1
        assert "[web-key-missing]" in said
        assert "dora" in said
    assert list(tmp_path.glob("*.key")) == []
    # Accounts can be reset without it.
    assert web(book, "account", "reset", "dora", "--yes")[0] == 0


def test_a_server_makes_its_key_when_it_starts(book: str, tmp_path: Path) -> None:
    app = opened(Places(book, None), SERVING)
    app.state.site.book.close()
    app.state.site.gate.store.close()
    assert stat.S_IMODE((tmp_path / "league.book.web.key").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("over_tls", "subdomains", "said"),
    [
        (False, False, None),
        (True, False, "max-age=31536000"),
        (True, True, "max-age=31536000; includeSubDomains"),
    ],
)
def test_browsers_are_told_to_use_tls_where_a_proxy_speaks_it(
    book: str, said: str | None, *, over_tls: bool, subdomains: bool
) -> None:
    how = SERVING._replace(served="public", https_by_proxy=over_tls, hsts_subdomains=subdomains)
    with TestClient(opened(Places(book, None), how), base_url="https://127.0.0.1") as client:
        assert client.get("/health").headers.get("strict-transport-security") == said


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--host", "192.0.2.1"), 1, "[web-without-tls]"),
        (("--serve", "office", "--host", "192.0.2.1"), 1, "[web-without-tls]"),
        (("--host", "192.0.2.1", "--serve", "public"), 1, "[web-address-refused]"),
        (("--workers", "2"), 2, "--serve public"),
        (("--hsts-subdomains",), 2, "--https-by-proxy"),
        (("--host", "192.0.2.1", "--https-by-proxy"), 1, "after 20 failed sign-ins in an hour, no one"),
        (("--demo", "--host", "192.0.2.1"), 2, "for this machine only"),
        (("account", "disable", "nobody"), 1, "[account-unknown]"),
        (("account", "add", " ", "--role", "office"), 1, "[account-name-wrong]"),
        (("token", "add", "nobody", "--purpose", "p", "--scope", "submit"), 1, "[account-unknown]"),
    ],
)
def test_what_cannot_be_is_said(book: str, arguments: tuple[str, ...], status: int, words: str) -> None:
    done = web(book, *arguments)
    assert done[0] == status
    assert words in done[1]


def test_a_place_must_be_given_and_be_a_web_store(book: str) -> None:
    done = invoke("web", "account", "list")
    assert done.exit_code == 2
    assert "--book" in done.output
    done = invoke("web", "--store", book, "account", "list")
    assert done.exit_code == 1
    assert "[book-place-in-use]" in done.output


def test_every_command_is_loaded_under_its_name() -> None:
    context = click.Context(web_group)
    loaded = {name: web_group.get_command(context, name) for name in COMMANDS}
    assert {one.name for one in loaded.values() if one is not None} == set(COMMANDS)


def test_reports_are_held_back_for_the_queue_of_the_demonstration() -> None:
    day = date(2021, 1, 20)
    whole = build_federation(40, 1)
    federation, waiting = held_back(whole, day)
    assert len(federation.arrivals) == len(whole.arrivals) - len(waiting)
    events = {arrival.report.event.id for arrival in federation.arrivals}
    assert not events & {arrival.report.event.id for arrival in waiting}
    assert [WRONG_ID in arrival.report.players for arrival in waiting] == [True, False, False]
    assert waiting.wrong.report.sections[0].entries[0].player == WRONG_ID
    assert {arrival.received for arrival in waiting} == {day}
    assert len({arrival.report.event.chief_td for arrival in waiting}) == 1
    assert not any(FIRST in arrival.report.players for arrival in waiting)
    assert day - waiting.late.report.sections[0].end > timedelta(days=31)


@pytest.mark.long
def test_the_demonstration_is_the_book_of_an_office_that_is_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Members are rated in many systems, a list is published each month, and nothing waits for a re-rating."""
    day = date(2026, 11, 27)
    monkeypatch.setattr("ratebook.cli.web.demo.now", lambda: datetime(2026, 11, 27, 0, 46, tzinfo=UTC))
    director = make_book(tmp_path, str(tmp_path / "demo.book"), day, members=60)
    with closing(open_book(str(tmp_path / "demo.book"))) as book, book.reading() as connection:
        months = published_months(connection)
        # A list each month, in which there was no report too: so small a federation has such months.
        assert (min(months), max(months), len(months)) == ("2023-01", "2026-11", 47)
        assert read_pending(connection) == []
        # Nothing was rated later than now.
        assert activity_since(connection, day).rated_at == "2026-11-27T00:46:00Z"
        own = [read_submission(connection, number) for number, _ in director.sent]
        states = [report.status for report in own if report]
        assert states[-3:] == [Status.HELD, Status.HELD, Status.READY]
        assert set(states[:-3]) == {Status.RATED}
        federation = read_federation(connection)
        first = member_page(connection, federation, FIRST, day)
        assert (first.name, len(first.ratings) >= 4, len(first.titles) >= 1) == ("Heron, Alice", True, True)
        assert len(history_page(connection, federation, FIRST, most=100).lines) > 40
        # What a visitor sees first has changed since the official list.
        assert any(rating.change for rating in first.ratings)
        assert director.affiliates == ("A9000001",)


def test_a_demonstration_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "ratebook", "web", "--demo", "--port", "0"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "invented federation" in process.stdout.readline()
        assert [*tmp_path.glob("ratebook-demo-*")]
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM
    assert not [*tmp_path.glob("ratebook-demo-*")]
