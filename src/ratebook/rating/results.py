"""What rating a section gives: results per seat, and the workings they rest on."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.model import PlayerFacts, Section, System
from ratebook.rating.columns import GameColumns
from ratebook.rating.settlement import SettlementColumns
from ratebook.rating.step1 import SourceColumns
from ratebook.rating.steps import SectionColumns
from ratebook.rules.in_force import RulesInForce

SOURCE_NAMES = ("rated", "fide", "cfc", "age", "other-ratings", "default", "initial")
"""Words for where a pre-event rating comes from, in the order of the codes in ``initial``."""

FORMULA_NAMES = ("not-rated", "special", "standard")
"""Words for the formulas, in the order of the codes in ``section``."""


class Before(NamedTuple):
    """A rating before the section: points, N (infinite: established, number unknown) and where it comes from."""

    rating: float
    games: float
    source: str


class After(NamedTuple):
    """A rating after the section: points, N, the displayed integer, and whether it is established."""

    rating: float
    games: float
    published: int
    established: bool


class Workings(NamedTuple):
    """The figures of Step 5 and the results of the steps; None where a figure does not exist for the formula."""

    formula: str
    effective_games: float
    k: float | None
    score: float
    expected: float
    bonus: float | None
    step3: float | None
    step4: float | None
    step5: float
    floor: float | None


class RatedEntry(NamedTuple):
    """One seat: *after* is None where the player is still unrated, *workings* where no rated game was played."""

    seat: int
    player: str
    before: Before
    after: After | None
    workings: Workings | None


class RatedSection(NamedTuple):
    """One section rated in one system.

    Attributes:
        rules_date: the day whose rules these are (the section's start, unless a what-if asked for another day).
        dual_rated: whether the section is also rated in the other of OTB Regular and OTB Quick.
        facts: what was known of each player before the section.
        players: player keys in the order of the columns.
        places: index of each player in the columns.
        sources: per player, the code of where the pre-event rating comes from.
        step1: what Step 1 started from, of those who had no rating; None where no one is unrated.
        unrated: the places of these players in *step1*, by their places in the columns.
        columns, settlement, games: the workings.
        entries: the results, by seat.
        findings: assumptions made, and who was left out and why.
    """

    section: Section
    system: System
    rules: RulesInForce
    rules_date: date
    dual_rated: bool
    facts: Mapping[str, PlayerFacts]
    players: Sequence[str]
    places: Mapping[str, int]
    sources: Sequence[int]
    step1: SourceColumns | None
    unrated: Mapping[int, int]
    columns: SectionColumns
    settlement: SettlementColumns
    games: GameColumns
    entries: tuple[RatedEntry, ...]
    findings: tuple[Finding, ...]

    def after(self, seat: int) -> After:
        """Return the rating after the section of the player at *seat*.

        Raises:
            LookupError: no such seat was rated, or its player is still unrated.
        """
        after = next((entry.after for entry in self.entries if entry.seat == seat), None)
        if after is None:
            raise LookupError(f"seat {seat} of {self.section!r} has no rating")
        return after
