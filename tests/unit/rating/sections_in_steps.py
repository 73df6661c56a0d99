"""What several tests of the five steps look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.model import PlayerFacts, Rating

if TYPE_CHECKING:
    from support.builders import Start


QUAD_OF_FOUR: list[Start] = [
    Rating(1700.0, 30),
    Rating(1500.0, 6),
    PlayerFacts(id="", adult=True),
    Rating(1850.0, 100),
]
QUAD_ROUNDS = ["W2 D3 L4", "L1 L3 D4", "D1 W2 L4", "W1 D2 W3"]
