"""What a format cannot hold: counted kind by kind, one note for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.findings import Finding, finding
from ratebook.model import SectionType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.model import PlayerFacts, Rating, Report, Section

_REMEDY = "Keep the native report (JSON) beside it: it holds everything."

_EVENT = {
    "id": "event id",
    "name": "event name",
    "start": "first day of the event",
    "end": "last day of the event",
    "city": "city",
    "state": "state",
    "country": "country",
    "affiliate": "affiliate",
    "chief_td": "chief tournament director",
}
_SECTION = {
    "name": "section name",
    "start": "first day of a section",
    "end": "last day of a section",
    "time_control": "time control",
    "type": "section type",
    "online": "mark of an online section",
    "half_k": "mark of a half-K section",
    "youth": "mark of a youth event",
}
_ENTRY = {"update": "mark of an entry to be updated", "floor_request": "answer to a floor request"}
_PLAYER = {
    "name": "name",
    "birth_date": "birth date",
    "adult": "adult mark",
    "canadian_resident": "mark of a Canadian resident",
    "ratings": "player's ratings",
    "fide": "FIDE rating",
    "cfc": "CFC rating",
    "floors": "player's entered floors",
    "ceilings": "player's ceilings",
    "us_member": "mark of a member",
    "usa_flag": "mark of the US flag",
    "fide_opt_in": "FIDE opt-in",
    "matches": "player's earlier matches",
    "initial": "player's initial ratings by the office",
}
_RATING = {
    "wins": "number of wins",
    "draws": "number of draws",
    "losses": "number of losses",
    "record": "record of a rating",
    "long_events": "number of long events",
    "peak": "peak rating",
    "life_master_games": "number of Life Master games",
    "published": "official rating",
    "published_games": "number of games of an official rating",
    "as_of": "date of a rating",
}


class Losses:
    """Counts what is lost, in the order in which kinds first occur.

    >>> losses = Losses()
    >>> losses.add("birth date")
    >>> losses.add("birth date")
    >>> losses.findings("quad.csv")[0].message
    'The format has no place for: birth date (2 times).'
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, what: str, count: int = 1) -> None:
        """Add *count* losses of the kind *what*."""
        if count:
            self._counts[what] = self._counts.get(what, 0) + count

    def add_facts(self, report: Report, held: frozenset[str]) -> None:
        """Add every fact of *report* whose field is not among those *held*.

        Fields are named as ``event.city``, ``section.type``, ``entry.update``, ``player.fide`` and ``rating.peak``.
        The rating and the games of a rating, seats, players and rounds are the writer's own business.
        """
        for kind in facts_of(report, held):
            self.add(kind)
        seated = {entry.player for section in report.sections for entry in section.entries}
        self.add("player who sits in no section", len(report.players.keys() - seated))

    def findings(self, name: str) -> tuple[Finding, ...]:
        """Return one note for each kind, about the file *name*."""
        return tuple(
            finding("lost-in-conversion", name, what=what, count=count, word="s" if count > 1 else "")
            for what, count in self._counts.items()
        )


def facts_of(report: Report, held: frozenset[str]) -> Iterator[str]:
    """Yield the kind of each fact that *report* states, without those whose field is among *held*."""
    for field, what in _EVENT.items():
        if f"event.{field}" not in held and getattr(report.event, field):
            yield what
    for section in report.sections:
        yield from _section_facts(section, held)
    for player in report.players.values():
        yield from _player_facts(player, held)


def _section_facts(section: Section, held: frozenset[str]) -> Iterator[str]:
    for field, what in _SECTION.items():
        value = getattr(section, field)
        if f"section.{field}" not in held and value and value is not SectionType.OTHER:
            yield what
    for field, what in _ENTRY.items():
        if f"entry.{field}" not in held:
            for entry in section.entries:
                if getattr(entry, field):
                    yield what


def _player_facts(player: PlayerFacts, held: frozenset[str]) -> Iterator[str]:
    for field, what in _PLAYER.items():
        value = getattr(player, field)
        # False is a fact where None means unknown.
        if f"player.{field}" not in held and (value or (field == "adult" and value is not None)):
            yield what
    if "player.ratings" in held:
        for rating in player.ratings.values():
            yield from _rating_facts(rating, held)


def _rating_facts(rating: Rating, held: frozenset[str]) -> Iterator[str]:
    for field, what in _RATING.items():
        if f"rating.{field}" not in held and getattr(rating, field) is not None:
            yield what
