"""A study that is written for somebody: one rule, its values, and the history or the federation to try them on."""

import textwrap
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timeline import fields_of_rule


class RuleQuestion(NamedTuple):
    """What a study asks.

    Attributes:
        rule: the rule that varies.
        values: that are compared, as they are written; the first one is the baseline.
        title: of the study; empty: after the rule.
    """

    rule: str
    values: tuple[str, ...]
    title: str = ""


READY: Mapping[str, RuleQuestion] = {
    "bonus": RuleQuestion("bonus_multiplier", ("10", "6", "14"), "The bonus"),
    "k": RuleQuestion("k_numerator", ("800", "600", "1000"), "K"),
    "first-ratings": RuleQuestion("age_rating_adult", ("1300", "1000", "1600"), "First ratings of adults"),
    "floors": RuleQuestion("absolute_floor", ("100", "600", "1000"), "The absolute floor"),
}
"""Questions that committees ask first. Their rules are in force in the federation below."""
WORLD = {"preset": '"school"', "first_year": "2021", "members": "900", "arrivals": "210"}
"""A federation of children and adults, small enough for a minute."""
SEEDS = 5
WARM_UP_YEARS = 3
WIDTH = 110


def draft(
    question: RuleQuestion, rules: Rulebook, history: Path | None, score_from: date | None = None
) -> str:
    """Return the text of a study.

    Args:
        question: what it asks.
        rules: the timeline, which says what the rule does.
        history: the folder of a history; None: a simulated federation.
        score_from: the first day that is scored; None: after a third of the history, or three years of a federation.

    Raises:
        OSError: the history cannot be read.
        polars.exceptions.PolarsError: it is none of ours.
    """
    rule, values, title = question
    first_scored = date(int(WORLD["first_year"]) + WARM_UP_YEARS, 1, 1)
    day = score_from or (first_scored if history is None else _after_a_third(history))
    words = rule.replace("_", " ")
    title = title or words.capitalize()
    what = next((known.what for name, known in rules.rules.items() if rule in fields_of_rule(name)), "")
    lines = [
        *textwrap.wrap(what, WIDTH, initial_indent="# ", subsequent_indent="# "),
        f'title = "{title}"',
        f'question = "{title}: what would another value do to forecasts and to the level of ratings?"',
        "# Earlier games only let the ratings settle.",
        f"score-from = {day}",
        *([f"seeds = {SEEDS}"] if history is None else [f'history = "{history.as_posix()}"']),
        "",
        "# The first value is the baseline; the others are compared with it.",
        f'[factor."{words}"]',
        *(f'"{value}" = {{ {rule} = {_literal(value)} }}' for value in values),
    ]
    if history is None:
        lines += [
            "",
            f"# A simulated federation, whose true strengths are known; made {SEEDS} times, for intervals.",
            "[world]",
            *(f"{name} = {value}" for name, value in WORLD.items()),
        ]
    return "\n".join(lines) + "\n"


def _literal(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return f'"{value}"'
    return value


def _after_a_third(history: Path) -> date:
    import polars as pl  # noqa: PLC0415 - a server drafts studies of simulated federations without it

    days: Sequence[date] = pl.read_parquet(history / "sections.parquet", columns=["end"])["end"].to_list()
    first, last = min(days), max(days)
    return first + (last - first) / 3
