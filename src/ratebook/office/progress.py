"""Progress reporting for long operations."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


def no_progress(done: int, total: int) -> None:
    """Do nothing."""
    del done, total
