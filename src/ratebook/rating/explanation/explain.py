"""An explanation of one player's rating, rendered from the workings of the section and the sources of its rules.

No figure is computed here: every number is read from the columns that the engine filled (ARCHITECTURE invariant 2).
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratebook.model import SectionType
from ratebook.rating.floors import ABSOLUTE, ENTERED, LOWERED, NO_FLOOR, OLM, PEAK, PERSONAL, UNKNOWN
from ratebook.rating.results import RatedEntry, RatedSection
from ratebook.rating.settlement import DENIED, NO_CEILING
from ratebook.rating.special import ALL_LOSSES, ALL_WINS
from ratebook.rating.step1 import RATED, SOURCE_AGE, SOURCE_DEFAULT, SOURCE_INITIAL, SOURCES
from ratebook.rating.steps import SPECIAL, STANDARD
from ratebook.rules.in_force import BLEND, INTEGER_AWAY
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timeline import word_of_number

FLOOR_WORDS = {
    ABSOLUTE: "absolute floor",
    PERSONAL: "personal floor",
    PEAK: "peak floor",
    LOWERED: "lowered floor",
    OLM: "original Life Master floor",
    ENTERED: "floor entered by the office",
}
SOURCE_WORDS = (
    "OTB Regular",
    "OTB Quick",
    "OTB Blitz",
    "online Regular",
    "online Quick",
    "online Blitz",
    "FIDE",
    "CFC",
)


class RuleUsed(NamedTuple):
    """A rule value that a step used, with where it is written and whether it is documented or inferred."""

    rule: str
    value: float | int | str
    document: str
    where: str
    status: str
    note: str


class Figure(NamedTuple):
    """A named number or word of a step."""

    name: str
    value: float | int | str | None


class GameFigure(NamedTuple):
    """One game as a step saw it: the opponent's rating used and the score expected from it."""

    round: int
    opponent_seat: int
    opponent: str
    score: float
    opponent_rating: float
    expected: float


class ExplainedStep(NamedTuple):
    """One step of the explanation."""

    title: str
    text: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    games: tuple[GameFigure, ...] = ()
    rules: tuple[RuleUsed, ...] = ()


class Explanation(NamedTuple):
    """How one player's rating in one section and system came about."""

    section: int
    section_name: str
    system: str
    rules_date: str
    seat: int
    player: str
    name: str
    steps: tuple[ExplainedStep, ...]


