"""What an official list says: who has which rating, as plain values that every writer takes."""

import math
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from ratebook.model import Shown, System
from ratebook.player_lists.names import folded
from ratebook.rating.formulas import rounded


class PersonFacts(NamedTuple):
    """What else is known of a member, as a members CSV has it; empty where it is not known."""

    fide_id: str = ""
    sex: str = ""
    title: str = ""
    federation: str = ""
    club: str = ""


class ListMember(NamedTuple):
    """One member of an official list; an erased person has no name. *titles* are codes, earned by the cut-off."""

    id: str
    name: str
    state: str
    expires: date | None
    ratings: Mapping[System, Shown]
    titles: tuple[str, ...] = ()
    person: PersonFacts = PersonFacts()


class OfficialList(NamedTuple):
    """An official list of one *month* (``2026-12``), its members in the order of their ids or another (`in_order`).

    Sections count that ended by *cut_off*; *seal* is how far the chain of the book went when it was published.
    """

    federation: str
    month: str
    cut_off: date
    members: tuple[ListMember, ...]
    seal: str = ""

    @property
    def systems(self) -> tuple[System, ...]:
        """The systems in which any member has a rating, in their usual order."""
        used = {system for member in self.members for system in member.ratings}
        return tuple(system for system in System if system in used)


def in_public(official: OfficialList) -> OfficialList:
    """Return a list without what only the office knows of members: their sex, and when their memberships end."""
    return official._replace(
        members=tuple(
            one._replace(expires=None, person=one.person._replace(sex="")) for one in official.members
        )
    )


ORDERS = ("id", "name", "rating", *(system.value for system in System))
"""How a list can be ordered; ``rating``: by that of its first system."""


def in_order(official: OfficialList, order: str) -> OfficialList:
    """Return a list with its members by id, by name or by rating, the highest first and those without one last.

    Names are compared without case and accents; equal ones, and equal ratings, are in the order of ids.
    """
    members = sorted(official.members, key=lambda member: member.id)
    if order == "name":
        members.sort(key=lambda member: folded(member.name))
    elif order != "id":
        system = System(order) if order != "rating" else next(iter(official.systems), System.REGULAR)
        members.sort(key=lambda member: -_points_in(member, system))
    return official._replace(members=tuple(members))


def _points_in(member: ListMember, system: System) -> float:
    rating = member.ratings.get(system)
    return -math.inf if rating is None else rating.rating


def as_shown(rating: float, games: float | None, *, established: bool) -> Shown:
    """Return a rating on so many games as it is published.

    Source: docs/rules/readings.md#a14 (display).

    >>> as_shown(1656.6, 24.0, established=False), as_shown(1656.4, 12.5, established=False)
    (Shown(rating=1657, provisional_games=24), Shown(rating=1656, provisional_games=12.5))
    >>> as_shown(1816.5, None, established=True)
    Shown(rating=1817, provisional_games=None)
    """
    if established or games is None:
        return Shown(int(rounded(rating)))
    return Shown(int(rounded(rating)), int(games) if games == int(games) else games)


def shown_rating(rating: Shown | None) -> str:
    """Return a rating as people write it: with P and its games while it is provisional; empty where there is none.

    >>> shown_rating(Shown(1500)), shown_rating(Shown(612, 12.5)), shown_rating(None)
    ('1500', '612P12.5', '')
    """
    if rating is None:
        return ""
    return (
        str(rating.rating)
        if rating.provisional_games is None
        else f"{rating.rating}P{rating.provisional_games:g}"
    )
