"""The parts of which pages are made, each once: for who writes a page, and for the tests that look at every page."""

from datetime import date
from typing import NamedTuple

from litestar import Response

from ratebook.book.ledger.history import SeriesPoint
from ratebook.pages.columns import Column, Columns, counted
from ratebook.records.federation import RatingBand
from ratebook.records.players import Score
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.layout.choices import MenuItem
from ratebook.web.layout.tables import Look, change_look, html_table, result_look
from ratebook.web.pictures.activity import activity
from ratebook.web.pictures.climb import ClimbPart
from ratebook.web.pictures.histogram import histogram
from ratebook.web.pictures.pips import pips
from ratebook.web.pictures.spark import sparkline
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite


class SampleRow(NamedTuple):
    """A line of the table that the page of the parts shows."""

    name: str
    change: str
    result: str
    games: str
    status: str


ROWS = (
    SampleRow("Alice Heron", "+23", "W2", "WWHD", "ready"),
    SampleRow("Bruno Alder", "-8", "L1", "LDXL", "needs a look"),
    SampleRow("Carla Finch", "0", "D4", "D", "1 error"),
)
COLUMNS: Columns[SampleRow] = (
    Column("Player", "name"),
    Column("Score", lambda row: counted(len(row.games), "round")),
    Column("R1", "result"),
    Column("Change", "change", "right"),
    Column("Status", "status"),
)
LOOKS = {"ready": Look.GOOD, "needs a look": Look.CAUTION, "1 error": Look.BAD}
POINTS = tuple(
    SeriesPoint(date(2025, 1 + at, 16), rating, "")
    for at, rating in enumerate((1702.0, 1725.0, 1713.0, 1741.0, 1760.0))
)
BANDS = tuple(
    RatingBand(least=1000 + 100 * at, players=players) for at, players in enumerate((3, 9, 14, 8, 2))
)
SCORE = Score(
    games=9, wins=5, draws=2, losses=2, games_of_rated=0, points_of_rated=0.0, expected_of_rated=None
)
CLIMB = (
    ClimbPart(title="Before", text="1702", kind="whole", left=0, width=500),
    ClimbPart(title="Score above expectation", text="+23", kind="up", left=500, width=300),
    ClimbPart(title="After", text="1725", kind="whole", left=0, width=800),
)
INPUTS = (
    Input("opponent", "Opponent", InputKind.TEXT, hint="A rating, an id or a name."),
    Input("reason", "Reason", InputKind.LONG, needed=False),
    Input("result", "Result", InputKind.CHOICE, choices=(("W", "won"), ("D", "drawn"), ("L", "lost"))),
    Input("sure", "I have checked it", InputKind.CHECK),
)


@public("/design")
def design(site: TheSite) -> Response[bytes]:
    """Show the parts of which pages are made, with invented figures."""
    return page(
        "public/design.html",
        site.face(),
        table=html_table(
            "A table",
            COLUMNS,
            ROWS,
            {"Player": lambda _: "#table"},
            under={"Player": lambda _: "16 December 2025 · Open"},
            looks={"Change": change_look, "R1": result_look, "Status": LOOKS.__getitem__},
            pictures={"Score": lambda row: pips(row.games)},
            marked=lambda row: row.status == "1 error",
        ),
        line=sparkline(POINTS),
        bars=histogram(BANDS, 1250.0),
        score=SCORE,
        climb_parts=CLIMB,
        months=activity(((point.end, 4) for point in POINTS), date(2025, 12, 31)),
        choice=[
            MenuItem("Waiting", "#choice", is_here=True, waiting=3),
            MenuItem("Rated", "#choice", is_here=False),
        ],
        form=Form("#form", "Preview", INPUTS, {"opponent": "1500"}),
        day=date(2025, 12, 16),
    )
