"""The members of a simulated federation: when they come and go, how much they play, and how strong they become."""

import math
from typing import NamedTuple

import numpy as np

from ratebook.lab.worlds.draws import Draws
from ratebook.lab.worlds.world import Openings, World
from ratebook.replay.memory import Array

MONTHS = 12
YEAR_DAYS = 365.25
CHILD_AGES, ADULT_AGES = (6.0, 16.0), (18.0, 70.0)
DECLINES_FROM = 50.0
WEAKEST, STRONGEST = 120.0, 2800.0
GAINS_LEAST, GAINS_MOST = 0.5, 1.5
"""Of the mean growth, what the slowest and the fastest child gains."""
SEEN_AFTER = 0.3
"""Of the difference between strength and published rating, what a month makes up."""
ERROR_KEPT = 0.9
ERROR_NEW = 0.435889894354
"""sqrt(1 - 0.9 * 0.9), so that the error keeps its spread."""
FEWEST_TIMES, MOST_TIMES = 0.0, 3.0
"""Of the mean number of events, what the laziest and the keenest member enters; a squared fraction lies between."""


class Members(NamedTuple):
    """Everyone who ever is a member, as columns.

    Attributes:
        born: day numbers.
        arrives, leaves: months from the beginning of play.
        events: sections a year.
        region: where the member plays.
        child: whether the member arrives as a child.
        gain: rating points that are still to come.
        strength: true strength now, rating points; `strengths_after` moves it on.
        seen: what published ratings say of it, without their error.
        error: of published ratings.
    """

    born: Array
    arrives: Array
    leaves: Array
    events: Array
    region: Array
    child: Array
    gain: Array
    strength: Array
    seen: Array
    error: Array

    def here(self, month: int) -> Array:
        """Return the numbers of those who are members in a month."""
        return np.flatnonzero((self.arrives <= month) & (month < self.leaves))

    @property
    def published(self) -> Array:
        """Return ratings as they are published: late, and with an error."""
        return self.seen + self.error


def draw_members(world: World) -> Members:
    """Return the members of a world as they are at its beginning, or when they arrive."""
    draws = Draws(world.seed, "members")
    count, first = world.everyone, np.arange(world.everyone) < world.members
    year = np.where(first, 0, (np.arange(count) - world.members) // max(1, world.arrivals))
    arrives = np.where(first, 0, year * MONTHS + draws.below(MONTHS, count))
    child = draws.fractions(count) < np.where(first, world.children / 2.0, world.children)
    leaves = np.full(count, world.years * MONTHS)
    leaving = np.where(child, world.leaving_children, world.leaving)
    if leaving.any():
        # The month is geometrically distributed; its draw is made year by year to stay with sums and products.
        staying = np.ones(count, bool)
        for passed in range(world.years):
            go = staying & (draws.fractions(count) < leaving)
            leaves[go] = arrives[go] + passed * MONTHS + 1 + draws.below(MONTHS, count)[go]
            staying &= ~go
    low, high = np.where(child, CHILD_AGES[0], ADULT_AGES[0]), np.where(child, CHILD_AGES[1], ADULT_AGES[1])
    age = low + (high - low) * draws.fractions(count)
    born = np.floor(world.first_day.toordinal() + arrives * (YEAR_DAYS / MONTHS) - age * YEAR_DAYS)
    grown = np.clip(world.strength + world.spread * draws.bells(count), WEAKEST, STRONGEST)
    times = GAINS_LEAST + (GAINS_MOST - GAINS_LEAST) * draws.fractions(count)
    # Whoever arrives later in childhood has gained a part of it already.
    left = (CHILD_AGES[1] - age) / (CHILD_AGES[1] - CHILD_AGES[0]) * 0.5 + 0.5
    gain = np.where(child, np.minimum(world.growth * times * left, grown - WEAKEST), 0.0)
    strength = grown - gain
    keenness = draws.fractions(count)
    events = world.events * (FEWEST_TIMES + (MOST_TIMES - FEWEST_TIMES) * keenness * keenness)
    return Members(
        born=born.astype("i4"),
        arrives=arrives,
        leaves=leaves,
        events=events,
        region=draws.below(world.regions, count),
        child=child,
        gain=gain,
        strength=strength,
        seen=strength.copy(),
        error=world.error * draws.bells(count),
    )


def pass_month(members: Members, world: World, month: int, draws: Draws) -> None:
    """Move the strengths of those who are members on by a month, and the ratings that are seen of them."""
    present = members.here(month)
    count = len(present)
    grows = members.gain[present] * (world.growing / MONTHS)
    members.gain[present] -= grows
    change = grows
    if world.walk:
        change = change + world.walk * math.sqrt(1.0 / MONTHS) * draws.bells(count)
    if world.stepping:
        change = change + np.where(draws.fractions(count) < world.stepping / MONTHS, world.step, 0.0)
    if world.decline:
        today = world.first_day.toordinal() + month * (YEAR_DAYS / MONTHS)
        old = today - members.born[present] > DECLINES_FROM * YEAR_DAYS
        change = change - np.where(old, world.decline / MONTHS, 0.0)
    members.strength[present] = np.clip(members.strength[present] + change, WEAKEST, STRONGEST)
    members.seen[present] += SEEN_AFTER * (members.strength[present] - members.seen[present])
    members.error[present] = ERROR_KEPT * members.error[present] + ERROR_NEW * world.error * draws.bells(
        count
    )


def opening_ratings(members: Members, world: World) -> Array:
    """Return the ratings with which the first members begin."""
    first = slice(0, world.members)
    if world.openings is Openings.EXACT:
        return members.strength[first].copy()
    return np.clip(np.round(members.published[first]), WEAKEST, STRONGEST)
