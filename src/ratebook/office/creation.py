"""Making a book: its tables, and the profile of the federation that keeps it; upgrading an older book."""

from contextlib import closing
from typing import NamedTuple

from ratebook.book.audit import BOOK, note_audit
from ratebook.book.chain.links import link_noted
from ratebook.book.connection import (
    VERSION,
    Actor,
    Book,
    open_any_version,
    open_book,
    require_release,
    version_of,
)
from ratebook.book.migrations import migrate
from ratebook.book.migrations.creation import new_tables
from ratebook.book.profile import Profile, write_profile
from ratebook.rules.rulebook import check_overlay


class Upgraded(NamedTuple):
    """Which version the tables had, and which one they have."""

    before: str
    after: str


def create_book(place: str, profile: Profile, actor: Actor) -> Book:
    """Make a book at *place* (the path of a new file, or the URL of an empty PostgreSQL database) and return it, open.

    Raises:
        BookError: there is something already, or the store fails.
        RulebookError: the profile's overlay is wrong.
    """
    check_overlay(profile.overlay)
    with new_tables(place) as connection:
        write_profile(connection, profile, actor.at)
        note_audit(connection, actor, "create-book", BOOK, profile.name)
        link_noted(connection)
    return open_book(place)


def upgrade_book(place: str, actor: Actor, *, shown: str = "") -> Upgraded:
    """Upgrade the tables of the book at *place* to the version of this program, in one transaction.

    There is no way back but a backup, which the user should have made before. A refusal names the book as *shown*.

    Raises:
        BookError: there is no book, it is newer than the program or older than the first release, or the store fails;
            it stays as it was.
    """
    with closing(open_any_version(place)) as book:
        with book.reading() as connection:
            before = version_of(connection)
        require_release(before, shown or book.url)
        if before == VERSION:
            return Upgraded(before, VERSION)
        with book.writing(alone=True) as connection:
            migrate(connection)
            note_audit(connection, actor, "upgrade-book", BOOK, f"tables {before} to {VERSION}")
        return Upgraded(before, VERSION)
