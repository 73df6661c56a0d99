"""The members: who they are, how strong they are on a day, and what was known of them before the first event."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook.demo.chance import Chance
from ratebook.demo.names import Club, Names
from ratebook.demo.values import ExternalSource, Member, MembershipSpan, OpeningBalance, RatingAbroad
from ratebook.formats.reading.dates import LIFE
from ratebook.model import EnteredFloor, FloorKind, ForeignRating, PlayerFacts, Rating, Record, System

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
_NAMESAKES_EVERY = 75
_HOLDS_AFTER = timedelta(days=60)
"""Memberships that end so soon after the last event have been renewed in advance."""
_FIRST_NAME = "Heron, Alice"
_FIRST_ACTIVITY = 0.9


class Plateau(NamedTuple):
    """How a player's strength grows: by *growth* a year up to *strength* at the age *mature*."""

    strength: float
    mature: float
    growth: float


class Person(NamedTuple):
    """A member, with the facts that no list has: when *born*, how strength grows to a *plateau* and drifts by years.

    *activity* is how often an invitation is followed; those *rated_before* the first event have opening balances.
    """

    member: Member
    born: date
    club: int
    plateau: Plateau
    drift: tuple[float, ...]
    activity: float
    joined: date
    spans: tuple[MembershipSpan, ...]
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
        """Return whether *day* is within a membership."""
        return any(span.starts <= day <= span.expires for span in self.spans)

    def comes_on(self, day: date, chance: Chance) -> bool:
        """Return whether the person enters an event on *day*; newcomers are eager, a few play without membership."""
        if day < self.joined or day > self.spans[-1].expires:
            return False
        if not self.is_member_on(day):
            return chance.happens(_PLAYS_IN_A_GAP)
        new = not self.rated_before and (day - self.joined).days < _NEW_FOR_DAYS
        return chance.happens(self.activity * _EAGER if new else self.activity)


def invent_people(  # noqa: PLR0913, PLR0917 - how many, when and where
    chance: Chance, names: Names, clubs: Sequence[Club], count: int, first: date, last: date
) -> tuple[Person, ...]:
    """Return *count* members of a federation whose events are played from *first* to *last*.

    The first of them is a strong junior who plays often. About 60 of 100 were rated before *first*; the others join
    later, most of them as children. A few have the name of another member.
    """
    years = last.year - first.year + 1
    people: list[Person] = []
    for number in range(count):
        before = number == 0 or chance.happens(_RATED_BEFORE)
        if before:
            joined = first - timedelta(days=365 - chance.below(300))
            born, plateau = _rated_player(chance, first) if number else _first_player(chance, first)
        else:
            joined = first + timedelta(days=chance.below(max(1, (last - first).days - 40)))
            born, plateau = _newcomer(chance, joined)
        club = chance.below(len(clubs)) if number else 0
        sibling = people[-1] if people and chance.happens(1 / 9) else None
        if sibling is not None:
            club = sibling.club
        surname = "" if sibling is None else sibling.member.facts.name.partition(",")[0]
        key = str(FIRST_ID + number)
        adult_on_joining = (joined - born).days / DAYS_OF_A_YEAR >= SCHOOL_AGE
        spans = _memberships(chance, key, joined, last, lasting=adult_on_joining)
        drift, activity = _drift(chance, years), _activity(chance, plateau)
        name = names.person(surname) if number else _FIRST_NAME
        if number % _NAMESAKES_EVERY == _NAMESAKES_EVERY - 1:
            name = people[number // 2 - 1].member.facts.name
        if number == 0:
            spans, activity = (MembershipSpan(key, joined, LIFE),), _FIRST_ACTIVITY
        facts = PlayerFacts(key, name, us_member=True, usa_flag=chance.happens(0.95))
        if number == 0 or chance.happens(0.95):
            facts = facts._replace(birth_date=born)
        elif chance.happens(1 / 2):
            facts = facts._replace(adult=adult_on_joining)
        member = Member(facts, clubs[club].state, spans[-1].expires)
        people.append(
            Person(
                member=member,
                born=born,
                club=club,
                plateau=plateau,
                drift=drift,
                activity=activity,
                joined=joined,
                spans=spans,
                rated_before=before,
            )
        )
    return tuple(people)


def _born(chance: Chance, day: date, youngest: int, oldest: int) -> date:
    """Return the birth date of a person *youngest* to *oldest* years old on *day*."""
    days = chance.between(youngest * 365, (oldest + 1) * 365)
    return day - timedelta(days=days)


def _first_player(chance: Chance, first: date) -> tuple[date, Plateau]:
    """Return a player who is first in the ranking after some years."""
    return _born(chance, first, 13, 13), Plateau(2_500.0, 17.5, 90.0)


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
) -> tuple[MembershipSpan, ...]:
    """Return the memberships from *joined* on: renewed, let lapse for a while, given up, or for life."""
    if lasting and chance.happens(0.06):
        return (MembershipSpan(key, joined, LIFE),)
    spans: list[MembershipSpan] = []
    starts = joined
    while True:
        expires = starts + timedelta(days=364)
        spans.append(MembershipSpan(key, starts, expires))
        next_step = chance.weighted((("renewed", 86), ("lapsed", 10), ("left", 4)))
        if next_step == "left" or expires >= last + _HOLDS_AFTER:
            return tuple(spans)
        gap = chance.between(20, 240) if next_step == "lapsed" else 1
        starts = expires + timedelta(days=gap)


