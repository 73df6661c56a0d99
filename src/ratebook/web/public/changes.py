"""What was changed after it was rated, and why: for a player and for an event, in words that anyone may read."""

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.pages.changes import (
    EVENT_DECISIONS,
    EVENT_RERATINGS,
    PUBLIC_CHANGES,
    changes_page,
    event_changes,
)
from ratebook.pages.event import event_page
from ratebook.records.players import PlayerChange, PublicCause
from ratebook.web.public.links import EVENT_CHANGES_PAGE, PLAYER_CHANGES_PAGE, SECTION_PAGE, WHY_PAGE
from ratebook.web.rendering import HtmlTable, html_table, page
from ratebook.web.routing import NO_NUMBER, public
from ratebook.web.site import TheSite

MOST_CHANGES = 100


@public(PLAYER_CHANGES_PAGE)
def player_changes(
    site: TheSite,
    member: FromPath[str],
    before: Annotated[int | None, QueryParameter(ge=1, lt=NO_NUMBER)] = None,
) -> Response[bytes] | Redirect:
    """Show the ratings of a player that were changed after they were first given, the newest changes first."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(PLAYER_CHANGES_PAGE(holding), status_code=308)
        name = names_of(reader.connection, [member])[member]
        changes = changes_page(reader.connection, reader.federation, member, before=before, most=MOST_CHANGES)
    table = html_table(
        "Ratings that were changed, the newest changes first",
        PUBLIC_CHANGES,
        changes.lines,
        {
            "Event": lambda one: _section(one, member),
            "Because": lambda one: _corrected(one.because) or _changes_of(one.event),
        },
        heads="Event",
    )
    return page(
        "public/player_changes.html",
        member=member,
        name=name,
        table=table,
        older=changes.older,
        before=before,
    )


@public(EVENT_CHANGES_PAGE)
def changes_of_event(site: TheSite, event_id: FromPath[str]) -> Response[bytes]:
    """Show what was decided about an event since it was rated, and what re-ratings changed in it."""
    with site.reading() as reader:
        header = event_page(reader.connection, event_id)
        changes = event_changes(reader.connection, event_id, most=MOST_CHANGES)
    reratings = html_table(
        "Rated again",
        EVENT_RERATINGS,
        changes.reratings,
        {
            "Section": lambda rerating: SECTION_PAGE(event_id, rerating.section),
            "Because": lambda rerating: _corrected(rerating.because),
        },
        heads="What moved",
    )
    decisions = html_table(
        "Decisions",
        EVENT_DECISIONS,
        changes.decisions,
        {
            "Section": lambda decision: (
                "" if decision.section is None else SECTION_PAGE(event_id, decision.section)
            )
        },
        heads="Decision",
    )
    return page(
        "public/event_changes.html",
        event=header,
        decisions=decisions,
        reratings=reratings,
        waits=changes.waits,
    )


def former_ratings(lines: tuple[PlayerChange, ...]) -> HtmlTable:
    """Return the former ratings of a player after one section, as the page of its explanation shows them."""
    columns = tuple(one for one in PUBLIC_CHANGES if one.title not in {"Event", "Section", "End"})
    return html_table(
        "It was re-rated", columns, lines, {"Because": lambda one: _corrected(one.because)}, heads="Changed"
    )


def _section(change: PlayerChange, member: str) -> str:
    """Return where a change is explained: a rating that a decision moved has no explanation."""
    if change.event is None or change.section is None:
        return ""
    return WHY_PAGE(member, change.event, change.section, system=change.system)


def _changes_of(event_id: str | None) -> str:
    return "" if event_id is None else EVENT_CHANGES_PAGE(event_id)


def _corrected(because: tuple[PublicCause, ...]) -> str:
    """Return the page of the event that was corrected, where it is one."""
    events = {one.event for one in because if one.event is not None}
    return EVENT_CHANGES_PAGE(events.pop()) if len(events) == 1 else ""
