"""Ratings of other federations in bulk: a table, or a whole list of FIDE or of the Chess Federation of Canada.

Whole lists know their players by numbers of their own. A number may well be another person's member id, so that a table
has to say which member has which number; no one is guessed by name.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from pathlib import Path

from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.facts.foreign_ratings import ExternalRating, write_foreign_ratings
from ratebook.book.facts.members import members_with_fide_ids
from ratebook.findings import Place, finding
from ratebook.formats.archive import SourceError
from ratebook.formats.reading.kinds import POINTS, Choice
from ratebook.formats.reading.sheets.header import TableKind
from ratebook.formats.reading.sheets.opening import opened_sheet
from ratebook.model import System
from ratebook.office import Progress, no_progress
from ratebook.office.decisions.members import ListedFlag, take_flags
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.table import (
    ROWS_AT_ONCE,
    FactChange,
    Import,
    Imported,
    TableImport,
    TableRow,
    importing,
    rows_of_table,
)
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import ListedPlayer, ListKind, Search, id_key

NUMBERS_COLUMNS = ("member_id", "source", "number")
NUMBERS = TableKind("table", NUMBERS_COLUMNS, NUMBERS_COLUMNS)

_MOST_NAMED = 5


class ForeignSource(StrEnum):
    """Whose lists are known."""

    FIDE = "fide"
    CFC = "cfc"


_SOURCES = {ListKind.FIDE: ForeignSource.FIDE, ListKind.CFC: ForeignSource.CFC}


def _source(row: TableRow) -> ForeignSource | None:
    return row.fields.read("source", Choice(ForeignSource, "import-source-unknown"))


def _rating(running: Import, row: TableRow) -> ExternalRating | None:
    fields = row.fields
    fields.values["rating"] = row.number("rating")
    source, day, rating = _source(row), row.day("list_date"), fields.read("rating", POINTS)
    if source is None or day is None or rating is None:
        return None
    external = ExternalRating(row.text("member_id"), source.value, day, rating)
    if running.is_new(external[:3]):
        return external
    running.findings.add(
        "import-row-twice.list-date",
        row.where,
        source=source.upper(),
        member=external.member_id,
        list_date=day,
    )
    return None


def _write(running: Import, ratings: list[ExternalRating]) -> None:
    added, changed, changes = take_foreign_ratings(running.connection, ratings)
    running.added += added
    running.changed += changed
    running.unchanged += len(ratings) - added - changed
    running.note("list", changes)


def take_foreign_ratings(
    connection: Connection, ratings: list[ExternalRating]
) -> tuple[int, int, list[FactChange]]:
    """Write ratings of other federations; return how many are new, how many changed, and what ratings may read."""
    written = write_foreign_ratings(connection, ratings)
    how = dict.fromkeys(written.added, "added") | dict.fromkeys(written.changed, "changed")
    changes = [
        FactChange(
            rating.member_id,
            "correct-foreign-rating",
            (f"{rating.source} rating", how[rating]),
            since=rating.list_date,
            value=float(rating.rating),
        )
        for rating in ratings
        if rating in how
    ]
    return len(written.added), len(written.changed), changes


import_external_ratings = TableImport("import-external-ratings", ExternalRating._fields, _rating, _write)
"""Import a table of ratings on other federations' lists."""


