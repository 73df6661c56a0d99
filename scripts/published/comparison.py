"""One section in one system: what was published, what the program gives, and what explains the difference."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scripts.published.causes import OF_OTHERS, Cause, Person, own_suppositions, records, suppositions_about
from scripts.published.histories import shown_before
from scripts.published.inputs import comparable, opponents_of
from scripts.published.office import at_half_k, rated_by_mistake
from scripts.published.reports import player_of, rate

from ratebook.findings import has_errors
from ratebook.rating.rate import rate_section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scripts.published.causes import Supposed
    from scripts.published.stored import Published, StoredSeat, StoredSection

    from ratebook.model import PlayerFacts, System
    from ratebook.rating.results import RatedSection

TOLERANCE = 1.0 + 1e-9
"""Published integers rest on integers before, so that ours may differ by the rounding of both."""


class Value(NamedTuple):
    """One published rating beside that of the program.

    Attributes:
        computed: with nothing known but published ratings.
        agrees: whether it is as published.
        causes: what explains the difference, all together; none where it agrees or is unexplained.
        shown: whether other stored sections show the fact that explains it.
        games: N after the section as the program has it.
    """

    section: StoredSection
    system: System
    seat: int
    published: Published
    computed: float
    agrees: bool
    causes: tuple[Cause, ...]
    shown: bool
    games: float


class _Attempt(NamedTuple):
    """The section rated with what is supposed of its players."""

    rated: RatedSection
    computed: dict[str, float]


class SectionComparison:
    """A section rated in one system from published ratings, then with what may explain its differences.

    A supposition is kept if the rating that it is to explain comes out as published and no other one is lost.
    """

    def __init__(self, section: StoredSection, rated: RatedSection) -> None:
        self.section = section
        self.rated = rated
        self.seats: dict[str, StoredSeat] = {}
        for seat in section.seats:
            self.seats.setdefault(player_of(seat.person), seat)
        self.players = comparable(rated)
        self.first = self.now = _Attempt(rated, ratings_after(rated))
        self.causes: dict[str, list[Cause]] = {player: [] for player in self.players if self._differs(player)}
        self.shown: set[str] = set()

    def published(self, player: str) -> Published:
        """Return what was published of *player*."""
        return self.seats[player].ratings[self.rated.system]

    def _differs(self, player: str, attempt: _Attempt | None = None) -> bool:
        computed = (attempt or self.now).computed[player]
        return abs(computed - self.published(player).after) > TOLERANCE

    def unexplained(self) -> list[str]:
        """Return the players whose rating differs with all that has been supposed, those on few games first.

        An unbroken record is likelier on few games, and may explain the ratings of others.
        """
        differing = [player for player in self.causes if self._differs(player)]
        return sorted(differing, key=lambda player: self.published(player).games_before or math.inf)

    def explain(self) -> None:
        """Look for what explains the differences: the office's mistake, the player, the others, a long record."""
        if self.causes and rated_by_mistake(self.section):
            half = at_half_k(self.rated)
            self.now = _Attempt(half, ratings_after(half))
            for causes in self.causes.values():
                causes.append(Cause.HALF_K)
        for player in self.unexplained():
            computed = self.now.computed[player]
            self._try(
                player,
                ((player, supposition) for supposition in own_suppositions(self.person(player), computed)),
            )
        for player in self.unexplained():
            self._try(player, self._about_others(player))
        for player in self.unexplained():
            self._try(player, ((player, supposition) for supposition in records(self.person(player))))

    def person(self, player: str) -> Person:
        """Return what may be supposed about *player* before the section."""
        rated = self.now.rated
        seat = self.seats[player]
        return Person(
            system=rated.system,
            rules=rated.rules,
            rating=rated.facts[player].ratings[rated.system],
            published=seat.ratings[rated.system],
            scores=seat.scores,
            shown=shown_before(self.section, seat.person, rated.system),
            most_games=rated.columns.most_games[rated.places[player]],
        )

    def _about_others(self, player: str) -> Iterator[tuple[str, Supposed]]:
        rated = self.now.rated
        opponents = sorted(opponents_of(rated, rated.places[player]))
        further = sorted(set(chain.from_iterable(opponents_of(rated, opponent) for opponent in opponents)))
        for at in (*opponents, *(other for other in further if other not in opponents)):
            other = rated.players[at]
            if other != player:
                yield from ((other, supposition) for supposition in suppositions_about(self.person(other)))

    def _try(self, player: str, suppositions: Iterable[tuple[str, Supposed]]) -> None:
        """Keep the first of *suppositions* with which the rating of *player* is as published."""
        if not self._differs(player):
            return
        for other, supposed in suppositions:
            attempt = self._with(other, supposed)
            if not self._differs(player, attempt) and not self._loses(attempt):
                self._keep(attempt, other, supposed)
                return

    def _with(self, player: str, supposed: Supposed) -> _Attempt:
        base = self.now.rated
        facts: dict[str, PlayerFacts] = {**base.facts, player: supposed.of(base.facts[player], base.system)}
        rated = rate_section(base.section, facts, base.system, base.rules, dual_rated=base.dual_rated)
        return _Attempt(rated, ratings_after(rated))

    def _loses(self, attempt: _Attempt) -> bool:
        return any(self._differs(player, attempt) and not self._differs(player) for player in self.players)

    def _keep(self, attempt: _Attempt, player: str, supposed: Supposed) -> None:
        for other in self.unexplained():
            if not self._differs(other, attempt):
                cause = supposed.cause if other == player else OF_OTHERS[supposed.cause]
                self.causes[other].append(cause)
                if supposed.shown:
                    self.shown.add(other)
        self.now = attempt

    def values(self) -> Iterator[Value]:
        """Yield the values that can be compared."""
        games = {one.player: one.after.games for one in self.rated.entries if one.after is not None}
        for player in self.players:
            explained = player in self.causes and not self._differs(player)
            yield Value(
                self.section,
                self.rated.system,
                self.seats[player].seat,
                self.published(player),
                self.first.computed[player],
                player not in self.causes,
                tuple(self.causes[player]) if explained else (),
                player in self.shown,
                games[player],
            )


def ratings_after(rated: RatedSection) -> dict[str, float]:
    """Return the rating of each player after the section."""
    return {one.player: one.after.rating for one in rated.entries if one.after is not None}


def compare(section: StoredSection) -> Iterator[Value]:
    """Rate *section* in its systems and compare every value that rests on published ratings alone.

    Raises:
        ValueError: the program refuses the section.
    """
    report = rate(section)
    if has_errors(report.findings):
        named = ", ".join(one.code for one in report.findings if one.severity == "error")
        raise ValueError(f"event {section.event}, section {section.number} is refused: {named}")
    for rated in report.sections:
        comparison = SectionComparison(section, rated)
        comparison.explain()
        yield from comparison.values()
