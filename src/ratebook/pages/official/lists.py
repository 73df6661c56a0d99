"""Published official lists: a part of one as a table, what differs between two, and a member's ratings in all."""

from calendar import month_abbr, month_name
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.facts.members import names_of
from ratebook.book.failures import refused
from ratebook.book.ledger.lists import (
    ChangedRating,
    ListedMember,
    ListHeader,
    ListQuestion,
    begins_after,
    changed_ratings,
    count_members,
    count_ratings,
    list_headers,
    listed_members,
    published_ratings,
    ratings_in_lists,
)
from ratebook.findings import Place
from ratebook.model import Shown, System
from ratebook.official_lists.contents import shown_rating
from ratebook.pages.columns import Column, Columns
from ratebook.records.system_titles import SYSTEM_TITLES

MOST_CHANGES = 25
"""Lines of each table of what differs between two lists."""


def month_words(month: str, *, short: bool = False) -> str:
    """Return the month of a list in words.

    >>> month_words("2026-12"), month_words("2026-12", short=True)
    ('December 2026', 'Dec 2026')
    """
    year, _, number = month.partition("-")
    return f"{(month_abbr if short else month_name)[int(number)]} {year}"


def missing_words(newest: str | None, missing: str | None, coming: str | None = None) -> str:
    """Return what is said where the list that is due is *missing*, or one that is published is still *coming*.

    >>> missing_words("2026-05", "2026-11")
    'The official list of November 2026 is not published yet. Official ratings are those of the list of May 2026.'
    >>> missing_words(None, "2026-11"), missing_words("2026-11", None)
    ('No official list of November 2026 or an earlier month is published.', '')
    >>> missing_words("2026-11", None, "2026-12")
    'The list of December 2026 is published too: its ratings are official from 1 December 2026 on.'
    """
    if missing is None:
        words = "" if coming is None else month_words(coming)
        return words and f"The list of {words} is published too: its ratings are official from 1 {words} on."
    if newest is None:
        return f"No official list of {month_words(missing)} or an earlier month is published."
    return (
        f"The official list of {month_words(missing)} is not published yet."
        f" Official ratings are those of the list of {month_words(newest)}."
    )


LISTS: Columns[ListHeader] = (
    Column("List", "month", format=month_words),
    Column("Sections that ended by", "cut_off"),
    Column("Published", lambda one: one.published_at.partition("T")[0]),
)


class ListRow(NamedTuple):
    """A member's line of a list; *change* is that of the rating by which the list is ordered."""

    member: str
    name: str
    state: str
    ratings: Mapping[System, Shown]
    change: str


class ListPage(NamedTuple):
    """A part of a published list.

    Attributes:
        before: the list before it; None for the first one.
        members: how many it has.
        numbers: its ratings by system.
        after: the member after whom the next part begins; empty: this is the last.
    """

    header: ListHeader
    before: ListHeader | None
    members: int
    numbers: Mapping[System, int]
    rows: tuple[ListRow, ...]
    after: str


MEMBERS_BEFORE = 8
"""So many lines come before a member whose place in a list is asked for."""


def part_around(
    connection: Connection, month: str, system: System | None, member: str
) -> ListQuestion | None:
    """Return the question for the part of a list in which a member is; None for who is not in it."""
    after = begins_after(connection, month, system, member, MEMBERS_BEFORE)
    return None if after is None else ListQuestion(system=system, after=after)


def list_page(connection: Connection, month: str, question: ListQuestion) -> ListPage:
    """Return a part of a published list.

    Raises:
        BookError: it is not published.
    """
    header, before = known_list(connection, month)
    members_listed = listed_members(connection, month, question._replace(most=question.most + 1))
    shown = members_listed[: question.most]
    months = [month] if before is None else [month, before.month]
    ratings = ratings_in_lists(connection, months, [listed.member for listed in shown])

    def row(listed: ListedMember) -> ListRow:
        now = ratings[month, listed.member]
        was = {} if before is None else ratings.get((before.month, listed.member), {})
        change = (
            "" if question.system is None else change_text(was.get(question.system), now.get(question.system))
        )
        return ListRow(*listed, now, change)

    return ListPage(
        header=header,
        before=before,
        members=count_members(connection, month),
        numbers=count_ratings(connection, month),
        rows=tuple(map(row, shown)),
        after=shown[-1].member if len(members_listed) > len(shown) else "",
    )


def known_list(connection: Connection, month: str) -> tuple[ListHeader, ListHeader | None]:
    """Return what is said of a published list, and the list before it.

    Raises:
        BookError: it is not published.
    """
    headers = list_headers(connection)
    at = next((at for at, header in enumerate(headers) if header.month == month), None)
    if at is None:
        known = ", ".join(header.month for header in headers) or "none yet"
        raise refused("list-unknown.not-published", Place(month=month), known=known)
    return headers[at], headers[at + 1] if at + 1 < len(headers) else None


def list_columns(page: ListPage, system: System | None) -> Columns[ListRow]:
    """Return the columns of a list that is ordered by the rating in a system, or by name."""
    columns = [Column[ListRow]("Name", "name")]
    others = [other for other in page.numbers if other != system]
    for rated in others if system is None else (system, *others):
        columns.append(Column(SYSTEM_TITLES[rated], _rating_in(rated), "right"))
        if rated is system and page.before is not None:
            columns.append(Column("Change", "change", "right"))
    if any(row.state for row in page.rows):
        columns.append(Column("State", "state"))
    return (*columns, Column("ID", "member"))


