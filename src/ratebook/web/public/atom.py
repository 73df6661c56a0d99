"""Atom feeds (RFC 4287): what is new, for programs that ask now and then."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote
from xml.etree import ElementTree as ET

from litestar import Request, Response
from litestar.datastructures import State

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
