"""What load balancers, containers and monitors ask: whether the server runs, and whether it can do its work.

They ask by whatever name or address they know, so the name of the request is not looked at; an answer depends on
nothing that is asked.
"""

from pathlib import Path

from litestar import MediaType, Response, get

from ratebook.book.connection import Book, require_version
from ratebook.book.failures import BookError
from ratebook.web.headers import ANY_HOST
from ratebook.web.routing import NEEDS, Needs
from ratebook.web.site import Site, TheSite
from ratebook.web.store.log import newest_entries

UNAVAILABLE = 503
BOOK = "the book"
FOR_PROBES = {NEEDS: Needs.NOBODY, ANY_HOST: True}


@get("/health", opt=FOR_PROBES, include_in_schema=False, sync_to_thread=True)
def health(site: TheSite) -> Response[bytes]:
    """Say that the server runs, and that its book is there and can be read."""
    return _answer("" if _reads_book(site) else BOOK)


@get("/ready", opt=FOR_PROBES, include_in_schema=False, sync_to_thread=True)
def ready(site: TheSite) -> Response[bytes]:
    """Say that the server can do all of its work: its book has this version's tables, and its accounts can be read."""
    return _answer(unreadable_part(site))


def unreadable_part(site: Site) -> str:
    """Return which part of what is served cannot be read; nothing where the server can do all of its work."""
    if not _reads_book(site, of_this_version=True):
        return BOOK
    return "" if _reads_accounts(site) else "the accounts"


def _answer(unreadable: str) -> Response[bytes]:
    words = f"{unreadable} cannot be read\n" if unreadable else "ok\n"
    status = UNAVAILABLE if unreadable else 200
    return Response(words.encode(), status_code=status, media_type=MediaType.TEXT)


def _reads_book(site: Site, *, of_this_version: bool = False) -> bool:
    try:
        with site.reading() as reader:
            if of_this_version:
                require_version(reader.connection, site.book.url)
            return _is_there(site.book)
    except BookError:
        return False


def _reads_accounts(site: Site) -> bool:
    if site.gate is None:
        return True
    try:
        with site.gate.store.reading() as connection:
            newest_entries(connection, 1)
        return _is_there(site.gate.store)
    except BookError:
        return False


def _is_there(store: Book) -> bool:
    """Return whether a store has its place: a file that was moved away can be read by those who have it open."""
    return store.on_server or Path(store.url).is_file()


ROUTES = [health, ready]