class Explainer:
    """Renders the steps of one player of a rated section."""

    def __init__(self, rated: RatedSection, entry: RatedEntry, rulebook: Rulebook) -> None:
        self.rated = rated
        self.entry = entry
        self.rulebook = rulebook
        self.at = rated.places[entry.player]
        self.foreign = rated.section.type is SectionType.FIDE
        self.keys = {entry.seat: entry.player for entry in rated.section.entries}
        self.played = range(rated.columns.first_game[self.at], rated.columns.first_game[self.at + 1])

    def cite(self, *fields: str) -> tuple[RuleUsed, ...]:
        """Return the rules behind these fields of the rules in force, each with its source."""
        on = self.rated.rules_date
        cited = []
        for field in fields:
            dated = self.rulebook.value(field, self.rated.system, on)
            value = word_of_number(field, getattr(self.rated.rules, field))
            cited.append(RuleUsed(field, value, dated.document, dated.where, dated.status, dated.note))
        return tuple(cited)

    def games(self, faced: Sequence[float], expectancy: Sequence[float]) -> tuple[GameFigure, ...]:
        """Return each game of the player with the opponent's rating that a step used."""
        columns, rounds, seats = self.rated.columns, self.rated.games.rounds, self.rated.games.seats
        return tuple(
            GameFigure(
                round=rounds[game],
                opponent_seat=seats[game],
                opponent=self.rated.facts[self.keys[seats[game]]].name or self.keys[seats[game]],
                score=columns.score[game],
                opponent_rating=faced[columns.opponent[game]],
                expected=expectancy[game],
            )
            for game in self.played
        )

    def step1(self) -> ExplainedStep:
        """Explain the rating before the section."""
        before, source = self.entry.before, self.rated.sources[self.at]
        figures = (Figure("rating before", before.rating), Figure("games (N)", shown_games(before.games)))
        if source == RATED:
            return ExplainedStep("Step 1: rating before the section", ("Rated before the section.",), figures)
        if source == SOURCE_INITIAL:
            text = "Unrated in this system; the office decided the initial rating."
            return ExplainedStep("Step 1: initial rating", (text,), figures)
        weighed = self.weighed_sources()
        if weighed:
            text = (
                "Unrated in this system; other ratings were blended by weight, R0 = sum W X / sum W, rounded."
            )
            rules = self.cite(
                "initial_method", "blend_most_games", "blend_staleness_rate", "blend_strength_scale"
            )
            return ExplainedStep("Step 1: initial rating (blend)", (text,), (*figures, *weighed), (), rules)
        rules = self.cite("initial_method")
        if source in (SOURCE_AGE, SOURCE_DEFAULT):
            text = (
                "Unrated in this system and no other rating counts; the initial rating follows from the age at the end."
                if source == SOURCE_AGE
                else "Unrated in this system, no other rating counts and no usable birth date: the constant rating."
            )
            rules += self.cite("age_rating_slope", "age_rating_adult", "age_rating_default")
        else:
            text = f"Unrated in this system; first clause of the priority list that applies: {before.source}."
            rules += self.cite("initial_priority_1")
            if before.source == "fide":
                rules += self.cite(
                    "fide_conversion_low_slope", "fide_conversion_high_slope", "fide_games_above"
                )
            if before.source == "cfc":
                rules += self.cite("cfc_conversion_slope_1", "cfc_conversion_slope_2", "cfc_games_above")
        return ExplainedStep("Step 1: initial rating", (text,), figures, (), rules)

    def weighed_sources(self) -> tuple[Figure, ...]:
        """Return the blend's workings of the player, one figure for each quantity of each source."""
        step1 = self.rated.step1
        if step1 is None or self.rated.rules.initial_method != BLEND:
            return ()
        figures: list[Figure] = []
        for offset, word in enumerate(SOURCE_WORDS):
            at = self.at * SOURCES + offset
            if step1.weight[at] > 0.0:
                figures += [
                    Figure(f"{word}: rating on the US scale (X)", step1.converted[at]),
                    Figure(f"{word}: game factor (G)", step1.factor[at]),
                    Figure(f"{word}: days old (D)", step1.staleness_days[at]),
                    Figure(f"{word}: age-based rating then (P)", step1.age_rating[at]),
                    Figure(f"{word}: strength for age (Z)", step1.strength[at]),
                    Figure(f"{word}: staleness factor (S)", step1.staleness[at]),
                    Figure(f"{word}: weight (W)", step1.weight[at]),
                ]
        return tuple(figures)

    def step2(self) -> ExplainedStep:
        """Explain the effective number of games."""
        return ExplainedStep(
            "Step 2: effective number of games",
            ("N' is the smaller of N and N*, which depends on the rating.",),
            (
                Figure("games (N)", shown_games(self.rated.columns.games[self.at])),
                Figure("most that the rating allows (N*)", self.rated.columns.most_games[self.at]),
                Figure("effective games (N')", self.rated.columns.effective_games[self.at]),
            ),
            (),
            self.cite(
                "effective_games_most",
                "effective_games_constant",
                "effective_games_slope",
                "effective_games_centre",
                "effective_games_knee",
            ),
        )

    def formula_reason(self) -> str:
        """Return which formula rates the player and why."""
        columns, rules = self.rated.columns, self.rated.rules
        games = columns.games[self.at]
        if self.foreign:
            return "Foreign FIDE event: the standard formula, once, against converted FIDE ratings."
        if columns.formula[self.at] == STANDARD:
            return f"Standard formula: N = {games_text(games)} is more than {rules.special_most_games:g}."
        if columns.record[self.at] == ALL_WINS:
            shift = f"{rules.special_unbroken_shift:g}"
            return f"Special formula: all games so far were wins (R0' = R0 - {shift}, N' counted as won)."
        if columns.record[self.at] == ALL_LOSSES:
            shift = f"{rules.special_unbroken_shift:g}"
            return f"Special formula: all games so far were losses (R0' = R0 + {shift}, N' counted as lost)."
        return f"Special formula: N = {games_text(games)} is not more than {rules.special_most_games:g}."

    def step3(self) -> ExplainedStep:
        """Explain the first estimate of a newcomer."""
        columns = self.rated.columns
        return ExplainedStep(
            "Step 3: first estimate of a newcomer",
            (
                "Special formula with N' = 1 for this step only; opponents at their pre-event or Step 1 ratings.",
            ),
            (Figure("rating after Step 3", columns.step3[self.at]),),
            self.games(columns.rating, columns.expectancy3),
            self.cite("newcomer_effective_games", "special_reach"),
        )

    def step4(self) -> ExplainedStep:
        """Explain the intermediate rating."""
        columns = self.rated.columns
        return ExplainedStep(
            "Step 4: intermediate rating",
            (
                self.formula_reason(),
                "Opponents at their pre-event ratings, newcomers at their Step 3 results.",
            ),
            (Figure("rating after Step 4", columns.step4[self.at]),),
            self.games(columns.step3, columns.expectancy4),
            self.cite("special_most_games"),
        )

    def step5(self) -> ExplainedStep:
        """Explain the rating from the opponents' intermediate ratings, with K and bonus."""
        columns, at = self.rated.columns, self.at
        figures = [
            Figure("score (S)", columns.total_score[at]),
            Figure("expected score (E)", columns.expected[at]),
        ]
        text = [self.formula_reason()]
        if self.foreign:
            title, faced = "Rating against converted FIDE ratings", columns.rating
            figures += self.foreign_ratings()
        else:
            title, faced = "Step 5: final pass", columns.step4
            text = ["Opponents at their Step 4 results."]
        if columns.formula[at] == SPECIAL:
            text.append(
                "The rating at which the expected score, earlier games included, equals the score made."
            )
            rules = self.cite("special_reach", "special_ceiling", "absolute_floor")
        else:
            figures += [
                Figure("K", columns.k[at]),
                Figure("K (S - E)", columns.change[at]),
                Figure("bonus threshold (B sqrt(max(m, 4)))", columns.bonus_threshold[at]),
                Figure("bonus", columns.bonus[at]),
            ]
            text.append(self.bonus_reason())
            rules = self.cite(
                "logistic_scale", "k_numerator", "bonus_multiplier", "bonus_eligibility_least_games"
            )
            if self.rated.section.half_k:
                rules += self.cite("half_k_numerator", "half_k_game_weight")
            if self.rated.dual_rated:
                rules += self.cite("reduced_k_above")
        if self.foreign:
            kind = "fide_youth_conversion" if self.rated.section.youth else "fide_conversion"
            parts = ("low_intercept", "low_slope", "knee", "high_intercept", "high_slope")
            rules += self.cite(*(f"{kind}_{part}" for part in parts))
        figures.append(Figure("rating after Step 5", columns.step5[at]))
        return ExplainedStep(
            title, tuple(text), tuple(figures), self.games(faced, columns.expectancy5), rules
        )

    def foreign_ratings(self) -> list[Figure]:
        """Return the FIDE rating of each opponent, before its conversion."""
        seats = [self.rated.games.seats[game] for game in self.played]
        found = {seat: self.rated.facts[self.keys[seat]].fide for seat in seats}
        return [
            Figure(f"FIDE rating of seat {seat}", fide.rating)
            for seat, fide in found.items()
            if fide is not None
        ]

    def bonus_reason(self) -> str:
        """Return whether a bonus could be earned, and why not where it could not."""
        columns, at = self.rated.columns, self.at
        if self.rated.section.type is SectionType.MATCH:
            return "No bonus: matches earn none."
        if not columns.bonus_eligible[at]:
            played = len(self.played)
            least = self.rated.rules.bonus_eligibility_least_games
            if played < least:
                return f"No bonus: {played} rated games are fewer than {least:g}."
            return f"No bonus: one opponent was met {columns.most_meetings[at]} times in {played} games."
        if columns.bonus[at] > 0.0:
            return "Bonus: K (S - E) exceeds the threshold by the bonus."
        return "No bonus: K (S - E) does not exceed the threshold."

    def settlement(self) -> ExplainedStep:
        """Explain limits, precision, floors and ceiling, and the result."""
        settled, at, rules = self.rated.settlement, self.at, self.rated.rules
        text: list[str] = []
        figures: list[Figure] = []
        cited = ["absolute_floor"]
        if self.rated.section.type is SectionType.MATCH:
            text.append("Match limits: the change is cut to what the match and its windows allow.")
            figures += [
                Figure("earlier match changes in the short window", settled.net_short[at]),
                Figure("earlier match changes in the long window", settled.net_long[at]),
                Figure("rating after match limits", settled.limited[at]),
            ]
            cited += [
                "match_change",
                "match_net_short_points",
                "match_net_short_days",
                "match_net_long_points",
                "match_net_long_years",
            ]
        if rules.stored_precision == INTEGER_AWAY:
            text.append("Stored as an integer, rounded away from the rating before.")
            figures.append(Figure("rating as stored", settled.stored[at]))
            cited.append("stored_precision")
        figures += list(self.floors())
        if rules.personal_floor_most >= 0.0:
            cited.append("personal_floor_most")
        if rules.peak_floor_lowest >= 0.0:
            cited.append("peak_floor_lowest")
        if settled.floor_applied[at]:
            text.append(f"Held at the {FLOOR_WORDS[settled.floor_kind[at]]}.")
        else:
            text.append("No floor was reached.")
        if settled.request_open[at]:
            text.append("The match result lies below the floor: a floor request is open.")
        elif settled.floor_applied[at] and settled.request[at] == DENIED:
            text.append("The match result lies below the floor; the office denied the floor request.")
        if settled.lowered_to[at] != NO_FLOOR:
            text.append(
                f"The floor request was granted: the new floor is {rules.match_floor_drop:g} points lower."
            )
            cited.append("match_floor_drop")
            figures.append(Figure("new floor", settled.lowered_to[at]))
        if settled.ceiling[at] != NO_CEILING:
            figures.append(Figure("ceiling", settled.ceiling[at]))
            text.append(self.ceiling_effect())
            cited.append("ceiling_cuts_first_ratings")
        after = self.entry.after
        if after is not None:
            figures += [
                Figure("rating after", after.rating),
                Figure("games after (N)", shown_games(after.games)),
                Figure("displayed", after.published),
                Figure("established", "yes" if after.established else "no"),
            ]
        return ExplainedStep("Floors, ceiling and result", tuple(text), tuple(figures), (), self.cite(*cited))

    def ceiling_effect(self) -> str:
        """Say what the ceiling did to the rating."""
        settled, at = self.rated.settlement, self.at
        if not settled.ceiling_applied[at]:
            return "The ceiling was not reached."
        if settled.after[at] > settled.ceiling[at]:
            return "Not raised: the rating before was above the ceiling already."
        if settled.first[at]:
            return "The first rating was cut to the ceiling."
        return "Not raised above the ceiling."

    def floors(self) -> Iterable[Figure]:
        """Yield each floor that was tested; a word where it does not apply."""
        settled, at = self.rated.settlement, self.at
        yield Figure("absolute floor", self.rated.rules.absolute_floor)
        in_force = self.rated.rules.personal_floor_most >= 0.0
        unknown = "counts not given" if in_force and settled.wins[at] == UNKNOWN else "not in force"
        yield Figure("personal floor", floor_value(settled.personal[at], unknown))
        unknown = "not in force"
        if settled.peak[at] == UNKNOWN and self.rated.rules.peak_floor_lowest >= 0.0:
            unknown = "peak not given or never established"
        if settled.lowered[at] != NO_FLOOR:
            unknown = "replaced by the lowered floor"
            yield Figure("peak floor", unknown)
            yield Figure("lowered floor", settled.lowered[at])
        else:
            yield Figure("peak floor", floor_value(settled.from_peak[at], unknown))
        in_force = self.rated.rules.olm_floor_level >= 0.0
        unknown = "games not given" if in_force and settled.olm_games[at] == UNKNOWN else "not in force"
        yield Figure("original Life Master floor", floor_value(settled.from_olm[at], unknown))
        yield Figure("entered by the office", floor_value(settled.entered[at], "none"))
        yield Figure("highest floor in force", settled.floor[at])

    def steps(self) -> tuple[ExplainedStep, ...]:
        """Return all steps that concern the player."""
        if self.entry.workings is None:
            text = "No rated game in this section: nothing changes."
            return (self.step1(), ExplainedStep("Result", (text,)))
        steps = [self.step1(), self.step2()]
        if self.rated.columns.newcomer[self.at]:
            steps.append(self.step3())
        if not self.foreign:
            steps.append(self.step4())
        return (*steps, self.step5(), self.settlement())


def explain(rated: RatedSection, seat: int, rulebook: Rulebook) -> Explanation | None:
    """Return how the rating of the player at *seat* came about; None where no such seat was rated.

    Source: the workings in *rated*; the sources of the rules in *rulebook* (the one that rated the section).
    """
    for entry in rated.entries:
        if entry.seat == seat:
            return Explanation(
                section=rated.section.number,
                section_name=rated.section.name,
                system=rated.system.value,
                rules_date=rated.rules_date.isoformat(),
                seat=seat,
                player=entry.player,
                name=rated.facts[entry.player].name,
                steps=Explainer(rated, entry, rulebook).steps(),
            )
    return None


def shown_games(games: float) -> float | str:
    """Return N as a number, or a word where only the status is known."""
    return "established" if math.isinf(games) else games


def games_text(games: float) -> str:
    """Return N in words."""
    return "established" if math.isinf(games) else f"{games:g}"


def floor_value(floor: float, word: str) -> float | str:
    """Return a floor, or the word for its absence."""
    return word if floor == NO_FLOOR else floor
