"""Rows of what anyone may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.book.ledger.lists import all_lists
from ratebook.model import System
from ratebook.official_lists.write import LIST_FORMATS
from ratebook.web.rendering import static_files
from support.web.federation import EVENT, OTHER, PLAYER
from support.web.routes.rows import Row

if TYPE_CHECKING:
    from ratebook.book.connection import Book

PAGES = {
    "/sign-in": "/sign-in",
    "/": "/",
    "/players": "/players?q=aspen",
    "/players/{member:str}": f"/players/{PLAYER}",
    "/players/{member:str}/history": f"/players/{PLAYER}/history",
    "/players/{member:str}/opponents": f"/players/{PLAYER}/opponents",
    "/players/{member:str}/against/{other:str}": f"/players/{PLAYER}/against/{OTHER}",
    "/players/{member:str}/compare": f"/players/{PLAYER}/compare?with=aspen",
    "/players/{member:str}/why/{event:str}/{number:int}": f"/players/{PLAYER}/why/{EVENT}/1",
    "/players/{member:str}/lists": f"/players/{PLAYER}/lists",
    "/players/{member:str}/changes": f"/players/{PLAYER}/changes",
    "/events/{event_id:str}/changes": f"/events/{EVENT}/changes",
    "/events": "/events?name=open",
    "/events/{event_id:str}": f"/events/{EVENT}",
    "/events/{event_id:str}/{number:int}": f"/events/{EVENT}/1",
    "/rankings": "/rankings",
    "/rankings/{system:str}": "/rankings/regular?age=u16&state=NY",
    "/lists": "/lists",
    "/lists/{month:str}": "/lists/2021-01?sort=regular",
    "/lists/{earlier:str}/against/{later:str}": "/lists/2020-12/against/2021-01",
    "/titles": "/titles?level=4",
    "/calculator": "/calculator?rating=1500P20&opponent=1400&result=W&opponent=1650&result=W&opponent=1700&result=D",
    "/about": "/about",
    "/design": "/design",
    "/privacy": "/privacy",
    "/accessibility": "/accessibility",
    "/api": "/api",
    "/data": "/data",
    "/rules": "/rules?on=2020-06-01",
    "/rules/{day:date}": "/rules/2021-02-01",
    "/rules/{first:date}/against/{second:date}": "/rules/2014-01-01/against/2021-01-01",
}
"""An address of each page, by its route."""

FEEDS = {
    "/players/{member:str}/feed.atom": f"/players/{PLAYER}/feed.atom",
    "/events/feed.atom": "/events/feed.atom",
}
"""An address of each feed, by its route."""

FILES = {"/robots.txt": "/robots.txt", "/lists/{month:str}/files/{kind:str}": "/lists/2021-01/files/csv"}
"""What is no page, by its route."""

ROUTES = {
    **{
        ("GET", route): Row("everyone", address)
        for route, address in (PAGES | FEEDS | FILES).items()
        if route not in {"/sign-in", "/api"}
    },
    ("GET", "/rules"): Row("everyone", PAGES["/rules"], "/rules/2020-06-01"),
    ("GET", "/static/{name:str}"): Row("everyone", f"/static/{static_files()['style.css'].name}"),
    ("GET", "/face/{name:str}"): Row("everyone", "/face/none.css", 404),
    ("GET", "/health"): Row("everyone"),
    ("GET", "/ready"): Row("everyone"),
}


def values_in(book: Book) -> dict[str, list[str]]:
    """Return what the parameters of public addresses can be in a book, by their names."""
    with book.reading() as connection:
        members = sorted(connection.exec_driver_sql("SELECT id FROM members").scalars())
        events = sorted(connection.exec_driver_sql("SELECT id FROM events").scalars())
        months = sorted(one.month for one in all_lists(connection))
    forms = [form.name for form in LIST_FORMATS]
    return {
        "member": members,
        "other": members[:2],
        "event": events,
        "event_id": events,
        "number": ["1"],
        "month": [*months, "2026-11"],
        "earlier": months[:1],
        "later": months[-1:],
        "system": [system.value for system in System],
        "file": forms,
        "data_file": ["history-2026-0123456789abcdef.csv.gz", "manifest.json"],
        "kind": forms,
        "day": ["2005-01-08"],
        "first": ["2005-01-08"],
        "second": ["2026-01-10"],
    }
