"""Norms and titles, kept up to date with the ledger: both follow from it and can be computed again at any time."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from ratebook.book.connection import Connection
from ratebook.book.events import StoredSection
from ratebook.book.ledger.careers import (
    Career,
    CareerSection,
    NormRow,
    Opening,
    load_careers,
    with_norms,
    write_norms,
    write_titles,
)
from ratebook.book.ledger.rows import LedgerRow, end_of_place
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.titles.awards import RatedAt, SectionOutcome, has_life_master_games, opening_state, titles_after
from ratebook.titles.norms import norms_made_in
from ratebook.titles.title_rules import title_rules


def note_careers(
    connection: Connection,
    federation: Federation,
    rated: Sequence[tuple[StoredSection, Mapping[str, LedgerRow]]],
) -> None:
    """Note norms, and titles that may follow, of sections *rated* for the first time, with rows of OTB Regular."""
    norms = {stored.id: norms_made(stored, rows) for stored, rows in rated}
    write_norms(connection, norms)
    makers = sorted({norm.member_id for of_section in norms.values() for norm in of_section})
    least = min(title.norms for title in title_rules().titles if title.norms)
    hopeful = dict.fromkeys(with_norms(connection, makers, least))
    for stored, rows in rated:
        end = stored.section.end
        hopeful |= dict.fromkeys(
            member for member, row in rows.items() if _may_earn_by_rating(federation, row, end)
        )
    write_titles(connection, changed_titles(connection, federation, hopeful))


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


def norms_made(stored: StoredSection, regular: Mapping[str, LedgerRow]) -> list[NormRow]:
    """Return the norms of a section by its rows of OTB Regular."""
    if stored.withdrawn:
        return []
    after = {member: row.rating for member, row in regular.items()}
    norms = []
    for result in norms_made_in(stored.section, after):
        if result.level is None or result.player not in regular:
            continue
        norm = NormRow(
            member_id=result.player,
            section_id=stored.id,
            place=stored.place,
            level=result.level,
            score=result.score,
            expected=next(tried.expected for tried in result.tries if tried.level == result.level),
            played=result.games,
        )
        norms.append(norm)
    return norms


def changed_titles(
    connection: Connection, federation: Federation, members: Iterable[str]
) -> dict[str, dict[str, date]]:
    """Return the titles of those of *members* whose whole careers give others than those on record."""
    changed = {}
    for careers in load_careers(connection, members):
        for member, career in careers.items():
            titles = titles_of_career(federation, career)
            if titles != career.titles:
                changed[member] = titles
    return changed


def titles_of_career(federation: Federation, career: Career) -> dict[str, date]:
    """Return the titles that a career gives, with their days."""
    state = titles_after(
        [outcome_of(federation, section) for section in career.sections],
        start=opening_state(peak=attained_peak(federation, System.REGULAR, career.opening)),
    )
    earned = {}
    for title, place in state.titles:
        opened = None if career.opening is None else career.opening.as_of
        day = opened if place is None else place.day
        assert day is not None, "titles without a section come from an opening balance"  # noqa: S101 - tells the type checker
        earned[title] = day
    return earned


def attained_peak(federation: Federation, system: System, opening: Opening | None) -> float | None:
    """Return the highest established rating that an opening balance shows; None where it shows none.

    Source: docs/rules/readings.md#what-is-known-bounds-what-is-not.
    """
    if opening is None:
        return None
    day = max(opening.as_of, federation.rulebook.first_day)
    attained = [] if opening.peak is None else [opening.peak]
    bounds = federation.rulebook.in_force(system, day).floors_from_bounds == 1
    if bounds and federation.established(system, opening.games, day):
        attained.append(opening.rating)
    return max(attained, default=None)


def outcome_of(federation: Federation, section: CareerSection) -> SectionOutcome:
    """Return what a rated section means for titles."""
    day = end_of_place(section.place)
    _, event, number = section.place.split("\t")
    rules = federation.rulebook.in_force(System.REGULAR, day)
    established = federation.established(System.REGULAR, section.games, day)
    return SectionOutcome(
        RatedAt(day, event, int(number)),
        section.norm,
        section.rating if established else None,
        has_life_master_games(rules, section.life_master_games),
    )
