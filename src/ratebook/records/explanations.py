"""Why a rating moved: every step with its figures, games and rules."""

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from ratebook.model import System
from ratebook.records.record import record


@record
class RuleUsed:
    """A rule value that a step used, with where it is written and whether it is documented or inferred."""

    rule: str
    value: float | str
    document: str
    where: str
    status: str
    note: str


@record
class Span:
    """The least and the most that a figure is over all ages of those whose first ratings rest on an age."""

    least: float
    most: float


@record
class GameFigure:
    """One game as a step saw it: the opponent's rating used and the score expected from it."""

    round: int
    opponent_seat: int
    opponent: str
    score: float
    opponent_rating: float | Span
    expected: float | Span


@record
class PublicGame:
    """One rated game as anyone may know it; *rating_before* is the opponent's as published, null for "unrated"."""

    round: int
    colour: str
    opponent_seat: int
    opponent: str
    score: float
    rating_before: int | None


Figure: TypeAlias = float | str | Span | None
"""A number or a word of a step; a range in public, where it depends on an age."""
Figures: TypeAlias = Mapping[str, Figure]


@record
class ExplainedStep:
    """One step of the explanation."""

    title: str
    text: tuple[str, ...]
    figures: Figures = field(default_factory=dict)
    games: tuple[GameFigure, ...] = ()
    rules: tuple[RuleUsed, ...] = ()

    @property
    def readings(self) -> tuple[str, ...]:
        """Return the notes, each once, of rules that published ratings decide, and no document."""
        decided = (rule for rule in self.rules if (rule.document, rule.status) == ("RULINGS", "published"))
        return tuple(dict.fromkeys(rule.note for rule in decided))


@record
class Explanation:
    """How one player's rating in one section and system came about.

    Attributes:
        short: a few sentences that a player can follow.
        steps: every step, every figure, and the document of each rule.
        games: the rated games, in an explanation for the public; one of the office has them in each step.
        exact: whether the figures are the engine's own; those for the public are computed from published ratings.
    """

    section: int
    section_name: str
    system: System
    rules_date: str
    seat: int
    player: str
    name: str
    short: tuple[str, ...]
    steps: tuple[ExplainedStep, ...]
    games: tuple[PublicGame, ...] = ()
    exact: bool = True
