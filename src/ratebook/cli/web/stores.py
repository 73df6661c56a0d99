"""The web store beside a book, for commands of the book, which need no library of the web."""

from ratebook.office.creation import Upgraded
from ratebook.web.store.opening import VERSION, has_store, open_store, store_beside, stored_version


def upgraded_beside(book: str, store: str | None) -> Upgraded | None:
    """Upgrade the web store at a place, or beside the book, or leave it as it was; None where there is none."""
    place = store or store_beside(book)
    if not has_store(place):
        return None
    before = stored_version(place)
    open_store(place).close()
    return Upgraded(before, VERSION)
