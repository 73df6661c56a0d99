"""Whole histories at once: the engine compiled, over columns in Arrow tables (docs/history-columns.md).

The names below are loaded when they are first used; they need the libraries of the extra ``bulk``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.replay.frames import rated_frame
    from ratebook.replay.history import HistoryWriter, write_history
    from ratebook.replay.run import (
        Options,
        Replayed,
        WrittenLedger,
        check_history,
        ledger_of,
        replay,
        replay_to_file,
    )
    from ratebook.replay.tables import History

_HOMES = {
    "frames": ("rated_frame",),
    "history": ("HistoryWriter", "write_history"),
    "run": ("Options", "Replayed", "WrittenLedger", "check_history", "ledger_of", "replay", "replay_to_file"),
    "tables": ("History",),
}

__all__ = [
    "History", "HistoryWriter", "Options", "Replayed", "WrittenLedger", "check_history", "ledger_of",
    "rated_frame", "replay", "replay_to_file", "write_history",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    for module, names in _HOMES.items():
        if name in names:
            try:
                return getattr(import_module(f"{__name__}.{module}"), name)
            except ModuleNotFoundError as missing:
                missing.add_note(
                    "ratebook.replay needs the extra bulk; in the program's folder: pip install '.[bulk]'"
                )
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
