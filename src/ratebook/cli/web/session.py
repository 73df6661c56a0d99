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
from ratebook.cli.web.places import KEY_VARIABLE, Places
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
    with findings_shown(), closing(opened_store(_places())) as store, store.writing() as connection:
        yield Keeper(connection, random_bytes, _user(), now())


def reason_of(keeper: Keeper) -> Reason:
    """Return who keeps accounts at the machine; the log asks for no reason."""
    return Reason(Actor(keeper.actor, moment(keeper.at)), "")


def opened_store(places: Places) -> Store:
    """Open the web store at the places given; a usage error if none was.

    Raises:
        BookError: the store fails.
    """
    return open_store(_place_of(places))


def vault_of(places: Places) -> Vault:
    """Return what seals second factors: with the key that the environment has, or that is in a file."""
    beside = file_of(_place_of(places))
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


def _place_of(places: Places) -> str:
    place = places.store or (store_beside(places.book) if places.book else None)
    if place is None:
        raise click.UsageError(
            "No book is given. Name it as in ratebook web --book PATH_OR_URL, or set " + BOOK_VARIABLE + "."
        )
    return place


def _places() -> Places:
    found = click.get_current_context().find_object(Places)
    return Places(None, None) if found is None else found


def _user() -> str:
    with suppress(KeyError, OSError, ImportError):
        return getpass.getuser()
    return "the machine"
