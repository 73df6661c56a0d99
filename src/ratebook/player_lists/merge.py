"""Bringing what a player list says into a report.

The list fills what the report does not say. Where both say something and differ the report holds, and one note says so.
Nothing in a report tells an unknown number of games from one that was left out, so games follow the rating: where the
list has the same rating, its games, and its decimals, are taken.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from ratebook.findings import Place, finding
from ratebook.formats.hints import is_seat_id
from ratebook.formats.reading.tables import record_contradicted
from ratebook.model import Bound, ForeignRating, PlayerFacts, Rating, System
from ratebook.player_lists.row import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from ratebook.findings import Finding
    from ratebook.model import Ceiling, EarlierMatch, EnteredFloor, InitialRating, Report
    from ratebook.player_lists.row import ListedPlayer, ListedPlayers

    Value = TypeVar("Value")
    OfSystem = TypeVar("OfSystem", EnteredFloor, Ceiling, EarlierMatch)

_ADULT_FROM = 18
"""Years; the specifications speak of adults without saying from when (inferred)."""

_SILENT = ("name", "canadian_resident", "usa_flag", "fide_opt_in", "title", "club", "state")
"""Facts that are taken, or differ, without a word."""
_COUNTS = ("wins", "draws", "losses")
_OTHER_COUNTS = ("long_events", "peak", "life_master_games")
_FIGURES = {
    Bound.PEAK: ("peak",),
    Bound.COUNTS: (*_COUNTS, "long_events"),
    Bound.LIFE_MASTER_GAMES: ("life_master_games",),
}
"""What a mark of lower bounds is about."""


class Merging:
    """Merges one player after the other and remembers, by what it is about, who differs and for whom it was taken."""

    def __init__(self, last_day: date | None) -> None:
        self.last_day = last_day
        self.differs: dict[str, list[str]] = {}
        self.taken: dict[str, int] = {}
        self.by_birth_year: list[str] = []
        self._player = ""
        self._published = False

    def _differ(self, fact: str) -> None:
        players = self.differs.setdefault(fact, [])
        if self._player not in players[-1:]:
            players.append(self._player)

    def _take(self, fact: str) -> None:
        self.taken[fact] = self.taken.get(fact, 0) + 1

    def _compare(self, own: object, listed: object, fact: str) -> None:
        """Remember that report and list both say something, and not the same."""
        if None not in {own, listed} and own != listed:
            self._differ(fact)

    def _first(self, own: Value | None, listed: Value | None, fact: str) -> Value | None:
        self._compare(own, listed, fact)
        if own is None and listed is not None:
            self._take(fact)
            return listed
        return own

    def _text(self, own: str, listed: str, fact: str) -> str:
        return self._first(own or None, listed or None, fact) or ""

    def player(self, own: PlayerFacts, listed: ListedPlayer) -> PlayerFacts:
        """Return what the report and the list together say about one player."""
        self._player = own.id
        self._published = listed.kind.published
        other = listed.facts
        birth_date = self._first(own.birth_date, other.birth_date, "birth date")
        self._compare(own.adult, other.adult, "adult")
        adult = own.adult if own.adult is not None else other.adult
        if adult is None and birth_date is None:
            adult = self._adult_by_year(listed.birth_year)
        silent: dict[str, Any] = {field: getattr(own, field) or getattr(other, field) for field in _SILENT}
        return own._replace(
            **silent,
            birth_date=birth_date,
            adult=adult,
            ratings=self._ratings(own, other),
            fide=self._foreign(own.fide, other.fide, "FIDE rating"),
            cfc=self._foreign(own.cfc, other.cfc, "CFC rating"),
            floors=self._of_systems(own.floors, other.floors, "floors"),
            ceilings=self._of_systems(own.ceilings, other.ceilings, "ceilings"),
            us_member=own.us_member or other.us_member or self._is_member(listed),
            matches=self._of_systems(own.matches, other.matches, "earlier matches"),
            initial=self._initial(own, other),
            titles=self._text(own.titles, other.titles, "titles"),
            pairing_rating=own.pairing_rating if own.pairing_rating is not None else other.pairing_rating,
            fide_id=self._text(own.fide_id, other.fide_id, "FIDE id"),
            federation=self._text(own.federation, other.federation, "federation"),
            sex=self._first(own.sex, other.sex, "sex"),
        )

    def _is_member(self, listed: ListedPlayer) -> bool:
        """Return whether a US Chess list shows a membership that was valid on the report's last day."""
        return (
            listed.kind.published
            and listed.expires is not None
            and self.last_day is not None
            and listed.expires >= self.last_day
        )

    def _adult_by_year(self, birth_year: int | None) -> bool | None:
        """Return whether a person born in that year is an adult; None in the year of the eighteenth birthday."""
        if birth_year is None or self.last_day is None:
            return None
        turns = self.last_day.year - birth_year
        if turns == _ADULT_FROM or turns < 0:
            return None
        self.by_birth_year.append(self._player)
        return turns > _ADULT_FROM

    def _ratings(self, own: PlayerFacts, other: PlayerFacts) -> Mapping[System, Rating]:
        if not other.ratings:
            return own.ratings
        ratings: dict[System, Rating] = {}
        for system in System:
            mine, theirs = own.ratings.get(system), other.ratings.get(system)
            if mine is not None:
                ratings[system] = mine if theirs is None else self._rating(mine, theirs, f"{system} rating")
            elif theirs is not None and system in own.initial:
                # A rating would override what the office decided for an unrated player.
                self._differ(f"{system} rating")
            elif theirs is not None:
                ratings[system] = theirs
                self._take(f"{system} rating")
        return ratings

    def _rating(self, own: Rating, listed: Rating, fact: str) -> Rating:
        """Return the rating of one system (*fact*), each part from the report if it says it."""
        merged = own
        is_same = same_rating(own.rating, listed.rating)
        if is_same or (self._published and same_rating(listed.rating, own.rating)):
            merged = self._same_rating(own, listed, fact)
        elif not self._published:
            self._differ(fact)
        merged = self._with_counts(merged, listed, fact)
        others: dict[str, Any] = {
            field: self._first(
                getattr(own, field), getattr(listed, field), f"{field.replace('_', ' ')} of the {fact}"
            )
            for field in _OTHER_COUNTS
        }
        merged = merged._replace(**others)
        merged = merged._replace(at_least=_bounds(own, listed, merged))
        return self._with_published(merged, listed, f"published {fact}")

    def _with_published(self, own: Rating, listed: Rating, fact: str) -> Rating:
        """Return *own* with the official rating and its games from the list, if it has no official rating."""
        if own.published is not None:
            self._compare(own.published, listed.published, fact)
            return own
        games = own.published_games if own.published_games is not None else listed.published_games
        filled = own._replace(published=listed.published, published_games=games)
        if filled != own:
            self._take(fact)
        return filled

    def _same_rating(self, own: Rating, listed: Rating, fact: str) -> Rating:
        """Return *own* with decimals, games and date of the same rating in the list."""
        rating = own.rating
        if own.rating != listed.rating and float(own.rating).is_integer():
            rating = listed.rating
            self._take(f"decimals of the {fact}")
        games = self._first(own.games, listed.games, f"games of the {fact}")
        if not self._published:
            self._compare(own.as_of, listed.as_of, f"date of the {fact}")
        return own._replace(rating=rating, games=games, as_of=own.as_of or listed.as_of)

    def _with_counts(self, own: Rating, listed: Rating, fact: str) -> Rating:
        """Return *own* with wins, draws, losses and record from the list, unless they contradict the report's."""
        counts = {field: (getattr(own, field), getattr(listed, field)) for field in _COUNTS}
        self._compare(own.record, listed.record, f"record of the {fact}")
        nothing_known = own.record is None and all(mine is None for mine, _ in counts.values())
        filled = own._replace(
            record=listed.record if nothing_known else own.record,
            **{field: theirs if mine is None else mine for field, (mine, theirs) in counts.items()},
        )
        contradicted = record_contradicted(filled)
        if contradicted or any(None not in pair and pair[0] != pair[1] for pair in counts.values()):
            self._differ(f"counts of the {fact}")
        if contradicted:
            return own
        if filled != own:
            self._take(f"counts of the {fact}")
        return filled

    def _foreign(
        self, own: ForeignRating | None, listed: ForeignRating | None, fact: str
    ) -> ForeignRating | None:
        if own is None or listed is None:
            return self._first(own, listed, fact)
        if not same_rating(own.rating, listed.rating):
            self._differ(fact)
            return own
        self._compare(own.as_of, listed.as_of, f"date of the {fact}")
        return ForeignRating(listed.rating, own.as_of or listed.as_of)

    def _of_systems(
        self, own: tuple[OfSystem, ...], listed: tuple[OfSystem, ...], fact: str
    ) -> tuple[OfSystem, ...]:
        """Return the report's entries, and those of the list for systems in which the report has none."""
        systems = {value.system for value in own}
        for system in systems:
            theirs = [value for value in listed if value.system is system]
            if theirs and sorted(theirs) != sorted(value for value in own if value.system is system):
                self._differ(fact)
        added = tuple(value for value in listed if value.system not in systems)
        if added:
            self._take(fact)
        return own + added

    def _initial(self, own: PlayerFacts, other: PlayerFacts) -> Mapping[System, InitialRating]:
        for system, decided in own.initial.items():
            self._compare(decided, other.initial.get(system), f"initial {system} rating")
        if other.initial.keys() - own.initial.keys():
            self._take("initial rating")
        return {**other.initial, **own.initial}


