"""Rows of the ledger: what a rated section adds, and the state that the next section starts from."""

import math
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Row

from ratebook.book.columns import day_of_place
from ratebook.book.facts.member_files import BOUND_NAMES, floors_of_text, rating_of, text_of_floors
from ratebook.model import EnteredFloor, Rating, SectionType, System
from ratebook.rating.carry import RECORD_NAMES, applied_floor
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
        standard = columns.formula[at] == STANDARD
        before_games = columns.games[at]
        applied = applied_floor(settlement.floor_applied[at], settlement.floor[at], settlement.lowered_to[at])
        # In the order of the columns, since names take four times as long, and every row of a history comes by here.
        values = (
            player,
            SOURCE_NAMES[rated.sources[at]],
            columns.rating[at],
            None if math.isinf(before_games) else before_games,
            *carry.figures(RECORD_NAMES),
            BOUND_NAMES[carry.at_least],
            text_of_floors(floor for floor in floors if floor.system is system) if floors else "",
            carry.rating - columns.rating[at] if is_match else None,
            columns.first_game[at + 1] - columns.first_game[at],
            FORMULA_NAMES[columns.formula[at]],
            columns.effective_games[at],
            columns.k[at] if standard else None,
            columns.total_score[at],
            columns.expected[at],
            columns.bonus[at] if standard else None,
            columns.step3[at] if columns.newcomer[at] else None,
            None if foreign else columns.step4[at],
            columns.step5[at],
            None if applied == NO_FLOOR else applied,
        )
        rows[player] = LedgerRow._make(values)
    return rows


def standing_of(row: LedgerRow | Row[tuple[object, ...]], system: System, place: str) -> Standing:
    """Return the state after a row of the section at *place*, from which the next section starts."""
    end = end_of_place(place)
    return Standing(rating_of(row, end), floors_of_text(row.floors, system), end, place)


@lru_cache(maxsize=4_096)
def end_of_place(place: str) -> date:
    """Return the end date of the section at *place*."""
    return date.fromisoformat(day_of_place(place))
