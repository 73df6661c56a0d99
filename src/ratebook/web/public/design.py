"""The parts of which pages are made, each once: for who writes a page, and for the tests that look at every page."""

from datetime import date
from typing import NamedTuple

from litestar import Response

from ratebook.book.audit import AuditEntry
from ratebook.book.ledger.history import SeriesPoint
from ratebook.findings import Place, finding
from ratebook.model import Shown, System
from ratebook.pages.columns import Column, Columns, counted, rounds_of
from ratebook.records.federation import RatingBand
from ratebook.records.players import CurrentRating, HeadToHead, Score
from ratebook.web.forms.inputs import Form, Input, InputKind
from ratebook.web.layout.choices import MenuItem
from ratebook.web.layout.face import themes_of
from ratebook.web.layout.tables import Look, crosstable_looks, html_table
from ratebook.web.pictures.activity import activity
from ratebook.web.pictures.climb import ClimbPart
from ratebook.web.pictures.graph import GraphLine, rating_graph
from ratebook.web.pictures.histogram import histogram
from ratebook.web.pictures.pips import pips
from ratebook.web.pictures.spark import sparkline
from ratebook.web.public.players.page import RatingCard
from ratebook.web.rendering import page
from ratebook.web.routing import public
from ratebook.web.site import TheSite
from ratebook.web.store.reports.notes import Note, NoteReader


class SampleRow(NamedTuple):
    """A line of the table that the page of the parts shows."""

    name: str
    points: str
    change: str
    rounds: tuple[str, ...]
    status: str


ROWS = (
    SampleRow(
        "Alice Heron", "6½", "+23", ("W22", "W14", "H", "D10", "W17", "L24", "W12", "W18", "D25"), "ready"
    ),
    SampleRow(
        "Bruno Alder", "3", "-8", ("L21", "D13", "X", "L26", "B", "L27", "D16", "L19", "U"), "needs a look"
    ),
    SampleRow("Carla Finch", "½", "0", ("D20", "F"), "1 error"),
)
COLUMNS: Columns[SampleRow] = (
    Column("Player", "name"),
    Column("Points", "points", "right"),
    Column("Change", "change", "right"),
    *rounds_of(ROWS, lambda row: row.rounds),
    Column("Score", lambda row: counted(len(row.rounds), "round")),
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
RATING = CurrentRating(
    system=System.REGULAR,
    current=Shown(1760, 14),
    official=Shown(1737),
    rating_class="",
    as_of=POINTS[-1].end,
)
FINDING = finding(
    "report-late",
    Place(),
    received="16 December 2025",
    days=33,
    end="13 November 2025",
    most_days_to_report=10,
)
ENTRY = AuditEntry(
    id=1,
    at="2025-12-16T18:04:00Z",
    by="office",
    action="accept-warning",
    subject="report 7",
    details="report-late",
    decision=None,
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
            looks=crosstable_looks(COLUMNS) | {"Status": LOOKS.__getitem__},
            pictures={"Score": lambda row: pips("".join(result[0] for result in row.rounds))},
            marked=lambda row: row.status == "1 error",
        ),
        card=RatingCard(RATING, sparkline(POINTS), "#graph", is_here=False),
        graph=rating_graph("OTB Regular", [GraphLine("OTB Regular", System.REGULAR, POINTS, "")]),
        ranges=[MenuItem("1 year", "#graph", is_here=True), MenuItem("All", "#graph", is_here=False)],
        entries=[ENTRY],
        findings=[FINDING],
        themes=themes_of("#7a1f6a"),
        note=Note("Dana Kestrel", ENTRY.at, "Please send the missing result.", NoteReader.SENDER),
        bars=histogram(BANDS, 1250.0),
        scores=[HeadToHead(system=System.REGULAR, colour=None, score=SCORE)],
        climb_parts=CLIMB,
        months=activity(((point.end, 4) for point in POINTS), date(2025, 12, 31)),
        choice=[
            MenuItem("Waiting", "#choice", is_here=True, waiting=3),
            MenuItem("Rated", "#choice", is_here=False),
        ],
        form=Form("#form", "Preview", INPUTS, {"opponent": "1500"}),
        day=date(2025, 12, 16),
    )
