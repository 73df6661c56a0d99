"""The player whose rating is explained, and what the explanation is made of.

No figure has a formula of its own here: each is read from the columns that the engine filled, comes from a function of
the engine, or is the sum of figures that are shown (ARCHITECTURE invariant 2).
"""

import math
from collections.abc import Iterable, Sequence

from ratebook.model import SectionType
from ratebook.rating.columns import SYSTEMS
from ratebook.rating.results import RatedEntry, RatedSection
from ratebook.records.explanations import ExplainedStep, Explanation, GameFigure, RuleUsed
from ratebook.records.system_titles import OWN_TITLES
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timeline import word_of_number

SYSTEM_WORDS = ("OTB Regular", "OTB Quick", "OTB Blitz", "online Regular", "online Quick", "online Blitz")
FOREIGN_WORDS = ("FIDE", "CFC")


def source_words(source: int) -> str:
    """Return what Step 1 may start from, by its place in the columns: a system or a foreign rating."""
    if source >= len(SYSTEMS):
        return FOREIGN_WORDS[source - len(SYSTEMS)]
    return OWN_TITLES.get().get(SYSTEMS[source]) or SYSTEM_WORDS[source]


class Subject:
    """One player of a rated section, whose rating is explained."""

    def __init__(self, rated: RatedSection, entry: RatedEntry, rulebook: Rulebook) -> None:
        self.rated = rated
        self.entry = entry
        self.rulebook = rulebook
        self.rules = rated.rules
        self.columns = rated.columns
        self.settled = rated.settlement
        self.at = rated.places[entry.player]
        self.in_step1 = rated.unrated.get(self.at, -1)
        self.facts = rated.facts[entry.player]
        self.foreign = rated.section.type is SectionType.FIDE
        self.match = rated.section.type is SectionType.MATCH
        self.half_k = rated.section.half_k and not self.foreign
        self.games = range(rated.columns.first_game[self.at], rated.columns.first_game[self.at + 1])
        self._keys = {seated.seat: seated.player for seated in rated.section.entries}

    @classmethod
    def at_seat(cls, rated: RatedSection, seat: int, rulebook: Rulebook) -> "Subject | None":
        """Return the player at *seat*; None where no such seat was rated."""
        entry = next((entry for entry in rated.entries if entry.seat == seat), None)
        return None if entry is None else cls(rated, entry, rulebook)

    def explanation(self, short: Iterable[str], steps: Iterable[ExplainedStep]) -> Explanation:
        """Return the whole explanation, from its short form and its steps."""
        return Explanation(
            section=self.rated.section.number,
            section_name=self.rated.section.name,
            system=self.rated.system,
            rules_date=self.rated.rules_date.isoformat(),
            seat=self.entry.seat,
            player=self.entry.player,
            name=self.facts.name,
            short=tuple(short),
            steps=tuple(steps),
        )

    def cite(self, *fields: str) -> tuple[RuleUsed, ...]:
        """Return the rules behind these fields of the rules in force, each with its source."""
        on = self.rated.rules_date
        cited = []
        for field in fields:
            dated = self.rulebook.value(field, self.rated.system, on)
            value = word_of_number(field, getattr(self.rules, field))
            cited.append(
                RuleUsed(
                    rule=field,
                    value=value,
                    document=dated.document,
                    where=dated.where,
                    status=dated.status,
                    note=dated.note,
                )
            )
        return tuple(cited)

    def name_of(self, seat: int) -> str:
        """Return the name of the player at *seat*, or the key where the report has no name."""
        return self.rated.facts[self._keys[seat]].name or self._keys[seat]

    def opponents(self) -> dict[int, str]:
        """Return the opponents of the rated games: player keys by seat."""
        seats = [self.rated.games.seats[game] for game in self.games]
        return {seat: self._keys[seat] for seat in seats}

    def games_shown(self, faced: Sequence[float], expectancy: Sequence[float]) -> tuple[GameFigure, ...]:
        """Return each game of the player with the opponent's rating that a step used."""
        rounds, seats = self.rated.games.rounds, self.rated.games.seats
        return tuple(
            GameFigure(
                round=rounds[game],
                opponent_seat=seats[game],
                opponent=self.name_of(seats[game]),
                score=self.columns.score[game],
                opponent_rating=faced[self.columns.opponent[game]],
                expected=expectancy[game],
            )
            for game in self.games
        )


def added_up(values: Iterable[float]) -> float:
    """Return the sum of *values*, added up in their order as the engine does it.

    >>> added_up([0.5, 1.0])
    1.5
    """
    total = 0.0
    for value in values:
        total += value
    return total


def shown_games(games: float) -> float | str:
    """Return N as a number, or a word where only the status is known."""
    return "established" if math.isinf(games) else games


def games_text(games: float) -> str:
    """Return N in words."""
    return "established" if math.isinf(games) else f"{games:g}"


def yes_or_no(value: object) -> str:
    """Return "yes" for what is true, else "no"."""
    return "yes" if value else "no"
