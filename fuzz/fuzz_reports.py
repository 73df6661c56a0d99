"""Coverage-guided fuzzing of every reader of reports: ``make fuzz`` (FUZZ_SECONDS=600 for longer).

Any exception is a finding of the fuzzer: readers answer bad input with findings, never with a traceback. The corpus is
what ``examples/`` holds; what the fuzzer learns goes into a folder that git ignores.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ratebook"]):
    from ratebook.checks import check_report
    from ratebook.findings import has_errors
    from ratebook.formats import registry
    from ratebook.formats.crosstable import rating_report
    from ratebook.formats.crosstable import read as crosstable
    from ratebook.formats.csv_report import read as csv_report
    from ratebook.formats.native import read as native
    from ratebook.formats.ratings_api import read as ratings_api
    from ratebook.formats.trf import read as trf
    from ratebook.formats.uschess import read as uschess

ROOT = Path(__file__).resolve().parent.parent
READERS = (native, ratings_api, crosstable, rating_report, csv_report, trf, uschess)


def one_input(data: bytes) -> None:
    """Read *data* as whatever it looks like, and by the reader that its first byte chooses."""
    parsed = registry.read_report(data, "fuzzed")
    if parsed.report is not None:
        check_report(parsed.report)
    elif not has_errors(parsed.findings):
        raise AssertionError("no report and no error")
    if data:
        source = registry.source_of_bytes(data[1:], "fuzzed") if not data[1:].startswith(b"PK") else None
        if source is not None:
            READERS[data[0] % len(READERS)].parse(source, registry.NO_HINTS)


def corpus(folder: Path) -> None:
    """Copy the examples into *folder* as the seeds of the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (ROOT / "examples").rglob("*"):
        if path.is_file():
            (folder / f"seed-{path.name}").write_bytes(path.read_bytes())


if __name__ == "__main__":
    learned = ROOT / "fuzz" / "corpus"
    corpus(learned)
    atheris.Setup([sys.argv[0], str(learned), *sys.argv[1:]], one_input)
    atheris.Fuzz()
