"""The tables of a book: what the versions lead to is what the program expects, from the first version on."""

from __future__ import annotations

import json
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, select, text, update

from ratebook.book import schema
from ratebook.book.audit import RecordFilter, newest_entries
from ratebook.book.chain.checking import chain_findings
from ratebook.book.connection import VERSION, engine_for, open_book
from ratebook.book.decisions import newest_decisions
from ratebook.book.failures import BookError
from ratebook.book.migrate import migrate, versions
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book, upgrade_book
from ratebook.office.rating.verify import verify
from support.book_rounds import ACTOR, work_a_round

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection, Engine, Table

    from ratebook.book.connection import Book

OLDER = "0000"
NEWER = "9999"


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
    for index in (one for table in schema.metadata.sorted_tables for one in table.indexes):
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
    assert sum("superseded_by is null" in one for one in made(wanted)[0]) == 4
    if book.on_server:
        query = (
            "SELECT table_name, column_name, data_type, collation_name, column_default "
            "FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
        )
        with book.engine.connect() as one, wanted.connect() as other:
            assert set(one.execute(text(query))) == set(other.execute(text(query)))
    wanted.dispose()


def test_the_program_is_at_the_last_version() -> None:
    assert versions()[0] == "0001"
    assert versions()[-1] == VERSION
    assert sorted(versions()) == list(versions())


def test_a_book_of_the_first_version_is_led_to_this_one_and_holds(first_book: str) -> None:
    upgraded = upgrade_book(first_book, ACTOR)
    assert upgraded == ("0001", VERSION)
    book = open_book(first_book)
    verified = verify(book)
    assert [finding for finding in verified.findings if finding.severity == "error"] == []
    assert verified.rows > 20
    book.close()


def test_the_first_book_has_something_in_every_table_that_the_office_fills(first_book: str) -> None:
    book = open_any(first_book)
    with book.connect() as connection:
        empty = {
            table.name
            for table in schema.metadata.sorted_tables
            if inspect(connection).has_table(table.name)
            and connection.execute(select(text("1")).select_from(table)).first() is None
        }
    book.dispose()
    assert empty == {"norms", "titles"}


def open_any(place: str) -> Engine:
    return engine_for(place, must_exist=True)


@pytest.mark.parametrize(("version", "code"), [(OLDER, "book-older"), (NEWER, "book-newer")])
def test_a_book_of_another_version_is_not_opened(book: Book, version: str, code: str) -> None:
    place = place_of_book(book)
    with book.engine.execution_options(ratebook_writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    with pytest.raises(BookError) as refused:
        open_book(place)
    assert refused.value.finding.code == code
    if code == "book-newer":
        with pytest.raises(BookError) as refused:
            upgrade_book(place, ACTOR)
        assert refused.value.finding.code == code


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


def link_by_hand(connection: Connection) -> None:
    """Begin a chain as docs/book/chain.md describes it, of the rows whose columns version 15 adds to."""
    number, head = 0, ""
    for kind, table in (("audit", "audit"), ("decision", "decisions"), ("mark", "rerate_marks")):
        rows = connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY id").mappings().all()  # noqa: S608 - names of the schema
        for row in rows:
            number += 1
            said = {
                name: row[name] for name in sorted(map(str, row)) if name != "id" and row[name] is not None
            }
            content = json.dumps(said, separators=(",", ":"), default=str)
            digest = sha256(f"salt[{content}]".encode()).hexdigest()
            head = sha256(f"{head}\n{number}\n{kind}\n{row['id']}\n{digest}".encode()).hexdigest()
            link = {"number": number, "kind": kind, "of": str(row["id"]), "digest": digest, "head": head}
            insert = text("INSERT INTO chain VALUES (:number, :kind, :of, 'salt', :digest, :head)")
            connection.execute(insert, link)


def test_subjects_of_an_older_book_are_data_and_its_links_hold_where_they_held(first_book: str) -> None:
    engine = open_any(first_book)
    with engine.execution_options(ratebook_writes=True).begin() as connection:
        migrate(connection, "0014")
        link_by_hand(connection)
        # What was changed past the program is not made right by an upgrade.
        on_file = connection.dialect.name == "sqlite"
        of_table = "DROP TRIGGER audit_never_changes" if on_file else "ALTER TABLE audit DISABLE TRIGGER USER"
        guard = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE name = 'audit_never_changes'" if on_file else "SELECT ''"
        ).scalar_one()
        connection.exec_driver_sql(of_table)
        connection.exec_driver_sql("UPDATE audit SET details = 'another score sheet' WHERE id = 2")
        connection.exec_driver_sql(guard or "ALTER TABLE audit ENABLE TRIGGER USER")
    engine.dispose()
    upgrade_book(first_book, ACTOR)
    with closing(open_book(first_book)) as book, book.reading() as connection:
        found = list(chain_findings(connection))
        decisions = newest_decisions(connection, 50, RecordFilter())
        of_event = newest_decisions(connection, 50, RecordFilter(subject="event 202601030001"))
        entries = newest_entries(connection, 50, RecordFilter(subject="event 202601030001 section 1"))
        links = connection.execute(text("SELECT count(*) FROM chain WHERE kind = 'audit' AND salt <> 'salt'"))
        assert links.scalar_one() > 10
    linked = {"audit", "decision", "mark"}
    assert [(one.code, one.where) for one in found if one.where.split()[0] in linked] == [
        ("kept-changed", "audit 2")
    ]
    assert not [one for one in found if one.code in {"link-broken", "link-missing", "guard-missing"}]
    assert [one.event_id for one in of_event] == ["202601030001"] * len(of_event)
    assert len(of_event) == sum(one.event_id == "202601030001" for one in decisions) > 0
    assert {"rate-section"} <= {one.action for one in entries}


def test_a_role_that_did_office_work_before_may_erase_after_an_upgrade(
    empty_database: Callable[[], str],
) -> None:
    place = empty_database()
    role = f"old_{place.rpartition('/')[2].partition('?')[0]}"
    engine = engine_for(place, must_exist=False)
    with engine.begin() as connection:
        migrate(connection, "0016")
        connection.execute(text(f"CREATE ROLE {role}"))
        connection.execute(text(f"GRANT UPDATE (salt) ON chain TO {role}"))
        migrate(connection, "0017")
        asked = text("SELECT has_column_privilege(:role, :table, :column, 'UPDATE')")
        columns = [("decisions", "reason"), ("decisions", "details"), ("audit", "details"), ("audit", "by")]
        rights = [
            connection.execute(asked, {"role": role, "table": table, "column": column}).scalar_one()
            for table, column in columns
        ]
        connection.rollback()
    engine.dispose()
    assert rights == [True, True, True, False]
