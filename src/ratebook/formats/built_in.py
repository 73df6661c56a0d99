"""The formats of this program, in the order of recognition: from the most particular one to the least."""

from typing import Any

from ratebook.formats.contract import Format


def _own(name: str, title: str, page: str, reader: str, writer: str = "", **more: Any) -> Format:  # noqa: ANN401 - as a format has it
    """Return a format whose modules are in this folder."""
    home = __package__
    return Format(name, title, page, f"{home}.{reader}", f"{home}.{writer}" if writer else "", **more)


PARTICULAR = (
    _own("native", "native report, JSON", "report.md", "native.read", "native.write", suffixes=(".json",)),
    _own("api-json", "standings of the ratings API, JSON", "ratings-api.md", "ratings_api.read"),
    _own(
        "uschess-2c",
        "US Chess rating report, 2C (three DBF files)",
        "uschess.md",
        "uschess.read",
        "uschess.write_2c",
        suffixes=(".zip", ""),
        private=False,
    ),
    _own(
        "uschess-1991",
        "US Chess rating report of 1991 (three DBF files)",
        "uschess.md#the-layout-of-1991",
        "uschess.read",
        edition=1991,
    ),
    _own("swisssys", "event of SwissSys 11 (.sjson)", "swisssys.md", "swisssys.read"),
    _own(
        "trf26",
        "FIDE tournament report, TRF26",
        "trf.md",
        "trf.read",
        "trf.write",
        suffixes=(".trf", ".trfx"),
        edition=26,
    ),
    _own("trf16", "FIDE tournament report, TRF16", "trf.md", "trf.read", "trf.write", edition=16),
    _own("rating-report", "rating report as text", "crosstable.md", "crosstable.rating_report"),
    _own(
        "crosstable",
        "text crosstable",
        "crosstable.md",
        "crosstable.read",
        "crosstable.write",
        suffixes=(".txt",),
        private=False,
        shows_after=True,
    ),
    _own(
        "pairings",
        "pairings with results by round and board, as text or a table",
        "pairings.md",
        "pairings.read",
    ),
)
GENERAL = (
    _own(
        "csv",
        "table with one row for each player: CSV, Excel, or a wall chart as text",
        "csv-report.md",
        "csv_report.read",
        "csv_report.write",
        suffixes=(".csv",),
    ),
    Format(
        "members-csv",
        "members list, CSV (players only)",
        "members-csv.md",
        writer="ratebook.player_lists.members_csv",
    ),
)
"""The formats of installed packages come between the two."""

BUILT_IN = (*PARTICULAR, *GENERAL)
