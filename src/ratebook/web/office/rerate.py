"""Re-rating in the browser: what waits, what it would change, and doing it on the book that was seen."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from litestar import Response
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from ratebook.book.connection import Connection
from ratebook.book.ledger.pending import Pending, read_pending
from ratebook.book.profile import revision
from ratebook.office.rating.difference import BUCKETS, change_columns, sizes
from ratebook.office.trials import FloorChange, Rerated
from ratebook.pages.columns import Column, Columns, counted
from ratebook.pages.records import PENDING, pending_as_json
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.forms.context import RequestContext, TheContext
from ratebook.web.forms.inputs import Form
from ratebook.web.forms.once import REVISION, Answer
from ratebook.web.jobs.kinds import result_of
from ratebook.web.jobs.registry import RERATE, RERATE_PREVIEW
from ratebook.web.jobs.worker import TheJobs
from ratebook.web.layout.tables import HtmlTable, change_look, html_table
from ratebook.web.layout.words import code_words, person_name
from ratebook.web.office.links import JOB, MEMBER
from ratebook.web.office.links import RERATE as HERE
from ratebook.web.office.records import RecordNames
from ratebook.web.routing import Needs, done_by, shown_to
from ratebook.web.store.jobs import newest_jobs

PENDING_SHOWN = 100
PREVIEW = f"{HERE}/preview"
_KIND = re.compile(r"(?<=, )[a-z]+(?:-[a-z]+)+(?=,|$)")
_SYSTEM: Column[Any] = Column("System", "system", format=SYSTEM_TITLES.__getitem__)
FLOORS: Columns[FloorChange] = (
    Column("Before", "before", "right", ".0f"),
    Column("After", "after", "right", ".0f"),
)


class Bar(NamedTuple):
    """A class of changes: how many there are, and its length beside the longest, of 100."""

    size: str
    ratings: int
    length: float


def bars(histogram: Sequence[int]) -> list[Bar]:
    """Return the classes of a histogram as bars.

    >>> bars((4, 1, 0, 0, 0, 0, 0, 0))[:2]
    [Bar(size='up to 1', ratings=4, length=100.0), Bar(size='1 to 5', ratings=1, length=25.0)]
    """
    assert len(histogram) == len(BUCKETS) + 1  # noqa: S101 - as it is made
    most = max(*histogram, 1)
    return [Bar(size, count, round(100 * count / most, 1)) for size, count in sizes(histogram)]


@shown_to(Needs.OFFICE, HERE)
def rerate_page(context: TheContext) -> Response[bytes]:
    """Show what waits for a re-rating."""
    with context.site.reading() as reader:
        pending = read_pending(reader.connection)
        now = revision(reader.connection)
        waiting = pending_table(
            reader.connection, "What waits, in the order of history", pending[:PENDING_SHOWN]
        )
    with context.gate.store.reading() as connection:
        kinds = (RERATE_PREVIEW, RERATE)
        done = list(chain.from_iterable(newest_jobs(connection, 5, kind) for kind in kinds))
    newest = sorted(done, key=lambda job: job.number, reverse=True)[:5]
    return context.page(
        "office/rerate/waiting.html",
        findings=context.findings,
        waits=len(pending),
        pending=waiting,
        shown=PENDING_SHOWN,
        form=_ask_again(context) if pending else None,
        current=next((one for one in newest if _is_current(context, one.number, now)), None),
        jobs=newest,
    )


@done_by(Needs.OFFICE, PREVIEW)
def preview_rerate(context: TheContext, jobs: TheJobs) -> Answer:
    """Ask for a preview."""

    def work() -> str:
        return JOB(jobs.ask(RERATE_PREVIEW, {}, context.visitor, context.site.revision()))

    return context.decide((), work, rerate_page)


@done_by(Needs.OFFICE, HERE)
def do_rerate(context: TheContext, jobs: TheJobs) -> Answer:
    """Rate again, if the book is still what the preview started from."""

    def work() -> str:
        now = context.site.revision()
        context.check_seen(context.sent.whole(REVISION), now)
        return JOB(jobs.ask(RERATE, {}, context.visitor, now))

    return context.decide((), work, rerate_page)


@shown_to(Needs.OFFICE, f"{HERE}/{{number:int}}")
def rerate_result(context: TheContext, number: FromPath[int]) -> Response[bytes]:
    """Show what a re-rating changed, or would change."""
    job = context.job(number)
    would = result_of(job, RERATE_PREVIEW, Rerated)
    rerated = would or result_of(job, RERATE, Rerated)
    if job is None or rerated is None:
        raise NotFoundException
    with context.site.reading() as reader:
        is_now = revision(reader.connection) == rerated.revision
    do_it = None
    if would is not None and is_now and would.difference.run:
        do_it = context.form(HERE, "Rate again", revision=rerated.revision)
    return context.page(
        "office/rerate/result.html",
        job=job,
        found=rerated,
        is_preview=would is not None,
        form=do_it,
        preview=_ask_again(context) if would is not None and not is_now else None,
        changed=f"{counted(rerated.ratings, 'current rating')} of {counted(rerated.members, 'member')}",
        bars=bars(rerated.difference.histogram),
        largest=changes_table(
            "All changes" if len(rerated.difference.changes) == rerated.ratings else "The largest changes",
            rerated,
        ),
        titles=_of_members(
            "Titles gained or lost",
            rerated,
            rerated.titles,
            Column("Title", "title"),
            Column("Change", lambda change: "gained" if change.gained else "lost"),
        ),
        floors=_of_members("Floors that differ", rerated, rerated.floors, _SYSTEM, *FLOORS),
    )


def _is_current(context: RequestContext, number: int, now: int) -> bool:
    found = result_of(context.job(number), RERATE_PREVIEW, Rerated)
    return found is not None and found.revision == now


def _ask_again(context: RequestContext) -> Form:
    return context.form(PREVIEW, "Preview the re-rating")


def changes_table(caption: str, rerated: Rerated) -> HtmlTable:
    """Return the ratings that a re-rating changed, or would change."""
    return _of_members(
        caption, rerated, rerated.difference.changes, _SYSTEM, *change_columns(rerated.names)[-3:]
    )


def _of_members(caption: str, rerated: Rerated, changes: Sequence[Any], *columns: Column[Any]) -> HtmlTable:
    """Return what changed about members, a line each."""
    return html_table(
        caption,
        (Column("Name", lambda change: person_name(rerated.names.get(change.member, ""))), *columns),
        changes,
        {"Name": lambda change: MEMBER(change.member)},
        heads="Name",
        under={"Name": lambda change: change.member},
        narrow={"Name": lambda change: SYSTEM_TITLES[change.system]} if _SYSTEM in columns else None,
        looks={"Change": change_look},
        wide=("System",),
    )


def pending_table(
    connection: Connection, caption: str, waiting: Sequence[Pending], *, has_reasons: bool = True
) -> HtmlTable:
    """Return what waits for a re-rating, or would: from which section on, about which member, and why."""
    places = {pending: pending_as_json(pending) for pending in waiting}
    names = RecordNames.read(
        connection, (place["event"] for place in places.values()), (pending.member for pending in waiting)
    )
    sections = {
        pending: names.cell(place["event"], place["section"], None) for pending, place in places.items()
    }
    members = {pending: names.cell(None, None, pending.member) for pending in waiting}

    columns: Columns[Pending] = (
        PENDING[0],
        Column("Event", lambda pending: sections[pending].text),
        Column("Member", lambda pending: members[pending].text),
        Column(
            "Because of", lambda pending: _KIND.sub(lambda kind: code_words(kind[0]).lower(), pending.reason)
        ),
    )
    return html_table(
        caption,
        columns if has_reasons else columns[:-1],
        waiting,
        {"Event": lambda pending: sections[pending].link, "Member": lambda pending: members[pending].link},
        heads="From",
        under={
            "Event": lambda pending: sections[pending].under,
            "Member": lambda pending: members[pending].under,
        },
        below=("Event", "Member", "Because of"),
    )
