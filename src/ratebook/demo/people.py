"""The members: who they are, how strong they are on a day, and when they are members."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.names import Names
from ratebook.demo.values import Member, Membership
from ratebook.model import PlayerFacts
from ratebook.player_lists.members_columns import LIFE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratebook.demo.chance import Chance
    from ratebook.demo.clubs import Club

FIRST_ID = 90_000_001
DAYS_OF_A_YEAR = 365.25
SCHOOL_AGE = 19.0
"""Years below which a player enters scholastic events."""

LEAST_STRENGTH = 30.0
MASTER = 2_200.0
_SENIOR_AGE = 55.0
_POINTS_LOST_A_YEAR = 6.0
_NEW_FOR_DAYS = 90
_EAGER = 2.5
_PLAYS_IN_A_GAP = 0.08
_RATED_BEFORE = 0.6


class Plateau(NamedTuple):
    """How a player's strength grows: by *growth* a year up to *strength* at the age *mature*."""

    strength: float
    mature: float
    growth: float


class Person(NamedTuple):
    """A member with what nobody writes down.

    Attributes:
        member: what the members list says.
        born: the true birth date, which the list may not have.
        club: index of the home club.
        plateau: how the strength grows.
        drift: points that strength has wandered, by year of the federation.
        activity: how often an invitation is followed, from 0 to 1.
        joined: first day in the federation.
        spans: memberships.
        rated_before: whether there are opening balances.
    """

    member: Member
    born: date
    club: int
    plateau: Plateau
    drift: tuple[float, ...]
    activity: float
    joined: date
    spans: tuple[Membership, ...]
    rated_before: bool

    @property
    def id(self) -> str:
        """The member id."""
        return self.member.facts.id

    def age_on(self, day: date) -> float:
        """Return the age in years."""
        return (day - self.born).days / DAYS_OF_A_YEAR

    def strength_on(self, day: date) -> float:
        """Return the true strength: it grows with age, falls late, and drifts from year to year."""
        age = self.age_on(day)
        plateau = self.plateau
        year = max(0, min(day.year - self.drift_begins, len(self.drift) - 1))
        strength = plateau.strength + self.drift[year] - plateau.growth * max(0.0, plateau.mature - age)
        return max(LEAST_STRENGTH, strength - _POINTS_LOST_A_YEAR * max(0.0, age - _SENIOR_AGE))

    @property
    def drift_begins(self) -> int:
        """The year in which the drift begins: the year after joining for those rated before the first event."""
        return self.joined.year + 1 if self.rated_before else self.joined.year

    def is_member_on(self, day: date) -> bool:
        """Return whether *day* lies within a membership."""
        return any(span.starts <= day <= span.expires for span in self.spans)

    def comes_on(self, day: date, chance: Chance) -> bool:
        """Return whether the person enters an event on *day*; newcomers are eager, a few play without membership."""
        if day < self.joined or day > self.spans[-1].expires:
            return False
        if not self.is_member_on(day):
            return chance.happens(_PLAYS_IN_A_GAP)
        new = not self.rated_before and (day - self.joined).days < _NEW_FOR_DAYS
        return chance.happens(self.activity * _EAGER if new else self.activity)


