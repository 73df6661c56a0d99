"""Newcomers whose first rating is looked for, and the quad that several tests of the five steps look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratebook.model import ForeignRating, PlayerFacts, Rating, System
from support.builders import rate, seat_of, section

if TYPE_CHECKING:
    from datetime import date

    from ratebook.rating.results import RatedSection
    from support.builders import Start

ONLINE_QUICK = System.ONLINE_QUICK
ONLINE_BLITZ = System.ONLINE_BLITZ
FIRST_DAY_OF_BLEND = "2020-06-01"
IN_2025 = "2025-06-15"

QUAD_OF_FOUR: list[Start] = [
    Rating(1700.0, 30),
    Rating(1500.0, 6),
    PlayerFacts(id="", adult=True),
    Rating(1850.0, 100),
]
QUAD_ROUNDS = ["W2 D3 L4", "L1 L3 D4", "D1 W2 L4", "W1 D2 W3"]


def player(  # noqa: PLR0913 - each test knows another thing of the player
    ratings: dict[System, Rating] | None = None,
    *,
    fide: ForeignRating | None = None,
    cfc: ForeignRating | None = None,
    born: date | None = None,
    adult: bool | None = None,
    canadian: bool = False,
) -> PlayerFacts:
    return PlayerFacts(
        id="",
        ratings=ratings or {},
        fide=fide,
        cfc=cfc,
        birth_date=born,
        adult=adult,
        canadian_resident=canadian,
    )


def rate_newcomer(facts: PlayerFacts, system: System, on: str, end: str = "") -> RatedSection:
    opponent = PlayerFacts(id="2", ratings={system: Rating(1500.0, 50)})
    played = section(["D2", "D1"], on=on, end=end)
    return rate({"1": facts._replace(id="1"), "2": opponent}, played, system=system)


def start(facts: PlayerFacts, system: System, on: str, end: str = "") -> tuple[Any, float, str]:
    """Return the rating that Step 1 gives, its N, and where it comes from."""
    before = seat_of(rate_newcomer(facts, system, on, end), 1).before
    return before.rating, before.games, before.source
