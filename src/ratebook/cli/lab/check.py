"""The command that computes answers that are known beforehand."""

import math
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.cli.command import command
from ratebook.cli.options import flag_option
from ratebook.cli.output import progress_bar
from ratebook.cli.show import json_option, show, table
from ratebook.lab.known.answers import KnownAnswer, KnownFigure
from ratebook.lab.known.registry import ANSWERS
from ratebook.pages.columns import Column, Columns

NUMBERS = list(dict.fromkeys(one.number for one in ANSWERS))


class CheckedFigure(NamedTuple):
    """A figure of an answer."""

    answer: KnownAnswer
    figure: KnownFigure


def _expected(one: KnownFigure) -> str:
    if one.low == one.high:
        return f"{one.low:.6g}"
    return f"{one.low:.6g} or more" if math.isinf(one.high) else f"{one.low:.6g} to {one.high:.6g}"


FIGURES: Columns[CheckedFigure] = (
    Column("Number", lambda one: one.answer.number),
    Column("Figure", lambda one: one.figure.what),
    Column("Expected", lambda one: _expected(one.figure), "right"),
    Column("Found", lambda one: f"{one.figure.got:.6g}", "right"),
    Column("Verdict", lambda one: "holds" if one.figure.holds else "FAILS"),
)


@command("check", json_option)
@click.option(
    "--only", type=click.Choice(NUMBERS), multiple=True, help="Compute only this answer; repeatable."
)
@flag_option("--long", "with_long", help="Compute also those that take longer: minutes altogether.")
def check_command(only: tuple[str, ...], *, with_long: bool) -> None:
    """Compute answers that are known beforehand, and say whether the laboratory finds them.

    Each comes from a formula, a document or another computation. Exit status 1 if one fails.

    Examples:
      ratebook lab check
      ratebook lab check --only A8 --long
    """
    wanted = [one for one in ANSWERS if (not only or one.number in only) and (with_long or not one.long)]
    found: list[CheckedFigure] = []
    with tempfile.TemporaryDirectory() as folder, progress_bar("Answers", sys.stderr) as progress:
        for number, answer in enumerate(wanted, 1):
            found += [CheckedFigure(answer, one) for one in answer.compute(Path(folder))]
            if progress is not None:
                progress(number, len(wanted))
    failing = [one for one in found if not one.figure.holds]
    answers = [
        {
            "number": answer.number,
            "says": answer.says,
            "source": answer.source,
            "figures": [
                {
                    **{
                        name: None if isinstance(value, float) and not math.isfinite(value) else value
                        for name, value in one.figure._asdict().items()
                    },
                    "holds": one.figure.holds,
                }
                for one in found
                if one.answer is answer
            ],
        }
        for answer in wanted
    ]
    shown = [table("Known answers", FIGURES, found, none="There are only long ones: give --long.")]
    lines = [f"{one.number}: {one.says} ({one.source})" for one in wanted]
    holding = len(found) - len(failing)
    verdict = f"{holding} of {len(found)} figures hold{'s' if holding == 1 else ''}."
    show("lab-check", {"holds": not failing, "answers": answers}, *shown, *lines, verdict, findings=None)
    if failing:
        raise SystemExit(1)
