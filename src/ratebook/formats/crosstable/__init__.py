"""The published text crosstable, and the rating report that is printed before an event is rated."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="rating-report",
        title="rating report as text",
        page="crosstable.md",
        reader="ratebook.formats.crosstable.rating_report",
    ),
    Format(
        name="crosstable",
        title="text crosstable",
        page="crosstable.md",
        reader="ratebook.formats.crosstable.read",
        writer="ratebook.formats.crosstable.write",
        suffixes=(".txt",),
        private=False,
        shows_after=True,
    ),
)
