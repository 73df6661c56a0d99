"""Whole histories at once: the engine compiled, over columns in Arrow tables (docs/history-columns.md).

The names below are loaded when they are first used; they need the libraries of the extra ``bulk``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.bulk.columns import History
    from ratebook.bulk.history import HistoryWriter, write_history
    from ratebook.bulk.replay import Options, Replayed, Written, check_history, replay, replay_to_file

_HOMES = {
    "History": "ratebook.bulk.columns",
    "HistoryWriter": "ratebook.bulk.history",
    "Options": "ratebook.bulk.replay",
    "Replayed": "ratebook.bulk.replay",
    "Written": "ratebook.bulk.replay",
    "check_history": "ratebook.bulk.replay",
    "replay": "ratebook.bulk.replay",
    "replay_to_file": "ratebook.bulk.replay",
    "write_history": "ratebook.bulk.history",
}

__all__ = [
    "History",
    "HistoryWriter",
    "Options",
    "Replayed",
    "Written",
    "check_history",
    "replay",
    "replay_to_file",
    "write_history",
]


class _Package(ModuleType):
    """This package: its ``replay`` is the function, also after the module of that name was loaded."""

    @property
    def replay(self) -> object:
        """The library call that replays a history."""
        return import_module(_HOMES["replay"]).replay

    @replay.setter
    def replay(self, module: object) -> None:
        """Take no notice: the import system puts a loaded module here."""


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
