"""Whole histories at once: the engine compiled, over columns in Arrow tables (docs/history-columns.md).

The names below are loaded when they are first used; they need the libraries of the extra ``bulk``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.replay.history import HistoryWriter, write_history
    from ratebook.replay.run import Options, Replayed, WrittenLedger, check_history, replay, replay_to_file
    from ratebook.replay.tables import History

_HOMES = {
    "History": "ratebook.replay.tables",
    "HistoryWriter": "ratebook.replay.history",
    "Options": "ratebook.replay.run",
    "Replayed": "ratebook.replay.run",
    "WrittenLedger": "ratebook.replay.run",
    "check_history": "ratebook.replay.run",
    "replay": "ratebook.replay.run",
    "replay_to_file": "ratebook.replay.run",
    "write_history": "ratebook.replay.history",
}

__all__ = [
    "History",
    "HistoryWriter",
    "Options",
    "Replayed",
    "WrittenLedger",
    "check_history",
    "replay",
    "replay_to_file",
    "write_history",
]


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
