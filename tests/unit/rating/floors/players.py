"""Players who lose, and what followed Step 5 of them: for the tests of floors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratebook.model import PlayerFacts, Rating, System
from support.builders import REGULAR, rate

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection
    from ratebook.rules.in_force import RulesInForce

TODAY = "2025-06-01"


def floors_of(rated: RatedSection, seat: int, column: str) -> float:
    """Return one column of what followed Step 5."""
    values = getattr(rated.settlement, column)
    return float(values[rated.places[str(seat)]])


def facts(
    rating: Rating,
    system: System = REGULAR,
    **more: Any,  # noqa: ANN401 - fields of PlayerFacts, of whatever type
) -> PlayerFacts:
    return PlayerFacts(id="", ratings={system: rating})._replace(**more)


def lose(  # noqa: PLR0913 - as builders.rate
    start: Rating | PlayerFacts,
    games: int,
    *,
    to: float,
    on: str = TODAY,
    system: System = REGULAR,
    rules: RulesInForce | None = None,
) -> RatedSection:
    """Rate a player who loses so many games, each to another opponent."""
    opponents = [Rating(to, None)] * games
    rounds = [" ".join(f"L{seat}" for seat in range(2, games + 2)), *["W1"] * games]
    return rate([start, *opponents], rounds, on=on, system=system, rules=rules)