def invent_people(
    chance: Chance, clubs: Sequence[Club], count: int, first: date, last: date
) -> tuple[Person, ...]:
    """Return *count* members of a federation whose events are played from *first* to *last*.

    About 60 of 100 were rated before *first*; the others join later, most of them as children.
    """
    names = Names(chance)
    years = last.year - first.year + 1
    people: list[Person] = []
    for number in range(count):
        before = chance.happens(_RATED_BEFORE)
        if before:
            joined = date(first.year - 1, 1, 1) + timedelta(days=chance.below(300))
            born, plateau = _rated_player(chance, first)
        else:
            joined = first + timedelta(days=chance.below(max(1, (last - first).days - 40)))
            born, plateau = _newcomer(chance, joined)
        club = chance.below(len(clubs))
        sibling = people[-1] if people and chance.happens(1 / 9) else None
        if sibling is not None:
            club = sibling.club
        surname = "" if sibling is None else sibling.member.facts.name.partition(",")[0]
        key = str(FIRST_ID + number)
        adult_on_joining = (joined - born).days / DAYS_OF_A_YEAR >= SCHOOL_AGE
        spans = _memberships(chance, key, joined, last, lasting=adult_on_joining)
        facts = PlayerFacts(key, names.person(surname), us_member=True, usa_flag=chance.happens(0.95))
        if chance.happens(0.95):
            facts = facts._replace(birth_date=born)
        elif chance.happens(1 / 2):
            facts = facts._replace(adult=adult_on_joining)
        people.append(
            Person(
                Member(facts, clubs[club].state, spans[-1].expires),
                born,
                club,
                plateau,
                _drift(chance, years),
                _activity(chance, plateau),
                joined,
                spans,
                before,
            )
        )
    return tuple(people)


def _born(chance: Chance, day: date, youngest: int, oldest: int) -> date:
    """Return the birth date of somebody who is *youngest* to *oldest* years old on *day*."""
    days = chance.between(youngest * 365, (oldest + 1) * 365)
    return day - timedelta(days=days)


def _rated_player(chance: Chance, first: date) -> tuple[date, Plateau]:
    kind = chance.weighted((("rising", 2), ("master", 3), ("child", 38), ("adult", 37), ("senior", 20)))
    if kind == "rising":
        # Strong juniors, who pass 2200 within a few years.
        born = _born(chance, first, 12, 15)
        return born, Plateau(chance.bell(2_450.0, 40.0), 18.0 + 2.0 * chance.fraction(), 75.0)
    if kind == "master":
        return _born(chance, first, 22, 50), Plateau(chance.bell(2_260.0, 70.0), 21.0, 50.0)
    if kind == "child":
        return _child(chance, _born(chance, first, 7, 17))
    youngest, oldest = (19, 54) if kind == "adult" else (55, 82)
    return _born(chance, first, youngest, oldest), Plateau(chance.bell(1_480.0, 290.0), 21.0, 40.0)


def _newcomer(chance: Chance, joined: date) -> tuple[date, Plateau]:
    if chance.happens(0.7):
        return _child(chance, _born(chance, joined, 5, 12))
    return _born(chance, joined, 18, 60), Plateau(chance.bell(1_050.0, 260.0), 21.0, 40.0)


def _child(chance: Chance, born: date) -> tuple[date, Plateau]:
    return born, Plateau(
        max(300.0, chance.bell(1_450.0, 380.0)),
        15.0 + 6.0 * chance.fraction(),
        35.0 + 65.0 * chance.fraction(),
    )


def _activity(chance: Chance, plateau: Plateau) -> float:
    """Return how often a player follows an invitation; those who want to become masters seldom stay away."""
    most = 1.0 if plateau.strength > MASTER else 0.6
    return 0.15 + most * chance.fraction() * chance.fraction() + (0.2 if plateau.strength > MASTER else 0.0)


def _drift(chance: Chance, years: int) -> tuple[float, ...]:
    """Return a walk of about 30 points a year."""
    drift = [0.0]
    for _ in range(years - 1):
        drift.append(drift[-1] + chance.bell(0.0, 30.0))
    return tuple(drift)


def _memberships(
    chance: Chance, key: str, joined: date, last: date, *, lasting: bool
) -> tuple[Membership, ...]:
    """Return the memberships from *joined* on: renewed, let lapse for a while, given up, or for life."""
    if lasting and chance.happens(0.06):
        return (Membership(key, joined, LIFE),)
    spans: list[Membership] = []
    starts = joined
    while True:
        expires = starts + timedelta(days=364)
        spans.append(Membership(key, starts, expires))
        what = chance.weighted((("renewed", 82), ("lapsed", 12), ("left", 6)))
        if what == "left" or expires >= last:
            return tuple(spans)
        gap = chance.between(20, 240) if what == "lapsed" else 1
        starts = expires + timedelta(days=gap)
