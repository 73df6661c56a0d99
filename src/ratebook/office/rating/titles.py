"""Norms and titles, kept up to date with the ledger: both follow from it and can be computed again at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select

from ratebook.book import schema
from ratebook.book.ledger.read import CURRENT
from ratebook.book.ledger.rows import end_of_place
from ratebook.book.member_files import batches
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
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from sqlalchemy import BindParameter, Connection, Row

    from ratebook.book.events import StoredSection
    from ratebook.book.ledger.rows import LedgerRow
    from ratebook.book.profile import Federation

balances = schema.opening_balances
ledger = schema.ledger
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
    made = norms_made(stored, regular)
    write_norms(connection, {stored.id: made})
    end = stored.section.end
    enough = _with_enough_norms(connection, {str(one["member_id"]) for one in made})
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
    """Return whether a row is a first established rating, a peak that a title asks for, or has an OLM's games.

    An opening balance may have brought those games, so it is not asked whether this section completed them.
    """
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
    return has_life_master_games(rules, row.life_master_games)


def norms_made(stored: StoredSection, regular: Mapping[str, LedgerRow]) -> list[dict[str, object]]:
    """Return the norms of a section, as the store has them, by its rows of OTB Regular."""
    if stored.withdrawn:
        return []
    after = {member: row.rating for member, row in regular.items()}
    found: list[dict[str, object]] = []
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
    return found


def write_norms(connection: Connection, made: Mapping[int, Sequence[Mapping[str, object]]]) -> None:
    """Write the norms of sections, by the number of the section, in the place of those that they had."""
    if made:
        connection.execute(_NO_NORMS, [{"section": section} for section in made])
    rows = [row for norms_of_one in made.values() for row in norms_of_one]
    if rows:
        connection.execute(_NEW_NORMS, rows)


def write_titles(connection: Connection, federation: Federation, members: Iterable[str]) -> None:
    """Write the titles of *members* as their whole careers give them."""
    for batch in batches(members):
        asked = {"ids": batch}
        openings: dict[str, Any] = {row.member_id: row for row in connection.execute(_OPENINGS, asked).all()}
        stored: dict[str, dict[str, date]] = {member: {} for member in batch}
        for row in connection.execute(_TITLES, asked).all():
            stored[row.member_id][row.title] = row.earned
        changed: list[str] = []
        earned: list[dict[str, object]] = []
        for member, state in _careers(connection, federation, batch, openings).items():
            wanted = {
                award.title: openings[member].as_of if award.earned is None else award.earned.day
                for award in state.titles
            }
            if stored[member] != wanted:
                changed.append(member)
                earned += [
                    {"member_id": member, "title": title, "earned": day} for title, day in wanted.items()
                ]
        if changed:
            connection.execute(_NO_TITLES, [{"member": member} for member in changed])
        if earned:
            connection.execute(_NEW_TITLES, earned)


def _careers(
    connection: Connection,
    federation: Federation,
    members: Sequence[str],
    openings: Mapping[str, Any],
) -> dict[str, TitleState]:
    """Return the norms, the peak and the titles of members after everything that is rated."""
    asked = {"ids": members}
    made = {
        (row.member_id, row.place): row.level for row in connection.execute(_NORMS_OF_MEMBERS, asked).all()
    }
    outcomes: dict[str, list[SectionOutcome]] = {member: [] for member in members}
    rows: Iterable[Any] = connection.execute(_REGULAR_ROWS, asked).all()
    for row in rows:
        norm = made.get((row.member_id, row.place))
        outcomes[row.member_id].append(outcome_of(federation, row.place, row, norm))
    return {
        member: titles_after(
            career, start=opening_state(peak=openings[member].peak if member in openings else None)
        )
        for member, career in outcomes.items()
    }


# Built once: building a question takes longer than answering it.
_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
_NO_NORMS = delete(norms).where(norms.c.section_id == bindparam("section"))
_NEW_NORMS = insert(norms)
_NORMS_OF_MEMBERS = select(norms.c.member_id, norms.c.place, norms.c.level).where(norms.c.member_id.in_(_IDS))
_NO_TITLES = delete(titles).where(titles.c.member_id == bindparam("member"))
_NEW_TITLES = insert(titles)
_TITLES = select(titles).where(titles.c.member_id.in_(_IDS))
_OPENINGS = select(balances.c.member_id, balances.c.peak, balances.c.as_of).where(
    balances.c.member_id.in_(_IDS), balances.c.system == System.REGULAR.value
)
_REGULAR_ROWS = (
    select(
        ledger.c.member_id,
        ledger.c.place,
        ledger.c.rating,
        ledger.c.games,
        ledger.c.life_master_games,
    )
    .where(CURRENT, ledger.c.member_id.in_(_IDS), ledger.c.system == System.REGULAR.value)
    .order_by(ledger.c.place)
)


def opening_peak(connection: Connection, member: str) -> float | None:
    """Return the peak in OTB Regular with which a member's ledger began."""
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
