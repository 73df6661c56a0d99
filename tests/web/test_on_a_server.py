"""Everything that is shown is shown from a PostgreSQL server as from a file."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from ratebook.book.connection import open_book
from ratebook.office.copies.backup import restore
from ratebook.office.copies.export import export_book
from ratebook.web.gate.visitors import COOKIE, digest_of
from ratebook.web.routing import KEPT
from ratebook.web.site import Served, Site
from ratebook.web.store.accounts import add_link, find_account
from support.book_federation import ACTOR
from support.postgresql import new_database
from support.web.accounts import FROM_THIS_SITE, office_in
from support.web.federation import TODAY
from support.web.routes import ROUTES
from support.web.routes.programs import sample_of
from support.web.routes.rows import COLUMNS, LET_IN, ROLES
from support.web.served import asked

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.book.connection import Book

OF_ONE_BOOK = re.compile(r"[Rr]evision\W+\d+|\b[0-9a-f]{16,}\b")
"""Revisions and seals: a restored book counts on, and has links of its own."""


def answers(book: Book, store: str) -> dict[tuple[str, str], tuple[int, str]]:
    """Return what each address that changes nothing answers: text to everyone, and else the status alone."""
    office = office_in(store)
    found = {}
    with asked(Site(book, Served.ALL, lambda: TODAY, office.gate)) as client:
        with office.gate.store.writing() as connection:
            other = find_account(connection, "other")
            assert other is not None
            add_link(connection, digest_of("link"), other.id, office.clock.now)
        for (method, route), row in ROUTES.items():
            if method != "GET":
                continue
            who = COLUMNS[ROLES[row.who].index(LET_IN)]
            headers = dict(FROM_THIS_SITE)
            address = row.address or route
            if who != "nobody":
                visitor = office.signed_in(who)
                headers["cookie"] = f"{COOKIE}={visitor.token}"
                address = address.replace("{number:int}", str(visitor.session.id))
            answer = client.get(address, headers=headers)
            found[who, address] = answer.status_code, answer.text if who == "nobody" else ""
        for mounted in client.app.routes:
            handlers = getattr(mounted, "route_handlers", ())
            if mounted.path.startswith("/api/v1/") and any(KEPT in handler.opt for handler in handlers):
                address = sample_of(mounted.path)
                answer = client.get(address)
                found["program", address] = answer.status_code, answer.text
    office.gate.store.close()
    return {key: (status, OF_ONE_BOOK.sub("", text)) for key, (status, text) in found.items()}


def test_a_server_shows_what_a_file_shows(federation: Book, server: str, tmp_path: Path) -> None:
    export_book(federation, str(tmp_path / "files"))
    restore(str(tmp_path / "files"), place := new_database(server), ACTOR)
    here = answers(federation, str(tmp_path / "web"))
    with closing(open_book(place)) as book:
        from_server = answers(book, new_database(server))
    assert len(here) > 100
    assert {status for status, _ in here.values()} <= {200, 303, 401, 404}
    assert {key: status for key, (status, _) in from_server.items()} == {
        key: here[key][0] for key in from_server
    }
    # Of a book that was restored, mirrors read everything again.
    alike = {key for key in from_server if not key[1].startswith("/api/v1/changes")}
    assert {key: from_server[key] for key in alike if from_server[key] != here[key]} == {}
