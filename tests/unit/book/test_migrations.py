"""The tables of a book: what the versions lead to is what the program expects, from the first version on."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, select, text, update

from ratebook.book import schema
from ratebook.book.connection import FIRST_VERSION, VERSION, engine_for, open_book
from ratebook.book.failures import BookError
from ratebook.book.migrations import HERE, migrate, versions
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book, upgrade_book
from support.book_rounds import ACTOR, work_a_round

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine, Table

    from ratebook.book.connection import Book

NEWER = "9999"
A_STEP = """
from alembic import op

revision = "1003"
down_revision = "1002"


def upgrade():
    op.get_bind().exec_driver_sql("ALTER TABLE members ADD COLUMN nickname TEXT")
"""
"""What a later version of the tables might do."""


def made(engine: Engine) -> tuple[set[Any], ...]:
    """Return what Alembic does not compare: indexes with their conditions, and constraints by name."""
    looked = inspect(engine)
    indexes, keys, others = set(), set(), set()
    for name in sorted(set(looked.get_table_names()) - {"alembic_version"}):
        for index in looked.get_indexes(name):
            where = index.get("dialect_options", {})
            condition = {
                str(value).strip("()").lower() for key, value in where.items() if key.endswith("_where")
            }
            indexes.add(
                (name, index["name"], tuple(index["column_names"]), bool(index["unique"]), *condition)
            )
        for key in looked.get_foreign_keys(name):
            keys.add((name, key["name"], *key["constrained_columns"], key["referred_table"]))
        primary = looked.get_pk_constraint(name)
        others.add((name, primary["name"], *primary["constrained_columns"]))
        others |= {(name, one["name"], *one["column_names"]) for one in looked.get_unique_constraints(name)}
        others |= {(name, one["name"]) for one in looked.get_check_constraints(name)}
    return indexes, keys, others


def test_the_versions_lead_to_the_tables_of_the_program(
    book: Book, empty_database: Callable[[], str], tmp_path: Path
) -> None:
    for table in schema.metadata.sorted_tables:
        for index in table.indexes:
            for dialect in ("sqlite", "postgresql"):
                index.dialect_options[dialect]["where"] = index.info.get("where")
    with book.reading() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, schema.metadata) == []
    wanted = engine_for(empty_database() if book.on_server else str(tmp_path / "wanted"), must_exist=False)
    schema.metadata.create_all(wanted)
    assert made(book.engine) == made(wanted)
    assert sum("superseded_by is null" in one for one in made(wanted)[0]) == 5
    if book.on_server:
        query = (
            "SELECT table_name, column_name, data_type, collation_name, column_default "
            "FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
        )
        with book.engine.connect() as one, wanted.connect() as other:
            assert set(one.execute(text(query))) == set(other.execute(text(query)))
    wanted.dispose()


def test_the_program_is_at_the_last_version() -> None:
    assert versions()[0] == FIRST_VERSION
    assert versions()[-1] == VERSION
    assert sorted(versions()) == list(versions())


@pytest.mark.parametrize(
    ("version", "code"), [("0017", "book-before-release"), ("", "book-before-release"), (NEWER, "book-newer")]
)
def test_a_book_of_another_version_is_not_opened(book: Book, version: str, code: str) -> None:
    place = place_of_book(book)
    with book.engine.execution_options(ratebook_writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    with pytest.raises(BookError) as refused:
        open_book(place)
    assert refused.value.finding.code == code
    with pytest.raises(BookError) as refused:
        upgrade_book(place, ACTOR)
    assert refused.value.finding.code == code


def test_a_step_is_done_in_the_transaction_of_the_caller(book: Book, tmp_path: Path) -> None:
    """A later version of the tables, made up: whole or not at all, from any version before it."""
    steps = shutil.copytree(HERE, tmp_path / "migrations")
    (steps / "versions" / "v1003_nicknames.py").write_text(A_STEP, encoding="utf-8")
    assert versions(steps) == (*versions(), "1003")
    with book.writing() as connection:
        migrate(connection, "1003", steps)
        connection.rollback()
    assert "nickname" not in {column["name"] for column in inspect(book.engine).get_columns("members")}
    with book.writing() as connection:
        migrate(connection, "1003", steps)
    assert "nickname" in {column["name"] for column in inspect(book.engine).get_columns("members")}
    with pytest.raises(BookError) as refused:
        open_book(place_of_book(book))
    assert refused.value.finding.code == "book-newer"


def place_of_book(book: Book) -> str:
    return book.engine.url.render_as_string(hide_password=False) if book.on_server else book.url


def change(connection: Connection, table: Table, column: str) -> None:
    """Try to write another value into one column of every row."""
    kind = table.c[column].type.python_type
    other = {int: 99, float: 99.5, str: "changed", bool: True}.get(kind, "2001-01-01")
    connection.exec_driver_sql(f"UPDATE {table.name} SET \"{column}\" = '{other}'")  # noqa: S608 - names of the schema


def test_no_row_of_the_ledger_or_of_a_list_is_changed_or_deleted(book: Book) -> None:
    work_a_round(book)
    for table in (schema.ledger, schema.published_lists, schema.published_ratings):
        for column in table.columns:
            if column.name == "superseded_by":
                continue
            with pytest.raises(BookError, match=r"do not change|as they are"), book.writing() as connection:
                change(connection, table, column.name)
        with pytest.raises(BookError, match="are kept"), book.writing() as connection:
            connection.execute(table.delete())


def test_a_row_of_the_ledger_is_superseded_once(book: Book) -> None:
    work_a_round(book)
    ledger = schema.ledger
    with book.writing() as connection:
        row = (
            connection.execute(select(ledger.c.id).where(ledger.c.superseded_by.is_(None))).scalars().first()
        )
        posting = connection.execute(select(schema.postings.c.id)).scalars().first()
        connection.execute(update(ledger).where(ledger.c.id == row).values(superseded_by=posting))
    for value in (None, posting):
        with pytest.raises(BookError, match=r"do not change|as they are"), book.writing() as connection:
            connection.execute(update(ledger).where(ledger.c.id == row).values(superseded_by=value))


def test_a_book_is_not_made_over_another(empty_place: str) -> None:
    create_book(empty_place, Profile(), ACTOR).close()
    with pytest.raises(BookError) as refused:
        create_book(empty_place, Profile(), ACTOR)
    assert refused.value.finding.code == "book-exists"


def test_a_book_is_not_made_among_other_tables(empty_place: str) -> None:
    engine = engine_for(empty_place, must_exist=False)
    with engine.execution_options(ratebook_writes=True).begin() as connection:
        connection.execute(text("CREATE TABLE invoices (id INTEGER)"))
    with pytest.raises(BookError) as refused:
        create_book(empty_place, Profile(), ACTOR)
    assert refused.value.finding.code == "book-place-in-use"
    assert inspect(engine).get_table_names() == ["invoices"]
    engine.dispose()


def test_a_failed_making_leaves_no_book_and_can_be_begun_again(
    empty_place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr("ratebook.office.creation.note_audit", fail)
        with pytest.raises(RuntimeError):
            create_book(empty_place, Profile(), ACTOR)
    with pytest.raises(BookError) as refused:
        open_book(empty_place)
    assert refused.value.finding.code == ("book-without-tables" if "://" in empty_place else "book-missing")
    create_book(empty_place, Profile(), ACTOR).close()
    open_book(empty_place).close()
