"""The texts of the first version of the tables, of the book and of the web store, for each of the two stores.

They are made until 1.0.0 is released; then they are frozen, and what changes is a step of ``migrations``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import Dialect, Index, MetaData, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from ratebook.book import schema
from ratebook.book.chain.rights import ADDED_TO
from ratebook.web.store import schema as web_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SQLITE: Dialect = sqlite.dialect()
POSTGRESQL: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]

REFUSED = {
    "chain": ("NEW.salt <> ''",),
    "ledger": ("OLD.superseded_by IS NOT NULL",),
    "runs": ("OLD.finished_at IS NOT NULL",),
}
"""What else is refused of the columns that may be filled in later, by table: they lose or gain their value once."""
LOSE_PERSONS = ("audit", "decisions")
"""Tables whose texts may change where they say then that a person was erased."""

KEPT_ON_SERVER = """CREATE FUNCTION rows_are_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION USING MESSAGE = 'rows of ' || TG_TABLE_NAME || ' are kept as they are'; END $$"""
LOG_ON_FILE = (
    "CREATE TRIGGER log_{0} BEFORE {0} ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
)
LOG_ON_SERVER = (
    """CREATE FUNCTION log_closed() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the log is append-only'; END $$""",
    "CREATE TRIGGER log_{0} BEFORE {0} ON log FOR EACH ROW EXECUTE FUNCTION log_closed()",
)


def first_book(*, on_file: bool) -> str:
    """Return the statements that make the tables of a book."""
    return _text([*_tables(schema.metadata, on_file=on_file), *(_on_file() if on_file else _on_server())])


def first_web_store(*, on_file: bool) -> str:
    """Return the statements that make the tables of a web store."""
    *before, trigger = (LOG_ON_FILE,) if on_file else LOG_ON_SERVER
    log = [*before, *(trigger.format(event) for event in ("UPDATE", "DELETE"))]
    return _text([*_tables(web_schema.metadata, on_file=on_file), *log])


def _text(statements: list[str]) -> str:
    return ";\n\n".join(statements) + "\n"


def _tables(metadata: MetaData, *, on_file: bool) -> Iterator[str]:
    dialect = SQLITE if on_file else POSTGRESQL
    for table in metadata.sorted_tables:
        # A file then keeps the rows in the order of their key: games are found without a second look.
        table.dialect_options["sqlite"]["with_rowid"] = len(table.primary_key) == 1
        yield _compiled(CreateTable(table), dialect)
        # Where two would do, SQLite takes the index that was made last: of the ledger that is the one of sections.
        for index in sorted(table.indexes, key=lambda index: str(index.name), reverse=True):
            yield _compiled(CreateIndex(with_condition(index)), dialect)


def _compiled(statement: CreateTable | CreateIndex, dialect: Dialect) -> str:
    text = str(statement.compile(dialect=dialect))
    return "\n".join(line.rstrip().replace("\t", "    ") for line in text.strip().splitlines())


def with_condition(index: Index) -> Index:
    """Return an index with its condition as an option of both dialects, which it must not be in the program."""
    for dialect in ("sqlite", "postgresql"):
        index.dialect_options[dialect]["where"] = index.info.get("where")
    return index


def _on_file() -> Iterator[str]:
    for name in ADDED_TO:
        table = schema.metadata.tables[name]
        for what, event, when, says in (
            ("keeps_rows", "DELETE", "", "are kept"),
            ("never_changes", "UPDATE", _refused(table, "IS NOT", "instr"), "do not change"),
            # SQLite runs no trigger for the rows that REPLACE removes: what would replace a row is refused before.
            ("replaces_nothing", "INSERT", _replaced(table), "are not replaced"),
        ):
            condition = f"\nWHEN {when}" if when else ""
            yield (
                f"CREATE TRIGGER {name}_{what} BEFORE {event} ON {name}{condition}\n"
                f"BEGIN SELECT RAISE(ABORT, 'rows of {name} {says}'); END"
            )


def _on_server() -> Iterator[str]:
    yield KEPT_ON_SERVER
    for name in ADDED_TO:
        when = _refused(schema.metadata.tables[name], "IS DISTINCT FROM", "strpos")
        for what, event, condition in (
            ("keeps_rows", "DELETE", ""),
            ("never_changes", "UPDATE", f" WHEN ({when})" if when else ""),
        ):
            yield (
                f"CREATE TRIGGER {name}_{what} BEFORE {event} ON {name}\n"
                f"FOR EACH ROW{condition} EXECUTE FUNCTION rows_are_kept()"
            )


def _refused(table: Table, differ: str, position: str) -> str:
    """Return when a changed row is refused; empty where any is."""
    later = ADDED_TO[table.name]
    if not later:
        return ""
    kept = [column.name for column in table.columns if column.name not in later]
    new, old = (", ".join(f'{row}."{column}"' for column in kept) for row in ("NEW", "OLD"))
    refused = [f"({new}) {differ} ({old})", *REFUSED.get(table.name, ())]
    if table.name in LOSE_PERSONS:
        refused += [
            f"(NEW.{text} {differ} OLD.{text} AND {position}(NEW.{text}, '(erased)') = 0)" for text in later
        ]
    return "\nOR ".join(refused)


def _replaced(table: Table) -> str:
    """Return when a new row would stand in the place of an old one: the keys of both are the same."""
    uniques = [index for index in sorted(table.indexes, key=lambda index: str(index.name)) if index.unique]
    keys = [
        _same([column.name for column in table.primary_key], ""),
        *(
            _same(
                [column.name for column in index.columns],
                " AND superseded_by IS NULL AND NEW.superseded_by IS NULL" if "where" in index.info else "",
            )
            for index in uniques
        ),
    ]
    return "\nOR ".join(f"EXISTS (SELECT 1 FROM {table.name} WHERE {key})" for key in keys if key)  # noqa: S608 - names of the schema


def _same(columns: list[str], condition: str) -> str:
    return " AND ".join(f"{column} = NEW.{column}" for column in columns) + condition


FIRST_SCHEMAS: dict[str, Callable[[], str]] = {
    f"src/ratebook/{folder}/migrations/versions/v1001_first.{store}.sql": partial(
        make, on_file=store == "sqlite"
    )
    for folder, make in (("book", first_book), ("web/store", first_web_store))
    for store in ("sqlite", "postgresql")
}
"""The texts, by the names of their files."""
