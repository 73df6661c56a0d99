"""What was known before the first event, and what other federations say: opening balances, FIDE and CFC ratings."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.people import MASTER, Person
from ratebook.demo.values import ExternalRating, ExternalSource, OpeningBalance
from ratebook.model import EnteredFloor, FloorKind, ForeignRating, Rating, Record, System

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.demo.chance import Chance

ESTABLISHED_ABOVE = 25
LOWEST, HIGHEST = 100, 2_850
_FIDE_FROM = 1_650.0
_LEAST_FIDE = 1_000
_FLOOR_STEP = 100
_HIGHEST_MONEY_FLOOR = 2_000
_LIFE_MASTER_GAMES = 300
_LIFE_MASTER_FLOOR = 2_200
_LONG_EVENT = 4
_MONEY_FLOORS_FROM = 1_600


class Standing(NamedTuple):
    """A person with opening balances and what other federations say of them."""

    person: Person
    balances: tuple[OpeningBalance, ...]
    external: tuple[ExternalRating, ...]

    @property
    def regular(self) -> Rating | None:
        """The opening Regular rating."""
        return next((one.rating for one in self.balances if one.system is System.REGULAR), None)

    @property
    def established(self) -> bool:
        """Whether the opening Regular rating is established."""
        rating = self.regular
        return rating is not None and (rating.games is None or rating.games > ESTABLISHED_ABOVE)


def stand(chance: Chance, person: Person, first: date, last: date) -> Standing:
    """Return *person* with balances on the day before the year of *first*, and ratings of lists up to *last*.

    The earliest of these ratings is in the members list.
    """
    as_of = date(first.year - 1, 12, 31)
    balances = tuple(_balances(chance, person, as_of)) if person.rated_before else ()
    external = tuple(_external_ratings(chance, person, first, last))
    facts = person.member.facts
    for source in ExternalSource:
        earliest = next((one for one in external if one.source is source), None)
        if earliest is None:
            continue
        rating = ForeignRating(earliest.rating, earliest.list_date)
        if source is ExternalSource.FIDE:
            facts = facts._replace(fide=rating, fide_opt_in=chance.happens(0.6))
        else:
            facts = facts._replace(cfc=rating, canadian_resident=chance.happens(0.8), usa_flag=False)
    return Standing(person._replace(member=person.member._replace(facts=facts)), balances, external)


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
        # Established long ago; nobody knows on how many games.
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
    rating = Rating(points, games, wins, draws, losses, record, games // _LONG_EVENT, as_of=as_of)
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


def _external_ratings(chance: Chance, person: Person, first: date, last: date) -> Iterator[ExternalRating]:
    """Yield ratings on other federations' lists: strong players at home, and newcomers from abroad."""
    if person.rated_before:
        begins = date(first.year - 1, 12, 1)
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
        yield ExternalRating(person.id, source, day, max(_LEAST_FIDE, round(points)))
