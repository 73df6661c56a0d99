"""Queries that pages ask again and again: written out once, as the driver of a store takes them."""

from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Boolean, Date, Dialect, Select
from sqlalchemy.exc import DBAPIError

from ratebook.book.connection import Connection

Value: TypeAlias = str | int | float | list[str] | list[int] | None
"""Of a parameter, as every driver takes it; a list for one that expands."""


class QueryText(NamedTuple):
    """A query in the language of a store, for lists of some lengths.

    Attributes:
        text: as the driver takes it.
        binds: of each value in the text: its name there, the parameter that it is of, and the place in a list.
        own: the values that are the query's own, by name.
    """

    text: str
    binds: tuple[tuple[str, str, int | None], ...]
    own: Mapping[str, Any]


class QueryOfStore:
    """A query for stores of one kind, with what its text is for lists of each length."""

    def __init__(self, query: Select[Any], dialect: Dialect) -> None:
        columns = query.selected_columns
        row: Any = namedtuple("Row", columns.keys(), rename=True)  # type: ignore[misc]  # noqa: PYI024 - known to the query
        # Texts and numbers are those of the driver.
        kinds = [
            (at, column.type) for at, column in enumerate(columns) if isinstance(column.type, Boolean | Date)
        ]
        readers = [(at, kind.dialect_impl(dialect).result_processor(dialect, None)) for at, kind in kinds]
        self.row_of = row._make
        self.readers = [(at, read) for at, read in readers if read is not None]
        self._compiled = query.compile(dialect=dialect)
        self._in_order = dialect.positional
        self._texts: dict[tuple[int, ...], QueryText] = {}

    def filled(self, values: Mapping[str, Value]) -> tuple[str, tuple[Any, ...] | dict[str, Any]]:
        """Return its text with *values* as the driver takes them: in the order of the text, or by name."""
        lengths = tuple(len(value) for value in values.values() if isinstance(value, list))
        if lengths not in self._texts:
            self._texts[lengths] = self._text_for(values)
        text, binds, own = self._texts[lengths]
        known: dict[str, Any] = {**own, **values}
        if self._in_order:
            return text, tuple([known[of] if at is None else known[of][at] for _, of, at in binds])
        return text, {name: known[of] if at is None else known[of][at] for name, of, at in binds}

    def _text_for(self, values: Mapping[str, Value]) -> QueryText:
        state = self._compiled.construct_expanded_state(dict(values))
        in_lists = {
            name: (parameter, at)
            for parameter, names in state.parameter_expansion.items()
            for at, name in enumerate(names)
        }
        names = state.positiontup or state.parameters
        own = state.parameters.keys() - values.keys() - in_lists.keys()
        return QueryText(
            text=state.statement,
            binds=tuple((name, *in_lists.get(name, (name, None))) for name in names),
            own={name: state.parameters[name] for name in own},
        )


class PreparedQuery:
    """A query that is asked with other values each time, always of the same names.

    SQLAlchemy would look up at each execution what it has compiled, write lists of values into it anew, and describe
    the result: a page of fifteen queries took a fifth longer (docs/performance.md).
    """

    def __init__(self, query: Select[Any]) -> None:
        self._query = query
        self._of_stores: dict[str, QueryOfStore] = {}

    def rows(self, connection: Connection, **values: Value) -> list[Any]:
        """Return all rows, with the names of the columns."""
        query = self._for(connection.dialect)
        rows = ask(connection, *query.filled(values))
        for at, read in query.readers:
            rows = [(*row[:at], read(row[at]), *row[at + 1 :]) for row in rows]
        return list(map(query.row_of, rows))

    def tuples(self, connection: Connection, **values: Value) -> Sequence[Any]:
        """Return all rows as the driver gives them: quick to take apart, but days are texts in SQLite."""
        return ask(connection, *self._for(connection.dialect).filled(values))

    def _for(self, dialect: Dialect) -> QueryOfStore:
        if dialect.name not in self._of_stores:
            self._of_stores[dialect.name] = QueryOfStore(self._query, dialect)
        return self._of_stores[dialect.name]


def ask(connection: Connection, text: str, binds: tuple[Any, ...] | dict[str, Any]) -> Sequence[Any]:
    """Return all rows of a query in the language of the store; failures are those of SQLAlchemy."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(text, binds)
        return cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as failure:
        raise DBAPIError.instance(
            text, None, failure, connection.dialect.loaded_dbapi.Error, dialect=connection.dialect
        ) from failure
    finally:
        cursor.close()
