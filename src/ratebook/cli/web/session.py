"""What the commands about accounts share: the open store, the moment, who acts, new secrets.

Only here do the commands of the web ask for the moment and for randomness (ARCHITECTURE, invariant 7).
"""

import getpass
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple

import click

from ratebook.book.connection import Connection
from ratebook.cli.book.group import VARIABLE
from ratebook.cli.book.session import findings_shown
from ratebook.cli.web.group import Places
from ratebook.web.gate.visitors import digest_of, new_token
from ratebook.web.store.links import add_link
from ratebook.web.store.log import Kind, note
from ratebook.web.store.opening import Store, open_store, store_beside

random_bytes = secrets.token_bytes


def now() -> datetime:
    """Return the moment in UTC."""
    return datetime.now(UTC)


class Desk(NamedTuple):
    """A web store at work: its connection, who acts, and when."""

    connection: Connection
    actor: str
    at: datetime

    def note(self, kind: Kind, account: str, details: str = "") -> None:
        """Add an entry to the log."""
        note(
            self.connection, kind, account, self.at, "", " ".join(filter(None, (f"by {self.actor}", details)))
        )


@contextmanager
def desk() -> Iterator[Desk]:
    """Open the web store for a command, all of whose changes are kept or none; a refusal is printed."""
    with findings_shown(), closing(opened_store(_places())) as store, store.writing() as connection:
        yield Desk(connection, _user(), now())


def opened_store(places: Places) -> Store:
    """Open the web store at the places given; a usage error if none was.

    Raises:
        BookError: the store fails.
    """
    place = places.store or (store_beside(places.book) if places.book else None)
    if place is None:
        raise click.UsageError(
            "No book is given. Name it as in ratebook web --book PATH_OR_URL, or set " + VARIABLE + "."
        )
    return open_store(place)


def link_for(desk: Desk, account: int, address: str) -> str:
    """Return a one-time link by which a person chooses a password, at the *address* of the server."""
    token = new_token(random_bytes)
    add_link(desk.connection, digest_of(token), account, desk.at)
    return f"{address.rstrip('/')}/first-password/{token}"


def _places() -> Places:
    found = click.get_current_context().find_object(Places)
    return Places(None, None) if found is None else found


def _user() -> str:
    with suppress(KeyError, OSError, ImportError):
        return getpass.getuser()
    return "the machine"
