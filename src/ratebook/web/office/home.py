"""The first page of the office: what waits."""

from litestar import Response

from ratebook.book.ledger.lists import newest_list
from ratebook.book.ledger.pending import read_pending
from ratebook.book.submissions import QueueFilter
from ratebook.pages.queue import queue_page, queue_totals
from ratebook.web.forms.context import TheContext
from ratebook.web.office.queue.overview import COLUMNS, LEADING
from ratebook.web.rendering import html_table
from ratebook.web.routing import Needs, shown_to

REPORTS_SHOWN = 20


@shown_to(Needs.OFFICE, "/office")
def office_home(context: TheContext) -> Response[bytes]:
    """Show how many reports wait, what is to be rated again, and which list is the newest."""
    with context.site.reading() as reader:
        lines = queue_page(reader.connection, QueueFilter())
        pending = len(read_pending(reader.connection))
        month = newest_list(reader.connection)
    return context.page(
        "office/home.html",
        totals=queue_totals(lines),
        oldest=html_table(
            "Reports that wait, the oldest first", COLUMNS, lines[:REPORTS_SHOWN], LEADING, heads="Event"
        ),
        pending=pending,
        month=month,
    )
