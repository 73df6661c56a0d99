"""In which order the sections of a chunk are rated side by side: no member is in two sections of the same turn."""

from typing import NamedTuple

import numpy as np

from ratebook.replay.load import first_places
from ratebook.replay.memory import Array


class Turns(NamedTuple):
    """Entries in the order of their turns: *first* is where each turn begins in *entries*, and one more at the end.

    *turn* is of each section, -1 for one without entries; *place* of each entry within its turn.
    """

    entries: Array
    first: Array
    turn: Array
    place: Array


def turns_of(section: Array, member: Array, sections: int) -> Turns:
    """Return the turns of entries, which are given section after section.

    A section comes in the turn after the latest one of the sections before it that share a member with it.
    """
    turn = _turn_of_sections(section, member, sections)
    of_entry = turn[section]
    entries = np.argsort(of_entry, kind="stable")
    first = first_places(np.bincount(of_entry, minlength=turn.max(initial=-1) + 1))
    place = np.empty_like(entries)
    place[entries] = np.arange(len(entries)) - first[of_entry[entries]]
    return Turns(entries, first, turn, place)


def _turn_of_sections(section: Array, member: Array, sections: int) -> Array:
    by_member = np.argsort(member, kind="stable")
    follows = np.flatnonzero(member[by_member][1:] == member[by_member][:-1])
    before, after = section[by_member][follows], section[by_member][follows + 1]
    order = np.argsort(before, kind="stable")
    after = after[order]
    counts = np.bincount(before, minlength=sections)
    first = first_places(counts)
    waits = np.bincount(after, minlength=sections)
    turn = np.full(sections, -1)
    ready = np.flatnonzero((np.bincount(section, minlength=sections) > 0) & (waits == 0))
    number = 0
    while len(ready):
        turn[ready] = number
        # The sections that follow those that are ready, each as often as they share a member.
        lengths = counts[ready]
        starts = np.repeat(first[ready] - (np.cumsum(lengths) - lengths), lengths)
        released = after[starts + np.arange(len(starts))]
        np.subtract.at(waits, released, 1)
        released = np.unique(released)
        ready = released[waits[released] == 0]
        number += 1
    return turn
