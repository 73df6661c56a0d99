"""Norms and titles, kept up to date with the ledger: both follow from it and can be computed again at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select

from ratebook.book import schema
from ratebook.book.ledger import current_rows
from ratebook.book.rows import end_of_place
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.titles.awards import (
    Place,
    SectionOutcome,
    TitleState,
    has_life_master_games,
    opening_state,
    titles_after,
)
from ratebook.titles.norms import norms_of_section
from ratebook.titles.title_rules import title_rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import date

    from sqlalchemy import Connection, Row

    from ratebook.book.events import StoredSection
    from ratebook.book.profile import Federation
    from ratebook.book.rows import LedgerRow

norms = schema.norms
titles = schema.titles


def note_career(
    connection: Connection,
    federation: Federation,
    stored: StoredSection,
    rows: Mapping[System, Mapping[str, LedgerRow]],
) -> None:
    """Note the norms of a section that was rated for the first time, and the titles that it may have given."""
    regular = rows.get(System.REGULAR)
    if not regular:
        return
    made = write_norms(connection, stored, regular)
    end = stored.section.end
    enough = _with_enough_norms(connection, made)
    hopeful = [
        member
        for member, row in regular.items()
        if member in enough or _may_earn_by_rating(federation, row, end)
    ]
    write_titles(connection, federation, hopeful)


def _with_enough_norms(connection: Connection, members: Collection[str]) -> set[str]:
    """Return those of *members* who have as many norms, at whatever levels, as some title asks for."""
    least = min(title.norms for title in title_rules().titles if title.norms)
    return (
        set(
            connection.execute(
                select(norms.c.member_id)
                .where(norms.c.member_id.in_(members))
                .group_by(norms.c.member_id)
                .having(func.count() >= least)
            ).scalars()
        )
        if members
        else set()
    )


def _may_earn_by_rating(federation: Federation, row: LedgerRow, end: date) -> bool:
    """Return whether a row is a first established rating, a peak that a title asks for, or completes an OLM's games."""
    if not federation.established(System.REGULAR, row.games, end):
        return False
    if not federation.established(System.REGULAR, row.games_before, end):
        return True
    new_peak = row.peak is None or row.peak <= row.rating
    if new_peak and any(
        title.established and title.established <= rounded(row.rating) for title in title_rules().titles
    ):
        return True
    rules = federation.rulebook.in_force(System.REGULAR, end)
    games = row.life_master_games
    return games is not None and (
        has_life_master_games(rules, games) and not has_life_master_games(rules, games - row.played)
    )


def write_norms(
    connection: Connection, stored: StoredSection, regular: Mapping[str, LedgerRow]
) -> frozenset[str]:
    """Write the norms of a section in the place of those it had; return who made one."""
    connection.execute(delete(norms).where(norms.c.section_id == stored.id))
    if stored.withdrawn:
        return frozenset()
    after = {member: row.rating for member, row in regular.items()}
    found = []
    for result in norms_of_section(stored.section, after):
        if result.level is None or result.player not in regular:
            continue
        expected = next(one.expected for one in result.tries if one.level == result.level)
        found.append(
            {
                "member_id": result.player,
                "section_id": stored.id,
                "place": stored.place,
                "level": result.level,
                "score": result.score,
                "expected": expected,
                "played": result.games,
            }
        )
    if found:
        connection.execute(insert(norms), found)
    return frozenset(str(one["member_id"]) for one in found)


def write_titles(connection: Connection, federation: Federation, members: Iterable[str]) -> None:
    """Write the titles of *members* as their whole careers give them."""
    for member in members:
        state = career_of(connection, federation, member)
        wanted = {
            award.title: opening_day(connection, member) if award.earned is None else award.earned.day
            for award in state.titles
        }
        stored = {
            row.title: row.earned
            for row in connection.execute(select(titles).where(titles.c.member_id == member))
        }
        if stored == wanted:
            continue
        connection.execute(delete(titles).where(titles.c.member_id == member))
        if wanted:
            connection.execute(
                insert(titles),
                [{"member_id": member, "title": title, "earned": day} for title, day in wanted.items()],
            )


def career_of(connection: Connection, federation: Federation, member: str) -> TitleState:
    """Return the norms, the peak and the titles of a member after everything that is rated."""
    made = {
        row.place: row.level
        for row in connection.execute(select(norms.c.place, norms.c.level).where(norms.c.member_id == member))
    }
    outcomes = [
        outcome_of(federation, row.place, row, made.get(row.place))
        for row in current_rows(connection, member, System.REGULAR)
    ]
    return titles_after(outcomes, start=opening_state(peak=opening_peak(connection, member)))


def opening_peak(connection: Connection, member: str) -> float | None:
    """Return the peak in OTB Regular with which a member's ledger began."""
    balances = schema.opening_balances
    return connection.execute(
        select(balances.c.peak).where(
            balances.c.member_id == member, balances.c.system == System.REGULAR.value
        )
    ).scalar()


def outcome_of(
    federation: Federation, place: str, row: LedgerRow | Row[tuple[object, ...]], norm: int | None
) -> SectionOutcome:
    """Return what a row of OTB Regular means for titles; *norm* is the level of the norm made there."""
    day = end_of_place(place)
    _, event, number = place.split("\t")
    rules = federation.rulebook.in_force(System.REGULAR, day)
    return SectionOutcome(
        Place(day, event, int(number)),
        norm,
        row.rating if federation.established(System.REGULAR, row.games, day) else None,
        has_life_master_games(rules, row.life_master_games),
    )


def opening_day(connection: Connection, member: str) -> date:
    """Return the day of a member's opening balance in OTB Regular."""
    balances = schema.opening_balances
    day: date = connection.execute(
        select(balances.c.as_of).where(
            balances.c.member_id == member, balances.c.system == System.REGULAR.value
        )
    ).scalar_one()
    return day
