"""Atom feeds: the newly rated sections and official ratings of a player, and the newest events."""

from litestar import Response
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.lists import MemberRating, published_moments, ratings_of_lists
from ratebook.book.ledger.runs import RatedEvent, RatedRow, newly_rated_events, rated_moments
from ratebook.book.profile import opened_at
from ratebook.model import System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import counted
from ratebook.pages.crosstable import SYSTEM_TITLES, rating_text
from ratebook.pages.member import history_page, moved_words
from ratebook.records.players import SectionResult
from ratebook.web.public.atom import Feed, FeedEntry, FeedRequest, atom
from ratebook.web.public.links import EVENT_PAGE, OFFICIAL_PAGE, PLAYER_FEED, PLAYER_PAGE, WHY_PAGE
from ratebook.web.routing import public
from ratebook.web.site import TheSite

MOST_EVENTS = 50
MOST_SECTIONS = 30
MOST_LISTS = 12


@public("/events/feed.atom")
def newest_events(request: FeedRequest, site: TheSite) -> Response[bytes]:
    """Tell which events were rated last."""
    with site.reading() as reader:
        events = newly_rated_events(reader.connection, MOST_EVENTS)
        opened = opened_at(reader.connection)
    name = reader.federation.profile.name
    entries = [_event_entry(one) for one in events]
    return atom(request, Feed(name, ("events",), f"{name}: newly rated events", "/events", opened, entries))


def _event_entry(one: RatedEvent) -> FeedEntry:
    place = ", ".join(part for part in (one.city, one.state) if part)
    days = f"{one.start} to {one.end}" if one.start and one.start != one.end else f"{one.end}"
    summary = ". ".join(part for part in (days, place, counted(one.sections, "section")) if part)
    return FeedEntry(("event", one.id), one.name or one.id, f"{summary}.", EVENT_PAGE(one.id), one.rated_at)


@public(PLAYER_FEED)
def newest_of_player(
    request: FeedRequest, site: TheSite, member: FromPath[str]
) -> Response[bytes] | Redirect:
    """Tell which sections of a player were rated last, and the newest official ratings."""
    with site.reading() as reader:
        holding = holding_id(reader.connection, member)
        if holding != member:
            return Redirect(PLAYER_FEED(holding), status_code=308)
        name = names_of(reader.connection, [member])[member] or member
        lines = history_page(reader.connection, reader.federation, member, most=MOST_SECTIONS).lines
        moments = rated_moments(reader.connection, member, lines[-1].end) if lines else {}
        ratings = ratings_of_lists(reader.connection, [member])
        published = published_moments(reader.connection)
        opened = opened_at(reader.connection)
    federation = reader.federation.profile.name
    entries = [
        _section_entry(member, one, moments[RatedRow(one.end, one.event, one.section, one.system)])
        for one in lines
    ]
    for month in sorted({month for month, _ in ratings}, reverse=True)[:MOST_LISTS]:
        those = [one for of_month, one in ratings if of_month == month]
        entries.append(_list_entry(member, month, those, published[month]))
    title = f"{name}: ratings"
    return atom(request, Feed(federation, ("player", member), title, PLAYER_PAGE(member), opened, entries))


def _section_entry(member: str, one: SectionResult, rated_at: str) -> FeedEntry:
    system, moved = SYSTEM_TITLES[one.system], f"{rating_text(one.before)} to {rating_text(one.after)}"
    if one.event is None or one.section is None:
        parts = ("moved", member, one.system, str(one.end))
        title = f"{system} {rating_text(one.after)}: {moved_words(one)}"
        return FeedEntry(parts, title, f"{moved} on {one.end}.", PLAYER_PAGE(member), rated_at)
    event = one.event_name or one.event
    return FeedEntry(
        ("rated", member, one.event, str(one.section), one.system),
        f"{system} {rating_text(one.after)} after {event}",
        f"{moved}, {one.score:g} of {one.games}, {one.end}.",
        WHY_PAGE(member, one.event, one.section, system=one.system),
        rated_at,
    )


def _list_entry(member: str, month: str, ratings: list[MemberRating], published_at: str) -> FeedEntry:
    order = list(System)
    words = [
        f"{SYSTEM_TITLES[one.system]} {shown_rating(one.official)}"
        for one in sorted(ratings, key=lambda each: order.index(each.system))
    ]
    title = f"Official in {month}: {', '.join(words)}"
    return FeedEntry(("listed", member, month), title, f"{title}.", OFFICIAL_PAGE(member), published_at)
