"""How many examples Hypothesis makes: the same ones in each run, and three times as many in the soak."""

from __future__ import annotations

import os

from hypothesis import settings

ALL = "RATEBOOK_EXAMPLES" in os.environ
"""Set by `make soak`."""


def examples(number: int) -> settings:
    """Return settings for *number* examples in the soak, and for a third of them in each run."""
    return settings(max_examples=number if ALL else max(5, number // 3))
