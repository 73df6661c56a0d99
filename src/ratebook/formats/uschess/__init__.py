"""The upload files of US Chess: the current format 2C, and the layout of 1991."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="uschess-2c",
        title="US Chess rating report, 2C (three DBF files)",
        page="uschess.md",
        reader="ratebook.formats.uschess.read",
        writer="ratebook.formats.uschess.write_2c",
        suffixes=(".zip", ""),
        private=False,
    ),
    Format(
        name="uschess-1991",
        title="US Chess rating report of 1991 (three DBF files)",
        page="uschess.md#the-layout-of-1991",
        reader="ratebook.formats.uschess.read",
        edition=1991,
    ),
)
