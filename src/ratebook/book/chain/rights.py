"""What a role of a PostgreSQL server may do with a book: all office work, but only add to permanent records."""

from collections.abc import Iterator, Mapping

from sqlalchemy import Connection

from ratebook.book import schema
from ratebook.book.failures import refused
from ratebook.findings import Place

ADDED_TO: Mapping[str, tuple[str, ...]] = {
    "audit": ("subject", "subject_id", "details"),
    "chain": ("salt",),
    "decisions": ("reason", "details"),
    "ledger": ("superseded_by",),
    "postings": ("superseded_by",),
    "published_lists": (),
    "published_ratings": (),
    "rule_sets": (),
    "rulebooks": (),
    "runs": ("finished_at",),
}
"""Tables that are only added to, each with the columns that are filled in later, or lose what they say of a person."""


def grant_office(connection: Connection, role: str) -> None:
    """Give a *role* of the server the rights of an office; the owner of the tables keeps upgrades and restores.

    Raises:
        BookError: the server has no such role.
    """
    known = connection.exec_driver_sql("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).first()
    if known is None:
        raise refused("role-unknown", Place(subject=f"role {role}"))
    quoted = connection.dialect.identifier_preparer.quote(role)
    for right in _rights():
        connection.exec_driver_sql(f"GRANT {right} TO {quoted}")


def _rights() -> Iterator[str]:
    yield "USAGE ON SCHEMA public"
    yield "SELECT ON alembic_version"
    yield "USAGE ON ALL SEQUENCES IN SCHEMA public"
    for table in schema.metadata.tables:
        changed = ADDED_TO.get(table)
        if changed is None:
            yield f"SELECT, INSERT, UPDATE, DELETE ON {table}"
        else:
            yield f"SELECT, INSERT ON {table}"
            yield from (f"UPDATE ({column}) ON {table}" for column in changed)
