"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Told how much of how much is done."""


def unseen(done: int, total: int) -> None:
    """Tell nobody."""
    del done, total


def untold() -> None:
    """Tell nobody that something begins."""
