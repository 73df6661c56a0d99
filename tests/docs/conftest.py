"""Make the generator of the pages importable: the scripts of the project are no package of it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