ESTABLISHED_ABOVE = 25
_STRONG = 1_500
LOWEST, HIGHEST = 100, 2_850
_FIDE_FROM = 1_650.0
_LEAST_FIDE = 1_000
_FLOOR_STEP = 100
_HIGHEST_MONEY_FLOOR = 2_000
_LIFE_MASTER_GAMES = 300
_LIFE_MASTER_FLOOR = 2_200
_LONG_EVENT = 4
_MONEY_FLOORS_FROM = 1_600


class RecordedPerson(NamedTuple):
    """A person with opening balances and what other federations say of them."""

    person: Person
    balances: tuple[OpeningBalance, ...]
    external: tuple[RatingAbroad, ...]

    @property
    def regular(self) -> Rating | None:
        """The opening Regular rating."""
        return next((balance.rating for balance in self.balances if balance.system is System.REGULAR), None)

    @property
    def established(self) -> bool:
        """Whether the opening Regular rating is established."""
        rating = self.regular
        return rating is not None and (rating.games is None or rating.games > ESTABLISHED_ABOVE)


def with_records(chance: Chance, person: Person, first: date, last: date) -> RecordedPerson:
    """Return *person* with balances on the day before *first*, and ratings of lists up to *last*.

    The earliest of these ratings is in the members list.
    """
    as_of = first - timedelta(days=1)
    balances = tuple(_balances(chance, person, as_of)) if person.rated_before else ()
    external = tuple(_external_ratings(chance, person, first, last))
    facts = person.member.facts
    for source in ExternalSource:
        earliest = next((rating for rating in external if rating.source is source), None)
        if earliest is None:
            continue
        rating = ForeignRating(earliest.rating, earliest.list_date)
        if source is ExternalSource.FIDE:
            facts = facts._replace(fide=rating, fide_opt_in=chance.happens(0.6))
        else:
            facts = facts._replace(cfc=rating, canadian_resident=chance.happens(0.8), usa_flag=False)
    return RecordedPerson(person._replace(member=person.member._replace(facts=facts)), balances, external)


def rated_in_all_systems(chance: Chance, recorded: RecordedPerson, first: date) -> RecordedPerson:
    """Return a person with balances in all systems, where the opening Regular rating is a strong player's.

    Strong players who begin in a system without a rating may win all their games, and are then rated far too high.
    """
    person, regular = recorded.person, recorded.regular
    if regular is None or regular.rating < _STRONG:
        return recorded
    as_of = first - timedelta(days=1)
    strength = person.strength_on(as_of)
    known = {balance.system for balance in recorded.balances}
    others = (
        _balance(chance, person, system, as_of, strength, veteran=False)
        for system in System
        if system not in known
    )
    return recorded._replace(balances=(*recorded.balances, *others))


def _balances(chance: Chance, person: Person, as_of: date) -> Iterator[OpeningBalance]:
    strength = person.strength_on(as_of)
    veteran = chance.happens(0.75) or strength >= MASTER
    yield _balance(chance, person, System.REGULAR, as_of, strength, veteran=veteran)
    for system, share in ((System.QUICK, 0.5), (System.BLITZ, 0.2)):
        if chance.happens(share):
            often = veteran and chance.happens(0.4)
            yield _balance(chance, person, system, as_of, strength - 20.0, veteran=often)