def _bounds(own: Rating, listed: Rating, merged: Rating) -> Bound:
    """Return which figures of *merged* are only lower bounds, as the report says, or the list that gave them."""
    bounds = own.at_least
    for bound, fields in _FIGURES.items():
        unsaid = [field for field in fields if getattr(own, field) is None]
        taken = any(getattr(merged, field) is not None for field in unsaid)
        if bound in listed.at_least and (taken or len(unsaid) == len(fields)):
            bounds |= bound
    return bounds


def same_rating(own: float, listed: float) -> bool:
    """Return whether a rating of the report is the list's, perhaps rounded as ratings are shown.

    >>> same_rating(1794.0, 1794.37), same_rating(1794.4, 1794.37)
    (True, False)
    """
    return own == listed or (float(own).is_integer() and math.floor(listed + 0.5) == own)


def with_players(report: Report, listed: ListedPlayers) -> tuple[Report, tuple[Finding, ...]]:
    """Return *report* with what a list says about its players, and notes of what was taken and what differs.

    What the report says itself holds. The findings of *listed* are not repeated.
    """
    if not listed.players:
        return report, ()
    ends = [section.end for section in report.sections]
    if report.event.end is not None:
        ends.append(report.event.end)
    merging = Merging(max(ends, default=None))
    players = {
        key: merging.player(player, listed.players[key]) if key in listed.players else player
        for key, player in report.players.items()
    }
    notes = tuple(notes_of(merging, report, listed))
    members = {
        key: row.facts.id
        for key, row in listed.players.items()
        if is_seat_id(key) and row.kind.by_member_id and row.facts.fide_id and row.facts.id
        if row.facts.fide_id == report.players[key].fide_id and row.facts.id not in report.players
    }
    times = Counter(members.values())
    members = {key: member for key, member in members.items() if times[member] == 1}
    return with_ids(report._replace(players=players), members), notes


