"""What the commands about accounts share: the open store, the moment, who acts, new secrets.

Only here do the commands of the web ask for the moment and for randomness (ARCHITECTURE, invariant 7).
"""

import getpass
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime

import click

from ratebook.book.connection import Actor, file_of
from ratebook.cli.book.session import findings_shown
from ratebook.cli.settings import BOOK_VARIABLE
from ratebook.cli.web.group import KEY_VARIABLE, Places
from ratebook.office.decisions.revision import Reason
from ratebook.office.erasure.erase import ErasedElsewhere, Erasure
from ratebook.web.gate.keeping import Keeper
from ratebook.web.gate.vault import Vault
from ratebook.web.store.erasure import erase_from_store
from ratebook.web.store.opening import Store, has_store, open_store, store_beside
from ratebook.web.store.schema import moment

random_bytes = secrets.token_bytes
KEY_ENDING = ".key"


def now() -> datetime:
    """Return the moment in UTC."""
    return datetime.now(UTC)


@contextmanager
def keeper() -> Iterator[Keeper]:
    """Open the web store for a command, all of whose changes are kept or none; a refusal is printed."""
    with findings_shown(), closing(opened_store(open_places())) as store, store.writing() as connection:
        yield Keeper(connection, random_bytes, user_name(), now())


def reason_of(keeper: Keeper) -> Reason:
    """Return who keeps accounts at the machine; the log asks for no reason."""
    return Reason(Actor(keeper.actor, moment(keeper.at)), "")


def opened_store(places: Places) -> Store:
    """Open the web store at the places given; a usage error if none was."""
    return open_store(place_of_store(places))


def vault_of(places: Places) -> Vault:
    """Return what seals second factors: with the key that the environment has, or that is in a file."""
    beside = file_of(place_of_store(places))
    place = places.key or (beside and beside + KEY_ENDING)
    return Vault(random_bytes, place, os.environ.get(KEY_VARIABLE, ""))


def erased_beside(book: str) -> Callable[[Erasure], ErasedElsewhere]:
    """Return what erases a person from the web store of the book at a place, where it has one."""

    def erased(person: Erasure) -> ErasedElsewhere:
        if not has_store(store_beside(book)):
            return ErasedElsewhere()
        with closing(opened_store(Places(book, None))) as store:
            return erase_from_store(store, person, now())

    return erased


def place_of_store(places: Places) -> str:
    """Return where the web store is; a usage error if neither it nor the book was named."""
    place = places.store or (store_beside(places.book) if places.book else None)
    if place is None:
        raise click.UsageError(no_book())
    return place


def no_book() -> str:
    """Return how a book is named, where none was."""
    return f"No book is given. Name it as in ratebook web --book PATH_OR_URL, or set {BOOK_VARIABLE}."


def open_places() -> Places:
    """Return where the running command finds book and store."""
    found = click.get_current_context().find_object(Places)
    return Places(None, None) if found is None else found


def user_name() -> str:
    """Return who acts at the machine, as the system says it."""
    with suppress(KeyError, OSError, ImportError):
        return getpass.getuser()
    return "the machine"
