"""Making a book: its tables, and the profile of the federation that keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import inspect, text
from sqlalchemy.exc import SQLAlchemyError

from ratebook.book import schema
from ratebook.book.append_only import postgresql_triggers, sqlite_triggers
from ratebook.book.audit import note_audit
from ratebook.book.connect import VERSION, Book, engine_for, open_book, shown_place
from ratebook.book.failures import failure_of, refused
from ratebook.book.profile import write_profile

if TYPE_CHECKING:
    from ratebook.book.connect import Actor
    from ratebook.book.profile import Profile


def create_book(place: str, profile: Profile, actor: Actor) -> Book:
    """Make a book at *place* and return it, open.

    Args:
        place: the path of a file that does not exist yet, or the URL of an empty PostgreSQL database.
        profile: the federation.
        actor: who makes it, and when.

    Raises:
        BookError: there is a book already, or the store fails.
        RulebookError: the profile's overlay is wrong.
    """
    engine = engine_for(place, must_exist=False)
    try:
        with engine.execution_options(ratebook_writes=True).begin() as connection:
            if inspect(connection).has_table("book"):
                raise refused(
                    "book-exists",
                    shown_place(place),
                    "There is a book already.",
                    "Give another place; a book is never made anew over another.",
                )
            schema.metadata.create_all(connection)
            triggers = sqlite_triggers() if engine.dialect.name == "sqlite" else postgresql_triggers()
            for statement in triggers:
                connection.exec_driver_sql(statement)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": VERSION})
            write_profile(connection, profile, actor.at)
            note_audit(connection, actor, "create-book", "book", profile.name)
    except SQLAlchemyError as failure:
        raise failure_of(failure, shown_place(place)) from failure
    finally:
        engine.dispose()
    return open_book(place)
