"""Writes the snapshot of the timeline that ships with the program: ``python -m ratebook.rules.write_snapshot``."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from ratebook.rules.loading import parse_files, read_files
from ratebook.rules.snapshot import SNAPSHOT, TIMELINE, digest_of


def main() -> None:
    """Write the snapshot of the TOML files as they are now."""
    files = read_files(TIMELINE)
    stored = {"digest": digest_of(files), "files": parse_files(files)}
    text = json.dumps(stored, default=date.isoformat, ensure_ascii=False, separators=(",", ":"))
    (Path(TIMELINE) / SNAPSHOT).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
