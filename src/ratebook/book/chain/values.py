"""Whether each column holds what its kind allows: SQLite takes anything, PostgreSQL days beyond the calendar."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from sqlalchemy import Column, Connection, Table

from ratebook.book import schema
from ratebook.findings import Finding, Place, finding

_MOST_OF_TABLE = 20
_LARGEST = "1.7976931348623157e308"
_ON_FILE: dict[type, str] = {
    str: "typeof({0}) = 'text' AND readable(CAST({0} AS BLOB))",
    int: "typeof({0}) = 'integer'",
    bool: "typeof({0}) = 'integer' AND {0} IN (0, 1)",
    float: f"typeof({{0}}) = 'real' AND abs({{0}}) <= {_LARGEST}",
    # Python has no year 0, and SQLite turns what is no day of a month into one of the next.
    date: "typeof({0}) = 'text' AND date({0}) = {0} AND {0} >= '0001'",
}
_ON_SERVER: dict[type, str] = {
    float: f"abs({{0}}) <= {_LARGEST}",
    date: "{0} BETWEEN '0001-01-01' AND '9999-12-31'",
}
_FAULTS: dict[type, str] = {
    str: "not text that can be read",
    int: "not a whole number",
    bool: "neither yes nor no",
    float: "not a number",
    date: "not a day",
}


def value_findings(connection: Connection) -> Iterator[Finding]:
    """Yield the values that their columns cannot hold, at most 20 of a table, and never what they are."""
    on_file = connection.dialect.name == "sqlite"
    if on_file:
        driver: Any = connection.connection.driver_connection
        driver.create_function("readable", 1, _readable, deterministic=True)
    for table in schema.metadata.sorted_tables:
        wrong = {column.name: test for column in table.columns if (test := _wrong(column, on_file=on_file))}
        if wrong:
            yield from _of_table(connection, table, wrong, _row(table) if on_file else "CAST(ctid AS TEXT)")
    (versions,) = connection.exec_driver_sql("SELECT count(*) FROM alembic_version").one()
    if versions != 1:
        yield finding(
            "store-damaged", Place(table="alembic_version"), said=f"it has {versions} rows instead of one"
        )


def _of_table(connection: Connection, table: Table, wrong: dict[str, str], row: str) -> Iterator[Finding]:
    tests = ", ".join(f"{test}" for test in wrong.values())
    query = f'SELECT {row}, {tests} FROM "{table.name}" WHERE {" OR ".join(wrong.values())} LIMIT {_MOST_OF_TABLE}'  # noqa: S608 - names of the schema
    for number, *columns in connection.exec_driver_sql(query):
        for name, is_wrong in zip(wrong, columns, strict=True):
            if is_wrong:
                fault = f"{name} is {_FAULTS[table.c[name].type.python_type]}"
                yield finding("store-damaged", Place(table=table.name, rows=(number,)), said=fault)


def _row(table: Table) -> str:
    """Return what numbers the rows of a table in a file: in those of a key of several columns, how many come before."""
    if len(table.primary_key) == 1:
        return "rowid"
    key, earlier = (
        ", ".join(f'{of}."{column.name}"' for column in table.primary_key) for of in (table.name, "earlier")
    )
    return f"(SELECT count(*) FROM {table.name} AS earlier WHERE ({earlier}) <= ({key}))"  # noqa: S608 - names of the schema


def _wrong(column: Column[Any], *, on_file: bool) -> str:
    """Return the condition that a column holds what it cannot; empty where the store itself sees to that."""
    kinds = _ON_FILE if on_file else _ON_SERVER
    test = kinds.get(column.type.python_type)
    if test is None:
        return ""
    name = f'"{column.name}"'
    right = test.format(name)
    return f"(({f'{name} IS NULL OR ({right})' if column.nullable else right}) IS NOT TRUE)"


def _readable(value: bytes | None) -> bool:
    try:
        # Python is given nothing for bytes that are none.
        (value or b"").decode()
    except UnicodeDecodeError:
        return False
    return True
