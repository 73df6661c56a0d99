"""Statements compiled once for all books of a process: each book has an engine, and each engine would do it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection


class CompiledStatements(dict[Any, Any]):
    """Compiled statements by the kind of a dialect, of which each engine has one of its own."""

    def get(self, key: tuple[Any, ...], default: object = None) -> object:
        """Return a statement, if it was compiled before."""
        return super().get(_shared(key), default)

    def __setitem__(self, key: tuple[Any, ...], value: object) -> None:
        """Keep a statement."""
        super().__setitem__(_shared(key), value)


def _shared(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return type(key[0]), *key[1:]


_COMPILED = CompiledStatements()


def share_statements(connection: Connection) -> None:
    """Let a connection use what those of all books compile."""
    connection.execution_options(compiled_cache=_COMPILED)
