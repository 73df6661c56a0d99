"""The work of an office that keeps a book: submit, rate, correct, re-rate, verify, publish."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much of a long operation is done, and of how much."""


def no_progress(done: int, total: int) -> None:
    """Do nothing."""
    del done, total
