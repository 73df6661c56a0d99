"""The first page of a director: what was sent and what became of it, and what is being tried."""

from operator import attrgetter

from litestar import Response

from ratebook.book.facts.members import names_of
from ratebook.pages.columns import Column, Columns
from ratebook.web.director.links import HOME, SUBMISSION
from ratebook.web.director.submissions import OwnSubmission, own_submissions
from ratebook.web.forms.context import TheContext
from ratebook.web.layout.tables import Look, html_table
from ratebook.web.layout.words import day_words, in_title_case
from ratebook.web.routing import Needs, shown_to
from ratebook.web.store.reports.notes import asked_by_office
from ratebook.web.store.reports.previews import own_previews
from ratebook.web.store.sendings import sent_by

SENT: Columns[OwnSubmission] = (
    Column("Event", lambda sent: in_title_case(sent.newest.event_name) or sent.newest.source_name),
    Column("Status", "state.words"),
    Column("Blocked by", "blocked"),
    Column("Days left", "left", "right"),
)
LOOKS = {
    "ready": Look.GOOD,
    "rated": Look.GOOD,
    "published": Look.GOOD,
    "held": Look.CAUTION,
    "not": Look.BAD,
}
"""How the badges of states are set, by their first words."""


@shown_to(Needs.DIRECTOR, HOME, costly=True)
def director_home(context: TheContext) -> Response[bytes]:
    """Show the reports that an account sent, and those that it tries."""
    account = context.visitor.account
    with context.gate.store.reading() as connection:
        own = sent_by(connection, account.id)
        tried = own_previews(connection, account.id, context.gate.now())
    with context.site.reading() as reader:
        names = names_of(reader.connection, [account.member_id])
        days = reader.federation.profile.checks.days_to_report
        sent = own_submissions(reader.connection, own, days, reader.today)
    with context.gate.store.reading() as connection:
        letters = asked_by_office(connection, account.id, [row.first for row in sent])
    return context.page(
        "director/home.html",
        name=names.get(account.member_id, ""),
        sent=html_table(
            "Reports that you sent, newest first",
            SENT,
            sent,
            {"Event": lambda row: SUBMISSION(row.newest.id)},
            heads="Event",
            under={
                "Event": lambda row: (
                    f"Report {row.newest.id} · received {day_words(row.newest.received, short=True)}"
                    + (" · the office wrote to you" if row.first in letters else "")
                )
            },
            narrow={"Event": attrgetter("blocked")},
            wide=("Blocked by",),
            below=("Status",),
            looks={"Status": lambda text: LOOKS.get(text.split(maxsplit=1)[0].rstrip(":,"), Look.BADGE)},
        ),
        letters=[SUBMISSION(row.newest.id) for row in sent if row.first in letters],
        blocked=[SUBMISSION(row.newest.id) for row in sent if row.held_by],
        days=days,
        tried=tried,
    )
