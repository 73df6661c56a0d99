"""Files that are imported into a book: each import is tried in the book of a league, and taken back."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from fuzz.readers import Fuzzed, bytes_of
from fuzz.reports import CUT, EXAMPLES
from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.cli.book.creation import profile_in
from ratebook.office.creation import create_book
from ratebook.office.imports.corrections import apply_corrections
from ratebook.office.imports.foreign_ratings import import_external_ratings, import_foreign_list
from ratebook.office.imports.members import import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from unit.player_lists.lists import CFC, FIDE_TEXT, LISTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book

LEAGUE = EXAMPLES / "league"
ACTOR = Actor("office", "2026-11-20T12:00:00Z")
RECEIVED = date(2026, 2, 3)


def league(place: Path) -> Book:
    """Return a book with a league's members, what is known of them, and two events that are rated."""
    book = create_book(str(place), profile_in(LEAGUE / "profile.toml"), ACTOR)
    import_members(book, LEAGUE / "members.csv", ACTOR)
    import_memberships(book, LEAGUE / "memberships.csv", ACTOR)
    import_opening_balances(book, LEAGUE / "opening-balances.csv", ACTOR)
    import_external_ratings(book, LEAGUE / "foreign-ratings.csv", ACTOR)
    import_reports(book, LEAGUE / "reports", RECEIVED, ACTOR, accepted=["all"])
    rate_ready(book, ACTOR)
    return book


def readers(folder: Path) -> tuple[Fuzzed, ...]:
    """Return the readers of imports; the book and the files are in *folder*."""
    book = league(folder / "league.book")
    scratch, reports = folder / "import", folder / "reports"
    reports.mkdir()

    def tried(take: Callable[[], object]) -> None:
        # A finding that ends a command is one too.
        with book.trying(), suppress(BookError):
            take()

    def of_file(take: Callable[..., Any], data: bytes) -> None:
        scratch.write_bytes(data)
        tried(partial(take, book, scratch, ACTOR))

    def foreign_list(data: bytes) -> None:
        scratch.write_bytes(data)
        tried(partial(import_foreign_list, book, scratch, ACTOR, numbers=LEAGUE / "numbers.csv"))

    def numbers(data: bytes) -> None:
        scratch.write_bytes(data)
        (folder / "tdlist.txt").write_bytes(CFC)
        tried(partial(import_foreign_list, book, folder / "tdlist.txt", ACTOR, numbers=scratch))

    def corrections(data: bytes) -> None:
        scratch.write_bytes(data)

        def correct() -> None:
            apply_corrections(book, scratch, ACTOR, accepted=["all"])
            rerate(book, ACTOR)

        tried(correct)

    def folders(data: bytes) -> None:
        table, _, report = data.partition(CUT)
        (reports / "reports.csv").write_bytes(table)
        (reports / "winter-open.csv").write_bytes(report)

        def rate() -> None:
            import_reports(book, reports, RECEIVED, ACTOR, accepted=["all"])
            rate_ready(book, ACTOR)

        tried(rate)

    table = (
        b"file,received,event_id,start,end,time_control,type,online,event_name\n"
        b"winter-open.csv,2026-01-20,202602180001,2026-02-17,2026-02-18,G/90;+30,swiss,,Winter Open\n"
    )
    members = bytes_of([LEAGUE / "members.csv"])
    balances = bytes_of([LEAGUE / "opening-balances.csv"])
    return (
        Fuzzed("imports: members", partial(of_file, import_members), members),
        Fuzzed(
            "imports: members with balances",
            partial(of_file, partial(import_members, balances=True)),
            members,
        ),
        Fuzzed(
            "imports: memberships",
            partial(of_file, import_memberships.__call__),
            bytes_of([LEAGUE / "memberships.csv"]),
        ),
        Fuzzed("imports: balances", partial(of_file, import_opening_balances), (*balances, *LISTS.values())),
        Fuzzed(
            "imports: balances again",
            partial(of_file, partial(import_opening_balances, replace=True)),
            balances,
        ),
        Fuzzed(
            "imports: foreign ratings",
            partial(of_file, import_external_ratings.__call__),
            bytes_of([LEAGUE / "foreign-ratings.csv"]),
        ),
        Fuzzed("imports: foreign lists", foreign_list, (CFC, FIDE_TEXT)),
        Fuzzed("imports: numbers", numbers, bytes_of([LEAGUE / "numbers.csv"])),
        Fuzzed("imports: corrections", corrections, bytes_of([LEAGUE / "corrections.csv"])),
        Fuzzed(
            "imports: reports",
            folders,
            (table + CUT + (LEAGUE / "reports" / "winter-open.csv").read_bytes(),),
        ),
    )
