"""Triggers that keep the ledger and the published lists as they were written.

Rows are added; none is deleted; the only change is ``superseded_by``, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.schema import ledger, published_lists, published_ratings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Table

_CLOSED_ONCE = (ledger,)
_NEVER_CHANGED = (published_lists, published_ratings)


def sqlite_triggers() -> Iterator[str]:
    """Yield the statements that guard the tables in SQLite."""
    for table in (*_CLOSED_ONCE, *_NEVER_CHANGED):
        yield (
            f"CREATE TRIGGER {table.name}_keeps_rows BEFORE DELETE ON {table.name} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table.name} are kept'); END"
        )
    for table in _CLOSED_ONCE:
        yield (
            f"CREATE TRIGGER {table.name}_closes_once BEFORE UPDATE ON {table.name} "
            f"WHEN OLD.superseded_by IS NOT NULL OR {_changed(table, 'IS NOT')} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table.name} do not change'); END"
        )
    for table in _NEVER_CHANGED:
        yield (
            f"CREATE TRIGGER {table.name}_never_changes BEFORE UPDATE ON {table.name} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table.name} do not change'); END"
        )


def postgresql_triggers() -> Iterator[str]:
    """Yield the statements that guard the tables in PostgreSQL."""
    yield (
        "CREATE FUNCTION rows_are_kept() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are kept as they are'; END $$"
    )
    for table in (*_CLOSED_ONCE, *_NEVER_CHANGED):
        yield (
            f"CREATE TRIGGER {table.name}_keeps_rows BEFORE DELETE ON {table.name} "
            "FOR EACH ROW EXECUTE FUNCTION rows_are_kept()"
        )
    for table in _CLOSED_ONCE:
        yield (
            f"CREATE TRIGGER {table.name}_closes_once BEFORE UPDATE ON {table.name} FOR EACH ROW "
            f"WHEN (OLD.superseded_by IS NOT NULL OR {_changed(table, 'IS DISTINCT FROM')}) "
            "EXECUTE FUNCTION rows_are_kept()"
        )
    for table in _NEVER_CHANGED:
        yield (
            f"CREATE TRIGGER {table.name}_never_changes BEFORE UPDATE ON {table.name} "
            "FOR EACH ROW EXECUTE FUNCTION rows_are_kept()"
        )


def _changed(table: Table, differs: str) -> str:
    """Return the condition that a column other than ``superseded_by`` is to change."""
    names = [column.name for column in table.columns if column.name != "superseded_by"]
    return " OR ".join(f"NEW.{name} {differs} OLD.{name}" for name in names)
