"""Which published values can be compared: those that rest on published ratings alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratebook.rating.results import RatedSection


def opponents_of(rated: RatedSection, at: int) -> set[int]:
    """Return the places of the opponents that a player has rated games against."""
    columns = rated.columns
    return set(columns.opponent[columns.first_game[at] : columns.first_game[at + 1]])


def comparable(rated: RatedSection) -> list[str]:
    """Return the players whose rating rests on published ones alone.

    Step 5 reads the player's own rating and the opponents' results of Step 4, which rest on the ratings of the
    opponents' opponents; all these must have been published. Players without a rated game have nothing to compare.
    """
    players = range(len(rated.players))
    known = [rated.system in rated.facts[player].ratings for player in rated.players]
    opponents = [opponents_of(rated, at) for at in players]
    known_in_step4 = [known[at] and all(known[opponent] for opponent in opponents[at]) for at in players]
    return [
        player
        for at, player in enumerate(rated.players)
        if opponents[at]
        and known_in_step4[at]
        and all(known_in_step4[opponent] for opponent in opponents[at])
    ]
