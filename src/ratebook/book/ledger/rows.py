"""Rows of the ledger: what a rated section adds, and the state that the next section starts from."""

import math
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Row

from ratebook.book.columns import day_of_place
from ratebook.book.facts.member_files import floors_of_text, rating_of, stored_rating
from ratebook.model import EnteredFloor, Rating, SectionType, System
from ratebook.rating.carry import applied_floor
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.rate import carried_after
from ratebook.rating.results import FORMULA_NAMES, SOURCE_NAMES, RatedSection
from ratebook.rating.steps import NOT_RATED, STANDARD


class LedgerRow(NamedTuple):
    """One player of a rated section and system, as the ledger stores it (columns as in ``schema.ledger``)."""

    member_id: str
    source: str
    rating_before: float
    games_before: float | None
    rating: float
    games: float | None
    wins: int | None
    draws: int | None
    losses: int | None
    record: str | None
    long_events: int | None
    peak: float | None
    life_master_games: int | None
    at_least: str | None
    floors: str
    match_change: float | None
    played: int
    formula: str
    effective_games: float
    k: float | None
    score: float
    expected: float
    bonus: float | None
    step3: float | None
    step4: float | None
    step5: float
    floor_applied: float | None


class Standing(NamedTuple):
    """A member's rating in one system with all that it carries, and place and end of the last section."""

    rating: Rating
    floors: tuple[EnteredFloor, ...]
    end: date
    place: str


def rows_of(rated: RatedSection) -> dict[str, LedgerRow]:
    """Return the rows that a rated section adds, by member, in the order of the columns."""
    columns, settlement, system = rated.columns, rated.settlement, rated.system
    foreign = rated.section.type is SectionType.FIDE
    is_match = rated.section.type is SectionType.MATCH
    rows = {}
    for player, at in rated.places.items():
        if columns.formula[at] == NOT_RATED:
            continue
        facts = rated.facts[player]
        carry, floors = carried_after(rated, at, facts)
        after = carry.rating_on(rated.section.end, facts.ratings.get(system))
        standard = columns.formula[at] == STANDARD
        before_games = columns.games[at]
        floor = applied_floor(settlement.floor_applied[at], settlement.floor[at], settlement.lowered_to[at])
        rows[player] = LedgerRow(
            member_id=player,
            source=SOURCE_NAMES[rated.sources[at]],
            rating_before=columns.rating[at],
            games_before=None if math.isinf(before_games) else before_games,
            **stored_rating(after, (floor for floor in floors if floor.system is system)),
            match_change=carry.rating - columns.rating[at] if is_match else None,
            played=columns.first_game[at + 1] - columns.first_game[at],
            formula=FORMULA_NAMES[columns.formula[at]],
            effective_games=columns.effective_games[at],
            k=columns.k[at] if standard else None,
            score=columns.total_score[at],
            expected=columns.expected[at],
            bonus=columns.bonus[at] if standard else None,
            step3=columns.step3[at] if columns.newcomer[at] else None,
            step4=None if foreign else columns.step4[at],
            step5=columns.step5[at],
            floor_applied=None if floor == NO_FLOOR else floor,
        )
    return rows


def standing_of(row: LedgerRow | Row[tuple[object, ...]], system: System, place: str) -> Standing:
    """Return the state after a row of the section at *place*, from which the next section starts."""
    end = end_of_place(place)
    return Standing(rating_of(row, end), floors_of_text(row.floors, system), end, place)


@lru_cache(maxsize=4_096)
def end_of_place(place: str) -> date:
    """Return the end date of the section at *place*."""
    return date.fromisoformat(day_of_place(place))
