"""Founding a book, as a person may ask for it."""

from ratebook.book.connection import Book
from ratebook.office.action import Action, Values
from ratebook.office.decisions.revision import Reason
from ratebook.office.founding.contents import Wanted, opened_archive
from ratebook.office.founding.found import Founded, found
from ratebook.office.imports.actions import ACCEPT, AS_OF, FIDE_AS_OF, FOLDER, ORDER, SECOND


def wanted_of(values: Values) -> Wanted:
    """Return what the files do not say, of the values of `FOUND`."""
    return Wanted(
        as_of=values.as_of,
        fide_as_of=values.fide_as_of,
        order=values.order,
        second=values.second,
        accepted=tuple(values.accept or ()),
    )


def _found(book: Book, because: Reason, values: Values) -> Founded:
    with opened_archive(values.file) as archive:
        wanted = wanted_of(values)
        return found(book, archive, wanted, because.actor, values.today, progress=values.progress)


ARCHIVE = FOLDER._replace(
    label="Zip archive",
    hint="With all files, in any folders. At most 8 MB; ratebook book found takes larger ones.",
)
FOUND: Action[Book, Founded] = Action(
    "found",
    "Set up the book",
    "Set up the book from a folder or a zip archive with everything that the federation has: members, memberships,"
    " opening balances, lists of other federations, reports.",
    (ARCHIVE, AS_OF, FIDE_AS_OF, ORDER, SECOND, ACCEPT),
    _found,
    more="Files may have any names and lie in any folders and archives. The lists are imported all together or not at"
    " all, then each report by itself, and what is ready is rated. After an interruption, run it again to continue. A"
    " book that does not exist yet is made if the folder has a profile.toml.",
    examples=("league-files", "archive.zip --as-of 2022-12-31 --yes"),
    at_once=False,
)
