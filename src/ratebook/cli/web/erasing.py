"""A person who is erased at the prompt is erased from the web store beside the book, too."""

from collections.abc import Callable
from contextlib import closing

from ratebook.cli.web.places import Places
from ratebook.cli.web.session import now, opened_store
from ratebook.office.erasure.erase import ErasedElsewhere, Erasure
from ratebook.web.erasure.store import erase_from_store
from ratebook.web.store.opening import has_store, store_beside


def erased_beside(book: str) -> Callable[[Erasure], ErasedElsewhere]:
    """Return what erases a person from the web store of the book at a place, where it has one."""

    def erased(person: Erasure) -> ErasedElsewhere:
        if not has_store(store_beside(book)):
            return ErasedElsewhere()
        with closing(opened_store(Places(book, None))) as store:
            return erase_from_store(store, person, now())

    return erased