def _balance(  # noqa: PLR0913 - what a balance rests on
    chance: Chance, person: Person, system: System, as_of: date, strength: float, *, veteran: bool
) -> OpeningBalance:
    """Return one balance: games, results and floors that can be true together."""
    points = max(LOWEST, min(round(strength + chance.bell(0.0, 45.0)), HIGHEST))
    if veteran and chance.happens(0.06):
        # Established long ago; the number of games is not known.
        return OpeningBalance(person.id, system, Rating(points, None, as_of=as_of), None)
    games = (
        chance.between(ESTABLISHED_ABOVE + 1, 60) + chance.below(400)
        if veteran
        else chance.between(3, ESTABLISHED_ABOVE)
    )
    wins, draws, losses = _results(chance, games)
    record = Record.MIXED
    if not veteran and points < 2 * LOWEST:
        points, wins, draws, losses, record = LOWEST + chance.below(50), 0, 0, games, Record.LOSSES
    rating = Rating(
        rating=points,
        games=games,
        wins=wins,
        draws=draws,
        losses=losses,
        record=record,
        long_events=games // _LONG_EVENT,
        as_of=as_of,
    )
    floor = None
    if veteran:
        # Children are at their peak; others were better once.
        peak = points + (
            chance.below(15) if person.age_on(as_of) < person.plateau.mature else chance.below(140)
        )
        rating = rating._replace(peak=peak, life_master_games=_master_games(chance, points, peak, games))
        floor = _floor(chance, rating, system)
    return OpeningBalance(person.id, system, rating, floor)


def _results(chance: Chance, games: int) -> tuple[int, int, int]:
    """Return wins, draws and losses, at least one win and one loss."""
    draws = round(games * 0.3 * chance.fraction())
    wins = min(max(1, round((games - draws) * (0.35 + 0.3 * chance.fraction()))), games - draws - 1)
    return wins, draws, games - draws - wins


def _master_games(chance: Chance, points: int, peak: int, games: int) -> int:
    """Return games from 2200 up: Original Life Masters have played 300 of them, and stay there."""
    if peak < MASTER:
        return 0
    played = games * chance.between(30, 95) // 100
    return played if points >= MASTER else min(played, _LIFE_MASTER_GAMES - 1)


def _floor(chance: Chance, rating: Rating, system: System) -> EnteredFloor | None:
    """Return a floor that the office has entered; the others follow from the peak."""
    if system is not System.REGULAR:
        return None
    if (rating.life_master_games or 0) >= _LIFE_MASTER_GAMES:
        return EnteredFloor(system, FloorKind.OLM, _LIFE_MASTER_FLOOR)
    if rating.rating >= _MONEY_FLOORS_FROM and chance.happens(0.02):
        level = (int(rating.rating) - _FLOOR_STEP) // _FLOOR_STEP * _FLOOR_STEP
        return EnteredFloor(system, FloorKind.MONEY, min(level, _HIGHEST_MONEY_FLOOR))
    return None


def _external_ratings(chance: Chance, person: Person, first: date, last: date) -> Iterator[RatingAbroad]:
    """Yield ratings on other federations' lists: strong players at home, and newcomers from abroad."""
    if person.rated_before:
        begins = (first - timedelta(days=1)).replace(day=1)
        abroad = person.strength_on(begins) >= _FIDE_FROM and chance.happens(0.45)
        source = ExternalSource.FIDE if abroad else None
    else:
        begins = date(person.joined.year, person.joined.month, 1)
        source = chance.weighted(((None, 90), (ExternalSource.FIDE, 7), (ExternalSource.CFC, 3)))
        if person.strength_on(begins) < _LEAST_FIDE:
            source = None
    if source is None:
        return
    days = [begins] if person.rated_before or chance.happens(0.9) else []
    half_years = [date(year, month, 1) for year in range(begins.year, last.year + 1) for month in (6, 12)]
    days += [day for day in half_years if begins < day <= last and chance.happens(0.75)]
    for day in days:
        points = person.strength_on(day) + chance.bell(-40.0, 30.0)
        yield RatingAbroad(person.id, source, day, max(_LEAST_FIDE, round(points)))