def _rating_in(system: System) -> Callable[[ListRow], str]:
    return lambda row: shown_rating(row.ratings.get(system))


def change_text(before: Shown | None, after: Shown | None) -> str:
    """Return what became of a rating between two lists.

    >>> change_text(Shown(1500), Shown(1512)), change_text(None, Shown(900, 4))
    ('+12', 'new')
    >>> change_text(Shown(1500, 20), Shown(1500, 24)), change_text(Shown(1500), None)
    ('0', 'gone')
    """
    if before is None or after is None:
        return "gone" if after is None else "new"
    points = after.rating - before.rating
    return f"{points:+d}" if points else "0"


class ListDifference(NamedTuple):
    """What differs in one system between two lists: how much, and the largest of each kind.

    Attributes:
        system: the one that is compared.
        numbers: its ratings in each of the two.
        counts: ratings that rose, fell, are new and are gone.
        names: of the members in the rows, by id.
        systems: those of either list.
    """

    system: System
    numbers: tuple[int, int]
    counts: Mapping[str, int]
    rows: Mapping[str, tuple[ChangedRating, ...]]
    names: Mapping[str, str]
    systems: tuple[System, ...]

    @property
    def unchanged(self) -> int:
        """Return how many ratings are the same number in both."""
        return self.numbers[1] - self.counts["risen"] - self.counts["fallen"] - self.counts["new"]


def lists_compared(connection: Connection, earlier: str, later: str, chosen: System | None) -> ListDifference:
    """Return what differs between two published lists in a system, or in the first one that they have.

    Raises:
        BookError: one of them is not published.
    """
    for month in (earlier, later):
        known_list(connection, month)
    numbers = [count_ratings(connection, month) for month in (earlier, later)]
    systems = tuple(system for system in System if any(system in of_list for of_list in numbers))
    system = chosen or next(iter(systems), System.REGULAR)
    kinds: dict[str, list[ChangedRating]] = {"risen": [], "fallen": [], "new": [], "gone": []}
    for change in changed_ratings(connection, earlier, later, system):
        if change.before is None or change.after is None:
            kinds["gone" if change.after is None else "new"].append(change)
        elif change.after.rating != change.before.rating:
            kinds["risen" if change.after.rating > change.before.rating else "fallen"].append(change)
    rows = {
        kind: tuple(sorted(changes, key=lambda change: (-_size(change), change.member))[:MOST_CHANGES])
        for kind, changes in kinds.items()
    }
    return ListDifference(
        system=system,
        numbers=(numbers[0].get(system, 0), numbers[1].get(system, 0)),
        counts={kind: len(changes) for kind, changes in kinds.items()},
        rows=rows,
        names=names_of(connection, [change.member for changes in rows.values() for change in changes]),
        systems=systems,
    )


def _size(change: ChangedRating) -> int:
    """Return by how much a rating moved; of one that is new or gone, the rating."""
    if change.before is None or change.after is None:
        known = change.after or change.before
        return 0 if known is None else known.rating
    return abs(change.after.rating - change.before.rating)


def difference_columns(
    earlier: str, later: str, kind: str, names: Mapping[str, str]
) -> Columns[ChangedRating]:
    """Return the columns of what rose, fell, is new or is gone between two lists."""
    before: Column[ChangedRating] = Column(month_words(earlier), "before", "right")
    after: Column[ChangedRating] = Column(month_words(later), "after", "right")
    moved = Column[ChangedRating]("Change", lambda change: change_text(change.before, change.after), "right")
    of_kind = {"new": (after,), "gone": (before,)}.get(kind, (moved, before, after))
    return (Column("Name", "member", format=names.__getitem__), *of_kind, Column("ID", "member"))


class OfficialMonth(NamedTuple):
    """A member's ratings in one official list."""

    month: str
    ratings: Mapping[System, Shown]
    before: Mapping[System, Shown]


def official_months(connection: Connection, member: str) -> tuple[OfficialMonth, ...]:
    """Return a member's ratings in the official lists, the newest first."""
    by_month: dict[str, dict[System, Shown]] = {}
    for rating in published_ratings(connection, member):
        by_month.setdefault(rating.month, {})[rating.system] = rating.official
    months = sorted(by_month)
    before: dict[str, dict[System, Shown]] = dict(
        zip(months, ({}, *(by_month[one] for one in months)), strict=False)
    )
    return tuple(OfficialMonth(month, by_month[month], before[month]) for month in reversed(months))


def official_columns(months: tuple[OfficialMonth, ...]) -> Columns[OfficialMonth]:
    """Return the columns of a member's official ratings: each system, and by how much it moved."""
    systems = [system for system in System if any(system in of_month.ratings for of_month in months)]

    def columns_of(system: System) -> Columns[OfficialMonth]:
        return (
            Column(SYSTEM_TITLES[system], lambda line: shown_rating(line.ratings.get(system)), "right"),
            Column("Change", lambda line: moved_text(line, system), "right"),
        )

    return (
        Column("List", "month", format=month_words),
        *(column for system in systems for column in columns_of(system)),
    )


def moved_text(line: OfficialMonth, system: System) -> str:
    """Return by how much a rating moved since the list before; empty where it did not: beside it, a 0 says nothing."""
    before, after = line.before.get(system), line.ratings.get(system)
    return "" if after is None else change_text(before, after).removeprefix("0")
