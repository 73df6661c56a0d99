"""The tables of a study, for the prompt and for the report: its variants, and the main effects of its factors."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ratebook.lab.cells.forecasts import PROVISIONAL_GAMES
from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Figure, Measure
from ratebook.lab.studies.comparing import Blocks, LossDifference, holm
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import Effect, VariantLine
from ratebook.pages.columns import Column, Columns, used_columns

THOUSANDTHS, PERCENT = 1000.0, 100.0
LEAST_CHANCE = 0.001
DIGITS_OF_MARGIN, FINE = 1, 0.05
"""Intervals that are finer, in thousandths, have digits of their own."""


def figure_text(value: Figure, margin: float, form: str, times: float = 1.0) -> str:
    """Return a figure so many *times* as large, with half its interval unless that is NaN; empty where unknown.

    >>> (
    ...     figure_text(12.34, math.nan, ".1f"),
    ...     figure_text(0.5, 0.012, "+.1f", 100.0),
    ...     figure_text(None, math.nan, ".1f"),
    ... )
    ('12.3', '+50.0 ± 1.2', '')
    """
    if not isinstance(value, float | int) or math.isnan(value):
        return ""
    shown = "" if math.isnan(margin) else f" ± {format(margin * times, form.replace('+', ''))}"
    return format(value * times, form) + shown


def _figure(name: str, form: str, times: float = 1.0) -> Callable[[VariantLine], str]:
    """Return what writes a figure of a line."""
    return lambda line: figure_text(getattr(line, name), line.margins.get(name, math.nan), form, times)


def with_interval(loss: LossDifference) -> str:
    """Return a difference in thousandths with its interval of 95 %, if it has one, and the digits that this needs.

    >>> with_interval(LossDifference("log_loss", 0.5, 0.500001, 1e-6, 4e-7, 100))
    '+0.0010 ± 0.0008'
    """
    if not loss.difference:
        return "0"
    if not loss.error > 0.0:
        return figure_text(loss.difference, math.nan, "+.2f", THOUSANDTHS)
    margin = loss.margin * THOUSANDTHS
    digits = max(2, DIGITS_OF_MARGIN - 1 - math.floor(math.log10(margin))) if margin < FINE else 2
    return f"{loss.difference * THOUSANDTHS:+.{digits}f} ± {margin:.{digits}f}"


def _chance(adjusted: float) -> str:
    if math.isnan(adjusted):
        return ""
    return "< 0.001" if adjusted < LEAST_CHANCE else f"{adjusted:.3f}"


def _measured(measure: Measure) -> Column[VariantLine]:
    def text(line: VariantLine) -> str:
        figure, margin = line.more.get(measure.name), line.margins.get(measure.name, math.nan)
        return figure_text(figure, margin, measure.form, measure.times) or measure.text(figure)

    return Column(measure.title, text, "right")


NAME: Column[VariantLine] = Column("Variant", "name")
SCORES: Columns[VariantLine] = (
    NAME,
    Column("Games", "games", "right", ","),
    Column("Log loss", _figure("log_loss", ".5f"), "right"),
    Column("less base x1000", "log_loss_difference", "right", with_interval),
    Column("p (Holm)", "adjusted", "right", _chance),
    Column("Brier", _figure("brier", ".5f"), "right"),
    Column("Scale", _figure("scale", ".3f"), "right"),
    Column("Excess x1000", _figure("excess", ".2f", THOUSANDTHS), "right"),
    Column("less base x1000", "excess_difference", "right", with_interval),
    Column("Bias", _figure("bias", "+.1f"), "right"),
    Column("Drift", _figure("drift", "+.1f"), "right"),
    Column("2200+ %", _figure("strong", ".2f", PERCENT), "right"),
)
MORE: Columns[VariantLine] = (
    NAME,
    Column("Accuracy %", _figure("accuracy", ".2f", PERCENT), "right"),
    *(_measured(measure) for measure in MEASURES if not measure.against_truth),
)
AGAINST_TRUTH: Columns[VariantLine] = (
    NAME,
    Column("Spread", _figure("spread", ".3f"), "right"),
    *(_measured(measure) for measure in MEASURES if measure.against_truth),
)
EFFECTS: Columns[Effect] = (
    Column("Factor", "factor"),
    Column("Level", "level"),
    Column("Drift", lambda effect: figure_text(effect.drift, effect.drift_margin, "+.2f"), "right"),
    Column("Log loss x1000", "loss", "right", with_interval),
)


class OtherLine(NamedTuple):
    """A variant in a population of games that are not between established players."""

    name: str
    loss: LossDifference
    adjusted: float


OTHERS: Columns[OtherLine] = (
    Column("Variant", "name"),
    Column("Games", "loss.games", "right", ","),
    Column("Log loss", "loss.second", "right", ".5f"),
    Column("less base x1000", "loss", "right", with_interval),
    Column("p (Holm)", "adjusted", "right", _chance),
)
OTHER_TITLES = {
    "one provisional": "Games with a provisional player, and none without a rating",
    "newcomers": "Games with a newcomer, who had no rating before",
}


TERMS = {
    "Log loss": "how far forecasts are from results, nats a game; 0.693 is guessing, smaller is better",
    "less base x1000": "difference from the baseline on the same games, thousandths; below zero is better",
    "p (Holm)": "chance of so large a difference between equal variants, adjusted for all lines of the table",
    "Brier": "mean square of score less forecast, which weighs gross errors; smaller is better",
    "Scale": "what rating differences must be multiplied by to forecast best; below 1, ratings are too far apart",
    "Excess x1000": "log loss beyond that of someone who knows the true strengths, thousandths of a nat a game",
    "Bias": "by how many points ratings are above strengths, on average",
    "Drift": "points a year that the monitoring cohort (established, active for four years, 35 to 45 years old) gains"
    " beyond its strength, or gains at all where strengths are unknown",
    "2200+ %": "share of active established players of 2200 or more, at the end",
    "Accuracy %": "share of decided games that the favourite won",
    "Spread": "standard deviation of ratings, divided by that of strengths",
    **{measure.title: measure.about for measure in MEASURES},
}
"""What headings mean, for those who read the table."""


class StudyTable(NamedTuple):
    """A table of a study."""

    title: str
    columns: Columns[Any]
    lines: Sequence[Any]

    @property
    def terms(self) -> dict[str, str]:
        """Return what its headings mean, where that needs to be said."""
        return {column.title: TERMS[column.title] for column in self.columns if column.title in TERMS}


def tables_of(title: str, lines: Sequence[VariantLine], main: Sequence[Effect]) -> Iterator[StudyTable]:
    """Yield the tables of a study that have something to show; *title* is that of the first one."""
    yield StudyTable(title, used_columns(SCORES, lines), lines)
    for population, heading in OTHER_TITLES.items():
        others = other_lines(lines, population)
        if others and others[0].loss.games:
            yield StudyTable(heading, OTHERS, others)
    yield StudyTable("More about forecasts and changes", used_columns(MORE, lines), lines)
    if any(line.excess is not None for line in lines):
        yield StudyTable("Against the truth", used_columns(AGAINST_TRUTH, lines), lines)
    if main:
        yield StudyTable("Main effects, against the first level of each factor", EFFECTS, main)


_THESE_MEMBERS = "say how far luck in the results of these members may have moved a difference"
QUESTIONS = {
    Blocks.SECTION: f"{_THESE_MEMBERS}. Another federation may differ by more: --blocks player allows for that",
    Blocks.EVENT: f"{_THESE_MEMBERS}, with all games of an event as one block",
    Blocks.MONTH: f"{_THESE_MEMBERS}, with all games of a month as one block",
    Blocks.PLAYER: "also hold what another federation of the same kind would give; most are wider than they must be",
    Blocks.BOTH_PLAYERS: "take games that share a player as dependent: more than luck in the results of these members,"
    " and a little less than what another federation may differ by",
}
"""What an interval of a single history answers, by its blocks (decision 68)."""


def notes_on_intervals(lock: Lock, lines: Sequence[VariantLine], blocks: Blocks) -> Iterator[str]:
    """Yield which games are scored, what the intervals are, and why figures have none."""
    yield (
        f"Established: more than {PROVISIONAL_GAMES:.0f} games before the section, by the baseline's count. All"
        " variants are scored on the same games, whatever their own established_above_games."
    )
    worlds = lines[0].worlds if lines else 1
    if worlds > 1:
        yield (
            f"Figures are means over {worlds} simulated federations, ± intervals of 95 % over these (Student's t)."
            " Several figures in one cell are means alone."
        )
    else:
        yield f"Differences are on the same games; ± are intervals of 95 %, which {QUESTIONS[blocks]}."
    yield f"p (Holm): the {TERMS['p (Holm)']}."
    if worlds == 1 and lock.contents["world"] is not None:
        yield (
            "Figures without ± are those of one simulated federation; another one gives others, and one alone does not"
            " show by how much. seeds = 8 in the study makes several, and gives them intervals."
        )
    elif worlds == 1:
        yield "Figures without ± are those of this history: one history does not show what another would give."


def other_lines(lines: Sequence[VariantLine], population: str) -> list[OtherLine]:
    """Return the variants in another population of games than those between established players."""
    losses = {
        line.name: part.loss
        for line in lines
        for part in line.parts
        if (part.population, part.cut) == (population, "")
    }
    chances = holm([loss.p for loss in losses.values()])
    return [
        OtherLine(name, loss, chance) for (name, loss), chance in zip(losses.items(), chances, strict=True)
    ]
