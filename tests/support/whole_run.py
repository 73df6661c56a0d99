"""What the processes of one run of the tests share, and how many examples Hypothesis makes in it."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO

    import pytest

SOAK = "RATEBOOK_EXAMPLES" in os.environ
"""Set by `make soak`, for all examples."""


def examples(number: int) -> settings:
    """Return settings for *number* examples in the soak, and for a third of them in each run."""
    return settings(max_examples=number if SOAK else max(5, number // 3))


def folder_of_run(factory: pytest.TempPathFactory) -> Path:
    """Return a temporary folder that all processes of the run see."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@contextmanager
def alone_with(path: Path) -> Iterator[TextIO]:
    """Give the file at *path*, from its beginning, while no other process has it."""
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file
