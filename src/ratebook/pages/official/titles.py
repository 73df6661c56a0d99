"""Titles: who has one, since when and by which sections, and who is on the way to it."""

from typing import NamedTuple

from ratebook.book.connection import Connection
from ratebook.book.ledger.careers import (
    Candidate,
    TitleHolder,
    TitleSection,
    candidates_for,
    norm_sections,
    numbers_of_titles,
    sections_of_days,
    title_holders,
)
from ratebook.book.ledger.rows import end_of_place
from ratebook.pages.columns import Column, Columns
from ratebook.titles.title_rules import TitleRequirements, title_rules

MOST_ON_THE_WAY = 50

CANDIDATES: Columns[Candidate] = (
    Column("Name", "name"),
    Column("Norms", "norms", "right"),
    Column("Newest", lambda one: str(end_of_place(one.newest))),
    Column("State", "state"),
    Column("ID", "member"),
)


class NumberedTitle(NamedTuple):
    """A title, what it asks for, and how many have it."""

    code: str
    name: str
    asks: str
    number: int


class Holding(NamedTuple):
    """Who has a title, and the sections by which it was earned; none where an opening balance brought it."""

    holder: TitleHolder
    sections: tuple[TitleSection, ...]


class TitlePage(NamedTuple):
    """Those who have a title, some at a time, and those on the way to it; *more* tells whether others follow."""

    title: TitleRequirements
    asks: str
    holdings: tuple[Holding, ...]
    more: bool
    candidates: tuple[Candidate, ...]


def numbered_titles(connection: Connection) -> tuple[NumberedTitle, ...]:
    """Return all titles with what they ask for and how many have them, the highest first of each kind."""
    numbers = numbers_of_titles(connection)
    return tuple(
        NumberedTitle(one.code, one.name, what_it_asks(one), numbers.get(one.code, 0))
        for one in reversed(title_rules().titles)
    )


def title_page(connection: Connection, title: TitleRequirements, *, most: int, number: int) -> TitlePage:
    """Return page *number* of those who have a title, who earned it last first."""
    holders = title_holders(connection, title.code, most=most + 1, skip=(number - 1) * most)
    shown = holders[:most]
    ids = [one.member for one in shown]
    if title.norm_level is None:
        sections = sections_of_days(connection, [(one.member, one.earned) for one in shown])
        candidates = []
    else:
        sections = norm_sections(connection, ids, title.norm_level)
        candidates = candidates_for(connection, title.code, title.norm_level, most=MOST_ON_THE_WAY)
    by_member: dict[str, list[TitleSection]] = {}
    for one in sections:
        by_member.setdefault(one.member, []).append(one)
    # The title was earned by the first norms that it asks for; later ones count for nothing here.
    counted = title.norms or None
    holdings = tuple(Holding(one, tuple(by_member.get(one.member, ())[:counted])) for one in shown)
    return TitlePage(title, what_it_asks(title), holdings, len(holders) > most, tuple(candidates))


def what_it_asks(title: TitleRequirements) -> str:
    """Return what a title asks for, in words.

    >>> what_it_asks(title_rules().titles[0])
    '5 norms at level 1200 or higher, and an established rating'
    """
    conditions = []
    if title.norm_level is not None:
        conditions.append(f"{title.norms} norms at level {title.norm_level} or higher")
    if title.established is not None:
        conditions.append(f"an established rating{f' of {title.established}' if title.established else ''}")
    if title.original_life_master:
        conditions.append("enough games from an established rating of 2200 or higher")
    return ", and ".join(conditions)
