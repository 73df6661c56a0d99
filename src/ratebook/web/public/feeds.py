"""Atom feeds (RFC 4287): the newly rated sections and official ratings of a player, and the newest events."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote
from xml.etree import ElementTree as ET

from litestar import Request, Response
from litestar.datastructures import State
from litestar.params import FromPath
from litestar.response import Redirect

from ratebook.book.facts.members import holding_id, names_of
from ratebook.book.ledger.lists import list_headers, published_ratings
from ratebook.book.ledger.runs import RatedEvent, RatedRow, newly_rated_events, rated_moments
from ratebook.book.profile import opened_at
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import counted, event_title
from ratebook.pages.crosstable import rating_text
from ratebook.pages.member import history_page, moved_words
from ratebook.pages.official.lists import month_words
from ratebook.records.players import OfficialRating, SectionResult
from ratebook.records.system_titles import SYSTEM_TITLES
from ratebook.web.layout.words import person_name
from ratebook.web.public.links import EVENT_PAGE, OFFICIAL_PAGE, PLAYER_FEED, PLAYER_PAGE, WHY_PAGE
from ratebook.web.routing import public
from ratebook.web.site import TheSite

MOST_EVENTS = 50
MOST_SECTIONS = 30
MOST_LISTS = 12
MEDIA_TYPE = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

FeedRequest: TypeAlias = Request[Any, Any, State]


class FeedEntry(NamedTuple):
    """Something new: *parts* name it for ever, *path* leads to its page."""

    parts: tuple[str, ...]
    title: str
    summary: str
    path: str
    updated: str


class Feed(NamedTuple):
    """A feed of a federation, which has the page at *path*; *opened* is its moment while it has no entry."""

    federation: str
    parts: tuple[str, ...]
    title: str
    path: str
    opened: str
    entries: Sequence[FeedEntry]


@public("/events/feed.atom")
def newest_events(request: FeedRequest, site: TheSite) -> Response[bytes]:
    """Tell which events were rated last."""
    with site.reading() as reader:
        events = newly_rated_events(reader.connection, MOST_EVENTS)
        opened = opened_at(reader.connection)
    name = reader.federation.profile.name
    feed = Feed(
        federation=name,
        parts=("events",),
        title=f"{name}: newly rated events",
        path="/events",
        opened=opened,
        entries=list(map(_event_entry, events)),
    )
    return atom(request, feed)


def _event_entry(event: RatedEvent) -> FeedEntry:
    place = ", ".join(part for part in (event.city, event.state) if part)
    days = f"{event.start} to {event.end}" if event.start and event.start != event.end else f"{event.end}"
    summary = ". ".join(part for part in (days, place, counted(event.sections, "section")) if part)
    return FeedEntry(
        ("event", event.id),
        event_title(event.name, event.end),
        f"{summary}.",
        EVENT_PAGE(event.id),
        event.rated_at,
    )


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
        ratings = published_ratings(reader.connection, member)
        published = {header.month: header.published_at for header in list_headers(reader.connection)}
        opened = opened_at(reader.connection)
    entries = [
        _section_entry(member, line, moments[RatedRow(line.end, line.event, line.section, line.system)])
        for line in lines
    ]
    by_list = groupby(ratings, key=lambda rating: rating.month)
    for month, of_list in islice(by_list, MOST_LISTS):
        entries.append(_list_entry(member, month, of_list, published[month]))
    feed = Feed(
        federation=reader.federation.profile.name,
        parts=("player", member),
        title=f"{person_name(name)}: ratings",
        path=PLAYER_PAGE(member),
        opened=opened,
        entries=entries,
    )
    return atom(request, feed)


def _section_entry(member: str, result: SectionResult, rated_at: str) -> FeedEntry:
    system, moved = (
        SYSTEM_TITLES[result.system],
        f"{rating_text(result.before)} to {rating_text(result.after)}",
    )
    if result.event is None or result.section is None:
        parts = ("moved", member, result.system, str(result.end))
        title = f"{system} {rating_text(result.after)}: {moved_words(result)}"
        return FeedEntry(parts, title, f"{moved} on {result.end}.", PLAYER_PAGE(member), rated_at)
    event = event_title(result.event_name, result.end)
    return FeedEntry(
        ("rated", member, result.event, str(result.section), result.system),
        f"{system} {rating_text(result.after)} after {event}",
        f"{moved}, {result.score:g} of {result.games}, {result.end}.",
        WHY_PAGE(member, result.event, result.section, system=result.system),
        rated_at,
    )


def _list_entry(member: str, month: str, ratings: Iterable[OfficialRating], published_at: str) -> FeedEntry:
    words = (f"{SYSTEM_TITLES[rating.system]} {shown_rating(rating.official)}" for rating in ratings)
    title = f"Official in {month_words(month)}: {', '.join(words)}"
    return FeedEntry(("listed", member, month), title, f"{title}.", OFFICIAL_PAGE(member), published_at)


def atom(request: FeedRequest, feed: Feed) -> Response[bytes]:
    """Return a feed; its links lead to the host that was asked."""
    host = str(request.base_url).rstrip("/")
    entries = sorted(feed.entries, key=lambda entry: entry.updated, reverse=True)
    root = ET.Element("feed", xmlns=_NAMESPACE)
    _text(root, "id", lasting_id(feed.federation, *feed.parts))
    _text(root, "title", feed.title)
    _text(root, "updated", max((entry.updated for entry in entries), default=feed.opened))
    _text(ET.SubElement(root, "author"), "name", feed.federation)
    _link(root, "self", host + quote(request.url.path, safe="/%"), MEDIA_TYPE)
    _link(root, "alternate", host + feed.path, "text/html")
    for each in entries:
        entry = ET.SubElement(root, "entry")
        _text(entry, "id", lasting_id(feed.federation, *each.parts))
        _text(entry, "title", each.title)
        _text(entry, "updated", each.updated)
        _link(entry, "alternate", host + each.path, "text/html")
        _text(entry, "summary", each.summary)
    body = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, media_type=MEDIA_TYPE)


def lasting_id(*parts: str) -> str:
    """Return the name of a feed or an entry, which is the same for ever and on every server.

    It is a UUID of version 8, made from a hash (RFC 9562, section 5.8).

    >>> lasting_id("Example", "events")
    'urn:uuid:b043fd4b-d620-8575-90ab-32263869faeb'
    """
    digits = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    variant = f"{int(digits[16], 16) & 3 | 8:x}"
    fields = (digits[:8], digits[8:12], f"8{digits[13:16]}", variant + digits[17:20], digits[20:32])
    return f"urn:uuid:{'-'.join(fields)}"


def _text(within: ET.Element, name: str, text: str) -> None:
    ET.SubElement(within, name).text = _NOT_IN_XML.sub("\ufffd", text)


def _link(within: ET.Element, rel: str, address: str, kind: str) -> None:
    ET.SubElement(within, "link", rel=rel, type=kind, href=address)
