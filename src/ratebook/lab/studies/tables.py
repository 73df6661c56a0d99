"""The tables of a study, for the prompt and for the report: its variants, and the main effects of its factors."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Measure
from ratebook.lab.studies.comparing import NORMAL_95, LossDifference
from ratebook.lab.studies.summary import Effect, VariantLine
from ratebook.pages.columns import Column, Columns, used_columns

THOUSANDTHS, PERCENT = 1000.0, 100.0


def _scaled(times: float, form: str) -> Callable[[float | None], str]:
    """Return what writes a figure so many *times* as large; nothing where it is not known."""
    return lambda value: "" if value is None or math.isnan(value) else format(value * times, form)


def _with_interval(loss: LossDifference) -> str:
    if not loss.error > 0.0:
        return ""
    return f"{loss.difference * THOUSANDTHS:+.2f} ± {NORMAL_95 * loss.error * THOUSANDTHS:.2f}"


def _measured(measure: Measure) -> Column[VariantLine]:
    return Column(measure.title, lambda line: measure.text(line.more.get(measure.name)), "right")


NAME: Column[VariantLine] = Column("Variant", "name")
SCORES: Columns[VariantLine] = (
    NAME,
    Column("Games", "games", "right", ","),
    Column("Log loss", "log_loss", "right", ".5f"),
    Column("less base x1000", "log_loss_difference", "right", _with_interval),
    Column("Brier", "brier", "right", ".5f"),
    Column("Scale", "scale", "right", ".3f"),
    Column("Excess x1000", "excess", "right", _scaled(THOUSANDTHS, ".2f")),
    Column("less base x1000", "excess_difference", "right", _with_interval),
    Column("Bias", "bias", "right", "+.1f"),
    Column("Drift", "drift", "right", "+.1f"),
    Column("2200+ %", "strong", "right", _scaled(PERCENT, ".2f")),
)
MORE: Columns[VariantLine] = (
    NAME,
    Column("Accuracy %", "accuracy", "right", _scaled(PERCENT, ".2f")),
    *(_measured(measure) for measure in MEASURES if not measure.against_truth),
)
AGAINST_TRUTH: Columns[VariantLine] = (
    NAME,
    Column("Spread", "spread", "right", ".3f"),
    *(_measured(measure) for measure in MEASURES if measure.against_truth),
)
EFFECTS: Columns[Effect] = (
    Column("Factor", "factor"),
    Column("Level", "level"),
    Column("Drift", "drift", "right", "+.2f"),
    Column("Log loss x1000", "loss", "right", _scaled(THOUSANDTHS, "+.3f")),
)


class StudyTable(NamedTuple):
    """A table of a study; *about* says what the columns of its measures are."""

    title: str
    columns: Columns[Any]
    lines: Sequence[Any]
    about: str = ""


def tables_of(
    title: str, lines: Sequence[VariantLine], main: Sequence[Effect], about: str = ""
) -> Iterator[StudyTable]:
    """Yield the tables of a study that have something to show; *title* and *about* are those of the first one."""
    yield StudyTable(title, SCORES, lines, about)
    yield _of_measures("More about forecasts and changes", MORE, lines)
    if any(line.excess is not None for line in lines):
        yield _of_measures("Against the truth", AGAINST_TRUTH, lines)
    if main:
        yield StudyTable("Main effects, against the first level of each factor", EFFECTS, main)


def _of_measures(title: str, columns: Columns[VariantLine], lines: Sequence[VariantLine]) -> StudyTable:
    used = used_columns(columns, lines)
    titles = {column.title for column in used}
    about = [f"{measure.title}: {measure.about}." for measure in MEASURES if measure.title in titles]
    return StudyTable(title, used, lines, " ".join(about))
