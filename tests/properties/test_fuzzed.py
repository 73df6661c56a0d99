"""What ``make fuzz`` reads for hours, for a moment: readers of reports and settings, each with a seed and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz import reports, settings
from fuzz.mutation import changed

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = 3
"""Of the first seed of each reader."""


def test_no_reader_raises_what_it_does_not_document(tmp_path: Path) -> None:
    readers = (*reports.READERS, *settings.readers(tmp_path / "fuzzed"))
    assert len({one.name for one in readers}) == len(readers)
    for number, reader in enumerate(readers):
        for data in (reader.seeds[0], *(changed(reader.seeds[0], seed) for seed in range(CHANGES))):
            try:
                reader.read(data)
            except Exception as failure:
                raise AssertionError(f"reader {number}, {reader.name}: {data[:300]!r}") from failure
