"""What can be imported in the browser: what each import asks for, and how it is run."""

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratebook.book.connection import Actor, Book
from ratebook.findings import Finding, has_errors
from ratebook.formats.contract import DayOrder
from ratebook.model import System
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import import_members
from ratebook.office.imports.memberships import import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.imports.table import Imported
from ratebook.office.progress import Progress
from ratebook.pages.columns import counted
from ratebook.pages.crosstable import SYSTEM_TITLES
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent

FILE, NUMBERS = "file", "numbers"
ORDER = Input(
    "order",
    "In dates such as 5/6/2026, the first number is the",
    InputKind.CHOICE,
    needed=False,
    choices=[(one.value, one.value) for one in DayOrder],
    hint="Where the file does not tell.",
)
AS_OF = Input(
    "as_of", "Day of the balances", InputKind.DATE, needed=False, hint="Where the file does not state it."
)
REPLACE = Input("replace", "Replace balances that members have", InputKind.CHECK, needed=False)
ACCEPT = Input("accept", "Accept the warnings that are about new members", InputKind.CHECK, needed=False)
SECOND = Input(
    "second",
    "The second rating of a US Chess list is",
    InputKind.CHOICE,
    choices=[(one.value, SYSTEM_TITLES[one.value]) for one in (System.QUICK, System.BLITZ)],
)


class Outcome(NamedTuple):
    """What an import did, or would do, in words.

    Attributes:
        changes: who of those that the book had is changed how.
        is_whole: whether nothing keeps it from being done.
    """

    words: tuple[str, ...]
    changes: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_whole: bool


class Given(NamedTuple):
    """What an import is run with: files by the names of their inputs, and what else was typed."""

    files: dict[str, Path]
    sent: Sent
    actor: Actor
    today: date
    progress: Progress

    @property
    def order(self) -> DayOrder | None:
        """Return which of day and month comes first, where that was said."""
        said = self.sent.text(ORDER.name)
        return DayOrder(said) if said else None


class ImportKind(NamedTuple):
    """An import: its inputs after the file, what runs it, and whether it does so in one transaction."""

    title: str
    about: str
    inputs: Sequence[Input]
    run: Callable[[Book, Given], Outcome]
    at_once: bool = True

    @property
    def asked(self) -> tuple[Input, ...]:
        """Return all that it asks for."""
        return (Input(FILE, "File", InputKind.FILE, hint="At most 8 MB."), *self.inputs)


def _told(done: Imported) -> Outcome:
    words = [f"{counted(done.rows, 'row')}: {done.counts.words}."]
    if any(done.balances):
        words.append(f"Opening balances: {done.balances.words}.")
    if done.marked:
        words.append(f"Rated sections of {counted(done.marked, 'member')} wait for a re-rating then.")
    is_whole = not has_errors(done.findings)
    return Outcome(tuple(words) if is_whole else (), done.changes, done.findings, is_whole)


def _members(book: Book, given: Given) -> Outcome:
    sent = given.sent
    balances = sent.is_checked("balances")
    return _told(
        import_members(
            book,
            given.files[FILE],
            given.actor,
            balances=balances,
            as_of=sent.day(AS_OF.name) if balances else None,
            replace=balances and sent.is_checked(REPLACE.name),
            order=given.order,
            accepted=["all"] if sent.is_checked(ACCEPT.name) else [],
            progress=given.progress,
        )
    )


def _memberships(book: Book, given: Given) -> Outcome:
    path, actor = given.files[FILE], given.actor
    return _told(import_memberships(book, path, actor, order=given.order, progress=given.progress))


def _foreign_ratings(book: Book, given: Given) -> Outcome:
    path, actor, numbers = given.files[FILE], given.actor, given.files.get(NUMBERS)
    if numbers is None:
        return _told(import_external_ratings(book, path, actor, order=given.order, progress=given.progress))
    day = given.sent.day("list_date")
    return _told(
        import_foreign_list(book, path, actor, numbers=numbers, list_date=day, progress=given.progress)
    )


def _balances(book: Book, given: Given) -> Outcome:
    sent = given.sent
    return _told(
        import_opening_balances(
            book,
            given.files[FILE],
            given.actor,
            as_of=sent.day(AS_OF.name),
            replace=sent.is_checked(REPLACE.name),
            second=System(sent.text(SECOND.name)),
            order=given.order,
            progress=given.progress,
        )
    )


def _reports(book: Book, given: Given) -> Outcome:
    received = given.sent.day("received") or given.today
    done = import_reports(book, given.files[FILE], received, given.actor, progress=given.progress)
    counts = f"{counted(done.ready, 'report')} ready, {done.held:,} held back, {done.already:,} known already"
    words = (f"{counted(done.files, 'file')}: {counts}.",)
    is_whole = not has_errors(done.findings)
    return Outcome(words, (), done.findings, is_whole)


KINDS = {
    "members": ImportKind(
        "Members",
        "A members CSV: new members, and changes to those who are there. An empty cell changes nothing.",
        (
            Input(
                "balances", "Its ratings and floors become opening balances", InputKind.CHECK, needed=False
            ),
            AS_OF,
            REPLACE,
            ORDER,
            ACCEPT,
        ),
        _members,
    ),
    "memberships": ImportKind(
        "Memberships", "A table with member_id, starts and expires.", (ORDER,), _memberships
    ),
    "foreign-ratings": ImportKind(
        "Ratings of other federations",
        "A table with member_id, source, list_date, rating; or a FIDE or CFC list, with the numbers of members in it.",
        (
            Input(
                NUMBERS,
                "Numbers of the members in the list",
                InputKind.FILE,
                needed=False,
                hint="A table with member_id, source and number, where the file is a list.",
            ),
            Input(
                "list_date",
                "Day of the list",
                InputKind.DATE,
                needed=False,
                hint="Where it does not state it.",
            ),
            ORDER,
        ),
        _foreign_ratings,
    ),
    "opening-balances": ImportKind(
        "Opening balances",
        "Ratings from before the book began: a table of them, a members CSV, or a US Chess list.",
        (AS_OF, REPLACE, SECOND, ORDER),
        _balances,
    ),
    "reports": ImportKind(
        "Reports",
        "A zip archive of reports, perhaps with a table reports.csv; each comes into the queue with its findings.",
        (Input("received", "Received", InputKind.DATE, needed=False, hint="Today, if no day is given."),),
        _reports,
        at_once=False,
    ),
}
