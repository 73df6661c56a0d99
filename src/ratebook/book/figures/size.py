"""How large a book is."""

from typing import NamedTuple

from sqlalchemy import Connection, func, select

from ratebook.book import schema
from ratebook.book.connection import version_of


class BookSize(NamedTuple):
    """What a book holds, and the bytes that its store takes; *version* is that of its tables."""

    members: int
    sections: int
    stored_bytes: int
    version: str


def size_of(connection: Connection) -> BookSize:
    """Return how large the book is now."""
    unmerged = select(func.count()).where(schema.members.c.merged_into.is_(None))
    members, sections = (
        int(connection.execute(counted).scalar_one())
        for counted in (unmerged, select(func.count()).select_from(schema.sections))
    )
    return BookSize(members, sections, _stored_bytes(connection), version_of(connection))


def _stored_bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        pages, of_page = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for name in ("page_count", "page_size")
        )
        return pages * of_page
    size = select(func.pg_database_size(func.current_database()))
    return int(connection.execute(size).scalar_one())
