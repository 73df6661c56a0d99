"""Work counted in steps, which are the same on every machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

SCANNED_IN_A_STEP = 64
"""Characters that a method of a text may look at in one step."""
FOURFOLD = 4.2
"""The most by which linear work grows from one size to four times the size."""


def steps_of(call: Callable[[], object]) -> int:
    """Return the steps that *call* takes: lines, calls, and the length of every text whose methods are called."""
    steps = 0

    def count_line(_frame: FrameType, _event: str, _what: object) -> Any:  # noqa: ANN401 - what sys.settrace takes
        nonlocal steps
        steps += 1
        return count_line

    def count_call(_frame: FrameType, event: str, called: object) -> None:
        nonlocal steps
        if event == "c_call":
            owner = getattr(called, "__self__", None)
            steps += 1 + (
                len(owner) // SCANNED_IN_A_STEP if isinstance(owner, str | bytes | bytearray) else 0
            )

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(count_line)
    sys.setprofile(count_call)
    try:
        call()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return steps


def growth_of(call: Callable[[Any], object], small: Any, large: Any) -> float:  # noqa: ANN401 - whatever the call takes
    """Return how many times the steps for *small* the steps for *large* are."""
    # The first call alone imports modules and fills caches.
    call(small)
    return steps_of(lambda: call(large)) / steps_of(lambda: call(small))
