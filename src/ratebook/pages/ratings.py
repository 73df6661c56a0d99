"""Ratings of a book as people write them."""

from datetime import date
from typing import Any

from ratebook.book.ledger.rows import Standing
from ratebook.book.profile import Federation
from ratebook.model import Shown, System
from ratebook.official_lists.contents import as_shown
from ratebook.rating.decisions import FLOOR_KINDS, NOTHING_ENTERED, gather_entered
from ratebook.rating.floors import UNKNOWN
from ratebook.rating.settlement import SettlementColumns, find_floor


def current_rating(
    federation: Federation, system: System, rating: float, games: float | None, on: date
) -> Shown:
    """Return a rating as it is published, with its games while it is provisional."""
    return as_shown(rating, games, established=federation.established(system, games, on))


def floor_in_force(federation: Federation, system: System, standing: Standing, on: date) -> float:
    """Return the floor below which a rating cannot fall after the member's last section, by the rules of a day."""
    rules, rating = federation.rulebook.in_force(system, on), standing.rating

    def known(count: float | None) -> float:
        return UNKNOWN if count is None else count

    def counted(count: float | None) -> float:
        return 0.0 if count is None and rules.floors_from_bounds == 1 else known(count)

    empty: dict[str, list[Any]] = {name: [0] for name in SettlementColumns._fields}
    alone = SettlementColumns(**empty)._replace(
        peak=[known(rating.peak)],
        wins=[counted(rating.wins)],
        draws=[counted(rating.draws)],
        long_sections=[counted(rating.long_events)],
        olm_games=[known(rating.life_master_games)],
    )
    entered = list(NOTHING_ENTERED)
    for one in standing.floors:
        at = FLOOR_KINDS.index(one.kind)
        entered[at] = max(entered[at], one.floor)
    gather_entered(entered, alone, 0)
    find_floor(rules, alone, 0)
    return alone.floor[0]
