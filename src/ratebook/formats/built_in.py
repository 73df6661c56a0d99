"""The formats of this program, in the order of recognition: from the most particular one to the least."""

from ratebook.formats.contract import Format

PARTICULAR = (
    Format(
        name="native",
        title="native report, JSON",
        page="report.md",
        reader="ratebook.formats.native.read",
        writer="ratebook.formats.native.write",
        suffixes=(".json",),
    ),
    Format(
        name="api-json",
        title="standings of the ratings API, JSON",
        page="ratings-api.md",
        reader="ratebook.formats.ratings_api.read",
    ),
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
    Format(
        name="swisssys",
        title="event of SwissSys 11 (.sjson)",
        page="swisssys.md",
        reader="ratebook.formats.swisssys.read",
    ),
    Format(
        name="trf26",
        title="FIDE tournament report, TRF26",
        page="trf.md",
        reader="ratebook.formats.trf.read",
        writer="ratebook.formats.trf.write",
        suffixes=(".trf", ".trfx"),
        edition=26,
    ),
    Format(
        name="trf16",
        title="FIDE tournament report, TRF16",
        page="trf.md",
        reader="ratebook.formats.trf.read",
        writer="ratebook.formats.trf.write",
        edition=16,
    ),
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
    Format(
        name="pairings",
        title="pairings with results by round and board, as text or a table",
        page="pairings.md",
        reader="ratebook.formats.pairings.read",
    ),
)
GENERAL = (
    Format(
        name="csv",
        title="table with one row for each player: CSV, Excel, or a wall chart as text",
        page="csv-report.md",
        reader="ratebook.formats.csv_report.read",
        writer="ratebook.formats.csv_report.write",
        suffixes=(".csv",),
    ),
    Format(
        name="members-csv",
        title="members list, CSV (players only)",
        page="members-csv.md",
        writer="ratebook.player_lists.members_csv",
    ),
)
"""The formats of installed packages come between the two."""

BUILT_IN = (*PARTICULAR, *GENERAL)
