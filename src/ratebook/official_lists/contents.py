"""What an official list says: who has which rating, as plain values that every writer takes."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from ratebook.model import System


class ListRating(NamedTuple):
    """A published rating; *games* are those of a provisional one, None where it is established."""

    rating: int
    games: int | None = None


class ListMember(NamedTuple):
    """One member of an official list; an erased person has no name. *titles* are codes, earned by the cut-off."""

    id: str
    name: str
    state: str
    expires: date | None
    ratings: Mapping[System, ListRating]
    titles: tuple[str, ...] = ()


class OfficialList(NamedTuple):
    """An official list of one *month* (``2026-12``), its members in the order of their ids.

    Sections count that ended by *cut_off*.
    """

    federation: str
    month: str
    cut_off: date
    members: tuple[ListMember, ...]

    @property
    def systems(self) -> tuple[System, ...]:
        """The systems in which anybody has a rating, in their usual order."""
        used = {system for member in self.members for system in member.ratings}
        return tuple(system for system in System if system in used)


def shown_rating(rating: ListRating | None) -> str:
    """Return a rating as printed lists have it: with P and its games while it is provisional; empty where none.

    >>> shown_rating(ListRating(1500)), shown_rating(ListRating(612, 12)), shown_rating(None)
    ('1500', '612P12', '')
    """
    if rating is None:
        return ""
    return str(rating.rating) if rating.games is None else f"{rating.rating}P{rating.games}"
