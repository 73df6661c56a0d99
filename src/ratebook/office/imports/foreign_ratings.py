"""Whole lists of FIDE and of the Chess Federation of Canada: the ratings of members whose numbers there are known.

These lists know their players by numbers of their own. A number may well be another person's member id, so that a table
has to say which member has which number; nobody is guessed by name.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ratebook.findings import finding
from ratebook.formats.reading.fields import Fields
from ratebook.formats.source import SourceError
from ratebook.model import System
from ratebook.office.imports.memberships import ForeignRow, ForeignSource, known_rows, take_foreign_ratings
from ratebook.office.imports.table import (
    ROWS_AT_ONCE,
    Imported,
    Tally,
    import_file,
    opened_table,
    rows_of_table,
)
from ratebook.office.progress import Progress, no_progress
from ratebook.player_lists.read import opened_list
from ratebook.player_lists.row import ListKind, Wanted, id_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book
    from ratebook.formats.contract import Findings
    from ratebook.player_lists.row import ListedPlayer

NUMBERS_COLUMNS = ("member_id", "source", "number")

_SOURCES = {ListKind.FIDE: ForeignSource.FIDE, ListKind.CFC: ForeignSource.CFC}
_MOST_NAMED = 5


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

    Args:
        book: the book.
        path: the list.
        actor: who imports, and when.
        numbers: a table ``member_id``, ``source`` (``fide`` or ``cfc``), ``number``: who the members are there.
        list_date: day of the list, where the list and its name do not say it.
        progress: told how many members of how many were looked for.

    Raises:
        BookError: the store fails.
    """

    def read(connection: Connection, tally: Tally) -> None:
        findings = tally.findings
        with opened_list(path, findings, System.QUICK) as opened:
            source = _SOURCES.get(opened.kind)
            if source is None:
                raise SourceError(finding("list-unknown.read", path.name, kind=opened.kind))
            if numbers is None:
                raise SourceError(
                    finding(
                        "import-numbers-missing",
                        path.name,
                        source=source.upper(),
                        numbers_columns=", ".join(NUMBERS_COLUMNS),
                    )
                )
            member_of = _member_of(connection, numbers, source, findings)
            said: list[ForeignRow] = []
            wanted = Wanted(ids=frozenset(member_of))
            found = set()
            for row in opened.rows(opened.stream, opened.name, wanted, findings):
                members = member_of.get(id_key(row.number), ())
                if not members:
                    continue
                tally.rows += 1
                found.add(id_key(row.number))
                said += _ratings(row, source, members, list_date, findings)
                if len(said) >= ROWS_AT_ONCE:
                    take_foreign_ratings(connection, actor, path.name, said, tally)
                    said.clear()
                    progress(len(found), len(member_of))
            take_foreign_ratings(connection, actor, path.name, said, tally)
            progress(len(member_of), len(member_of))
            _note_missing(findings, path.name, {key: member_of[key] for key in member_of if key not in found})

    return import_file(book, path, actor, "import-foreign-list", read)


def _member_of(
    connection: Connection, numbers: Path, source: ForeignSource, findings: Findings
) -> dict[str, list[str]]:
    """Return the members by their numbers on lists of *source*."""
    found: dict[str, list[str]] = defaultdict(list)
    with opened_table(numbers) as stream:
        rows = [*rows_of_table(stream, numbers.name, findings, NUMBERS_COLUMNS)]
    for row in known_rows(connection, rows, findings):
        of = Fields(findings, dict(row.cells), row.where).choice(
            "source", ForeignSource, "import-source-unknown"
        )
        if of is not source:
            continue
        key = id_key(row.text("number"))
        if found[key]:
            findings.add(
                "import-row-twice.member-of", row.where, source=source.upper(), key=key, found=found[key][0]
            )
        found[key].append(row.text("member_id"))
    return dict(found)


def _ratings(
    row: ListedPlayer,
    source: ForeignSource,
    members: list[str],
    list_date: date | None,
    findings: Findings,
) -> Iterator[ForeignRow]:
    rating = row.facts.fide if source is ForeignSource.FIDE else row.facts.cfc
    if rating is None:
        return
    day = list_date or rating.as_of
    if day is None:
        findings.add("import-list-date-missing.ratings", row.where)
        return
    for member in members:
        yield ForeignRow(member, source.value, day, rating.rating)


def _note_missing(findings: Findings, name: str, missing: dict[str, list[str]]) -> None:
    if missing:
        named = ", ".join(f"{members[0]} ({key})" for key, members in list(missing.items())[:_MOST_NAMED])
        findings.add(
            "import-not-listed",
            name,
            missing_count=len(missing),
            named=named,
            word=" and more" if len(missing) > _MOST_NAMED else "",
        )
