"""Who plays when and where: the events of a month, and the sections that they are divided into."""

from typing import NamedTuple

import numpy as np

from ratebook.lab.worlds.draws import Draws
from ratebook.lab.worlds.members import MONTHS, Members
from ratebook.lab.worlds.world import World
from ratebook.replay.memory import Array

MOST_EVENTS = 4
"""That one member enters in a month."""
DAYS = 4
"""Of a month, on which events of a region end."""
ENDS = np.array([7, 14, 21, 28])
FEWEST = 4


class EventForm(NamedTuple):
    """A form of events: its share of the entries, players a section, least and most rounds, and days that it lasts."""

    share: float
    size: int
    rounds: tuple[int, int]
    days: int


FORMS = (
    EventForm(0.15, 4, (3, 3), 1),  # a quad: everyone meets everyone
    EventForm(0.45, 24, (4, 5), 2),  # a weekend Swiss
    EventForm(0.25, 10, (4, 5), 28),  # a club's evenings
    EventForm(0.15, 40, (5, 6), 3),  # an open
)


class Events(NamedTuple):
    """The events of a month in the order of rating: form, entries, and the day of the month on which each ends."""

    form: Array
    count: Array
    end: Array


class Sections(NamedTuple):
    """The sections of a month, in the order of rating, and the *member* and *section* of each of their entries.

    Events are numbered within the month, sections in their event from 1; *systems* are bits, as in a history. *first*
    is where the entries of each section begin, and one more at the end.
    """

    event: Array
    number: Array
    start: Array
    end: Array
    systems: Array
    rounds: Array
    first: Array
    member: Array
    section: Array


def draw_sections(members: Members, world: World, month: int, draws: Draws, *, has_quick: bool) -> Sections:
    """Return the sections of a month; they are formed by published ratings, never by true strengths."""
    present = members.here(month)
    wish = members.events[present] / MONTHS
    times = np.minimum(np.floor(wish + draws.fractions(len(present))), MOST_EVENTS).astype("i8")
    member = np.repeat(present, times)
    form = draws.weighted([kind.share for kind in FORMS], len(member))
    group = (members.region[member] * len(FORMS) + form) * DAYS + draws.below(DAYS, len(member))
    # No one enters an event twice.
    key = np.unique(group * len(members.born) + member)
    group, member = key // len(members.born), key % len(members.born)
    order = np.lexsort((member, -members.published[member], group))
    group, member = group[order], member[order]
    groups, count = np.unique(group, return_counts=True)
    enough = count >= FEWEST
    plays = np.repeat(enough, count)
    group, member = group[plays], member[plays]
    groups, count = groups[enough], count[enough]
    end = ENDS[groups % DAYS]
    # Events are numbered in the order in which they are rated.
    rank = np.lexsort((groups, end))
    place = np.empty_like(rank)
    place[rank] = np.arange(len(rank))
    order = np.lexsort((np.arange(len(group)), np.repeat(place, count)))
    member = member[order]
    groups, count, end = groups[rank], count[rank], end[rank]
    events = Events(groups // DAYS % len(FORMS), count, end)
    return _divided(draws, world, member, events, has_quick=has_quick)


def _divided(draws: Draws, world: World, member: Array, events: Events, *, has_quick: bool) -> Sections:
    form, count, end = events
    size = np.array([kind.size for kind in FORMS])[form]
    parts = np.maximum(count // size, 1)
    event = np.repeat(np.arange(len(count)), parts)
    number = np.arange(len(event)) - np.repeat(np.cumsum(parts) - parts, parts) + 1
    # The entries of an event, the strongest first, are cut into sections of nearly equal size.
    base, more = count // parts, count % parts
    sizes = base[event] + (number <= more[event])
    first = np.concatenate([[0], np.cumsum(sizes)])
    of_event = draws.weighted([1.0 - world.dual - world.quick, world.dual, world.quick], len(count))
    systems = np.where(has_quick, np.array([1, 3, 2])[of_event], 1)
    low, high = (np.array([kind.rounds[side] for kind in FORMS])[form] for side in (0, 1))
    rounds = (low + draws.below(high - low + 1, len(count)))[event]
    days = np.array([kind.days for kind in FORMS])[form]
    return Sections(
        event=event,
        number=number,
        start=np.maximum(end - days + 1, 1)[event],
        end=end[event],
        systems=systems[event],
        rounds=np.minimum(rounds, sizes - 1),
        first=first,
        member=member,
        section=np.repeat(np.arange(len(event)), sizes),
    )
