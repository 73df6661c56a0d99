"""The native report, ``ratebook-report/1``."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="native",
        title="native report, JSON",
        page="report.md",
        reader="ratebook.formats.native.read",
        writer="ratebook.formats.native.write",
        suffixes=(".json",),
    ),
)