def with_ids(report: Report, ids: Mapping[str, str]) -> Report:
    """Return *report* with other *ids* for the players who have them there, in the list and at their seats."""
    if not ids:
        return report
    players = {ids.get(key, key): one._replace(id=ids.get(key, key)) for key, one in report.players.items()}
    sections = tuple(section.with_ids(ids) for section in report.sections)
    return report._replace(players=players, sections=sections)


def notes_of(merging: Merging, report: Report, listed: ListedPlayers) -> Iterator[Finding]:
    """Yield one note each for what was taken, what differs, and ages known by the year alone."""
    facts = ", ".join(f"{fact} ({count})" for fact, count in merging.taken.items()) or "nothing new"
    yield finding(
        "players-from-list",
        Place(file=listed.name),
        kind=listed.kind,
        player_count=len(listed.players),
        player_count_2=len(report.players),
        taken=facts,
    )
    if merging.differs:
        concerned = list(dict.fromkeys(player for players in merging.differs.values() for player in players))
        words = ", ".join(f"{fact} ({len(players)})" for fact, players in merging.differs.items())
        place = place_of(report, concerned)
        yield finding("player-facts-differ", place, listed_name=listed.name, words=words)
    if merging.by_birth_year:
        place = place_of(report, merging.by_birth_year)
        yield finding("birth-year-only.in-list", place, listed_name=listed.name)