def import_foreign_list(  # noqa: PLR0913 - what, by whom, and what the list does not say
    book: Book,
    path: Path,
    actor: Actor,
    *,
    numbers: Path | None = None,
    list_date: date | None = None,
    progress: Progress = no_progress,
) -> Imported:
    """Import a list of FIDE (text or XML) or of the Chess Federation of Canada (tdlist.txt), alone or in a zip archive.

    *numbers* is a table ``member_id``, ``source`` (``fide`` or ``cfc``), ``number``: who the members are there; without
    it, the FIDE ids of the members in the book are taken.
    *list_date* is the day of the list, if neither the list nor its name gives it.
    """
    with importing(book, path, actor, "import-foreign-list") as running:
        findings = running.findings
        with opened_list(path, findings, System.QUICK) as opened:
            source = _SOURCES.get(opened.kind)
            if source is None:
                raise SourceError(
                    finding("list-unknown.not-foreign", Place(file=path.name), kind=opened.kind)
                )
            member_of = _member_of(running, numbers, source)
            if numbers is None and not member_of:
                columns = ", ".join(NUMBERS_COLUMNS)
                raise SourceError(
                    finding(
                        "import-numbers-missing",
                        Place(file=path.name),
                        source=source.upper(),
                        numbers_columns=columns,
                    )
                )
            ratings: list[ExternalRating] = []
            flags: list[ListedFlag] = []
            search = Search(ids=frozenset(member_of))
            numbers_listed = set()
            for row in opened.rows(opened.stream, opened.name, search, findings):
                members = member_of.get(id_key(row.facts.id), ())
                if not members:
                    continue
                running.rows += 1
                numbers_listed.add(id_key(row.facts.id))
                ratings += _ratings(running, row, source, members, list_date)
                day = list_date or row.as_of
                if source is ForeignSource.FIDE and day is not None:
                    flags += [ListedFlag(member, day, row.facts.usa_flag) for member in members]
                if len(ratings) >= ROWS_AT_ONCE:
                    _write(running, ratings)
                    ratings.clear()
                    progress(len(numbers_listed), len(member_of))
            _write(running, ratings)
            _write_flags(running, flags)
            progress(len(member_of), len(member_of))
            _note_missing(running, {key: member_of[key] for key in member_of if key not in numbers_listed})
    return running.imported()


def _write_flags(running: Import, flags: list[ListedFlag]) -> None:
    """Record under which flag the list has the members, where that is new."""
    because = Reason(running.actor, f"list {running.name}")
    changes = [
        FactChange(flag.member, "", ("usa_flag",), since=flag.list_date, foreign=True)
        for flag in take_flags(running.connection, flags, because)
    ]
    running.changed += len(changes)
    running.note("list", changes)


def _member_of(running: Import, numbers: Path | None, source: ForeignSource) -> dict[str, list[str]]:
    """Return the members by their numbers on lists of *source*."""
    if numbers is None:
        known = members_with_fide_ids(running.connection) if source is ForeignSource.FIDE else {}
        return {id_key(number): members for number, members in known.items()}
    members: dict[str, list[str]] = defaultdict(list)
    with opened_sheet(numbers, running.findings) as stream:
        rows = [*rows_of_table(stream, numbers.name, running.findings, NUMBERS)]
    for row in running.of_members(rows):
        if _source(row) is not source:
            continue
        key = id_key(row.text("number"))
        if members[key]:
            running.findings.add(
                "import-row-twice.number", row.where, source=source.upper(), key=key, found=members[key][0]
            )
        members[key].append(row.text("member_id"))
    return dict(members)


def _ratings(
    running: Import, row: ListedPlayer, source: ForeignSource, members: list[str], list_date: date | None
) -> Iterator[ExternalRating]:
    rating = row.facts.fide if source is ForeignSource.FIDE else row.facts.cfc
    if rating is None:
        return
    day = list_date or rating.as_of
    if day is None:
        running.findings.add("import-list-date-missing.ratings", row.where)
        return
    for member in members:
        yield ExternalRating(member, source.value, day, rating.rating)


def _note_missing(running: Import, missing: dict[str, list[str]]) -> None:
    if missing:
        named = ", ".join(f"{members[0]} ({key})" for key, members in list(missing.items())[:_MOST_NAMED])
        more = " and more" if len(missing) > _MOST_NAMED else ""
        running.findings.add(
            "import-not-listed", Place(file=running.name), missing_count=len(missing), named=named, word=more
        )
