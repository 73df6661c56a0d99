"""What was understood of a folder, and what it lacks for a federation's book; said before anything is done."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ratebook.findings import Finding, Place, finding, list_text
from ratebook.model import System
from ratebook.office.founding.contents import Archive, Content, FoundFile, Wanted
from ratebook.pages.columns import Column, Columns
from ratebook.player_lists.row import ListKind

_RATINGS = frozenset(system.value.replace("-", "_") for system in System)
_DAYS = frozenset(f"{title}_as_of" for title in _RATINGS)


class UnderstoodFile(NamedTuple):
    """A file, or the reports of one format in a folder: how many rows or reports, and how that is told."""

    name: str
    content: Content
    number: int | None
    told_by: str


UNDERSTOOD: Columns[UnderstoodFile] = (
    Column("File", "name"),
    Column("Contents", "content"),
    Column("Rows or reports", "number", "right", lambda number: "" if number is None else f"{number:,}"),
    Column("Recognized by", "told_by"),
)


def understood_files(archive: Archive) -> list[UnderstoodFile]:
    """Return what was understood: each list by itself, reports by folder and format."""
    reports = Counter(
        (file.name.rpartition("/")[0] or archive.name, file.told_by) for file in archive.of(Content.REPORT)
    )
    grouped = [
        UnderstoodFile(folder, Content.REPORT, number, title) for (folder, title), number in reports.items()
    ]
    others = [
        UnderstoodFile(file.name, file.content, file.rows, file.told_by)
        for file in archive.files
        if file.content is not Content.REPORT
    ]
    order = [*Content]
    return sorted([*others, *grouped], key=lambda file: order.index(file.content))


def has_own_balances(archive: Archive, file: FoundFile) -> bool:
    """Return whether the ratings in a list of members are opening balances: no other file has any."""
    return not _RATINGS.isdisjoint(file.columns) and not archive.of(Content.BALANCES)


def has_numbers(archive: Archive, file: FoundFile) -> bool:
    """Return whether the members' numbers in a list of another federation are known: of FIDE's, members have ids."""
    with_ids = any("fide_id" in members.columns for members in archive.of(Content.MEMBERS))
    return bool(archive.of(Content.NUMBERS)) or (with_ids and file.told_by == ListKind.FIDE)


def _days_lacking(archive: Archive, file: FoundFile, wanted: Wanted) -> Iterator[Finding]:
    place = Place(file=file.name)
    if has_own_balances(archive, file) and wanted.as_of is None and _DAYS.isdisjoint(file.columns):
        yield finding("found-as-of-missing", place)
    if "fide" in file.columns and "fide_as_of" not in file.columns and wanted.fide_as_of is None:
        yield finding("found-lacks.list-day", place)


def lacks(archive: Archive, wanted: Wanted, *, has_members: bool) -> Iterator[Finding]:
    """Yield what the folder does not say, or what it has that is left out; *has_members*: the book has some."""
    whole, members = Place(file=archive.name), archive.of(Content.MEMBERS)
    if not members and not has_members:
        yield finding("found-lacks.members", whole)
    for file in members:
        yield from _days_lacking(archive, file, wanted)
    if members and not any("birth_date" in file.columns for file in members):
        yield finding("found-lacks.birth-dates", Place(file=members[0].name))
    if not archive.of(Content.BALANCES) and not any(has_own_balances(archive, file) for file in members):
        yield finding("found-lacks.balances", whole)
    if not archive.of(Content.REPORT):
        yield finding("found-lacks.reports", whole)
    numbers = archive.of(Content.NUMBERS)
    for file in archive.of(Content.FOREIGN_LIST):
        if not has_numbers(archive, file):
            yield finding("found-lacks.numbers", Place(file=file.name))
    if len(numbers) > 1:
        named = list_text(file.name for file in numbers[1:])
        yield finding("found-numbers-several", Place(file=numbers[0].name), files=named)
    for file in archive.of(Content.CORRECTIONS):
        yield finding("found-left", Place(file=file.name))
