"""What the stored sections show of a person in one system before a section.

The same person has the same number in all sections, but many sections are not in the file: what is shown are bounds.
Online sections that the office had rated with a wrong K are a history of their own, since their ratings were replaced.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from scripts.published.office import rated_by_mistake
from scripts.published.stored import stored_sections

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from scripts.published.stored import Published, StoredSection

    from ratebook.model import System

LEAST_ESTABLISHED = 26
LEAST_OF_A_LONG_SECTION = 3


class Appearance(NamedTuple):
    """One person in one section and system."""

    place: tuple[date, int, int]
    mistaken: bool
    published: Published
    scores: tuple[float, ...]


class Shown(NamedTuple):
    """What the file shows of a person before a section.

    Attributes:
        peak: the highest established rating, the one before the section included; None: no established one.
        least_games: the fewest games that the rating before the section can rest on.
        games: how many these are, where the sections follow one another; else None.
        wins, draws, losses, long_sections: of the earlier sections in the file.
        lowest_later: the lowest rating after a later section; None: there is none.
    """

    peak: int | None
    least_games: int
    games: int | None
    wins: int
    draws: int
    losses: int
    long_sections: int
    lowest_later: int | None


@cache
def appearances() -> dict[tuple[int, System], list[Appearance]]:
    """Return the appearances of each person in each system, in the order of rating."""
    histories: dict[tuple[int, System], list[Appearance]] = defaultdict(list)
    for section in stored_sections():
        mistaken = rated_by_mistake(section)
        scores: dict[int, list[float]] = defaultdict(list)
        for seat in section.seats:
            scores[seat.person] += seat.scores
        for seat in {seat.person: seat for seat in section.seats}.values():
            for system, published in seat.ratings.items():
                histories[seat.person, system].append(
                    Appearance(section.place, mistaken, published, tuple(scores[seat.person]))
                )
    return dict(histories)


def shown_before(section: StoredSection, person: int, system: System) -> Shown:
    """Return what the file shows of *person* in *system* before *section*."""
    mistaken = rated_by_mistake(section)
    history = [appearance for appearance in appearances()[person, system] if appearance.mistaken == mistaken]
    earlier = [appearance for appearance in history if appearance.place < section.place]
    own = next(appearance for appearance in history if appearance.place == section.place).published
    established = [
        own.established_before,
        *(appearance.published.established_before for appearance in earlier),
        *(appearance.published.established_after for appearance in earlier),
    ]
    scores = [score for appearance in earlier for score in appearance.scores]
    least, games = games_before(earlier, own)
    return Shown(
        peak=max((rating for rating in established if rating is not None), default=None),
        least_games=least,
        games=games,
        wins=scores.count(1.0),
        draws=scores.count(0.5),
        losses=scores.count(0.0),
        long_sections=sum(len(appearance.scores) >= LEAST_OF_A_LONG_SECTION for appearance in earlier),
        lowest_later=min(
            (appearance.published.after for appearance in history if appearance.place > section.place),
            default=None,
        ),
    )


def games_before(earlier: Iterable[Appearance], own: Published) -> tuple[int, int | None]:
    """Return the fewest games that the rating before can rest on, and how many they are where that follows.

    Sections follow one another where the rating after one is the rating before the next.
    """
    least, games, after = 0, None, None
    for appearance in earlier:
        least, games = _games_of(
            appearance.published, least, games if appearance.published.before == after else None
        )
        least += len(appearance.scores)
        games = None if games is None else games + len(appearance.scores)
        after = appearance.published.after
    return _games_of(own, least, games if own.before == after else None)


def _games_of(published: Published, least: int, games: int | None) -> tuple[int, int | None]:
    if published.games_before is not None:
        return published.games_before, published.games_before
    return max(least, LEAST_ESTABLISHED), games
