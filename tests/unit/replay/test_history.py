"""A history is written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ON_A_FULL_DISK = """
import resource, sys
from ratebook.replay.history import HistoryWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    with HistoryWriter(sys.argv[1]):
        pass
except OSError:
    print("refused")
"""


def test_a_disk_that_is_full_from_the_beginning_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ON_A_FULL_DISK, str(tmp_path / "history")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "refused\n"
    assert list(tmp_path.iterdir()) == []
