"""The CSV report: one row for each player and section."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="csv",
        title="table with one row for each player: CSV, Excel, or a wall chart as text",
        page="csv-report.md",
        reader="ratebook.formats.csv_report.read",
        writer="ratebook.formats.csv_report.write",
        suffixes=(".csv",),
    ),
)
