"""How long a test waits for what is sure to come: no measure of speed, only an end for what hangs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HANG_GUARD = 900.0
"""Seconds, many times what the slowest machine needs."""


def wait_until(condition: Callable[[], bool]) -> None:
    """Ask again and again whether *condition* holds; only for what gives no event to wait for."""
    end = time.monotonic() + HANG_GUARD
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
