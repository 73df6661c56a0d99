"""The command that compares expected scores with results: scale, slope, draws, and the curve."""

from pathlib import Path

import click

from ratebook.cli.command import command
from ratebook.cli.options import (
    PATH,
    SYSTEM,
    WholeRange,
    default_option,
    flag_option,
    overlay_option,
    rulebook_with,
    set_option,
)
from ratebook.cli.output import progress_bar
from ratebook.cli.show import fail, fail_with, json_option, show, table
from ratebook.findings import Place
from ratebook.lab.fits.expectancy import CurvePoint, Expectancy, expectancy_of
from ratebook.lab.worlds.making import TRUTH
from ratebook.model import System
from ratebook.pages.columns import Column, Columns
from ratebook.replay.run import Options

CURVE: Columns[CurvePoint] = (
    Column("Difference", "difference", "right", ".1f"),
    Column("Games", "games", "right", ","),
    Column("Score", "score.value", "right", ".4f"),
    Column("95 %", lambda one: f"{one.score.low:.4f} to {one.score.high:.4f}"),
    Column("Fitted", "fitted", "right", ".4f"),
    Column("Rules", "rules", "right", ".4f"),
    Column("Drawn", "drawn", "right", ".3f"),
)


@command("fit-expectancy", json_option)
@click.argument("history", type=PATH)
@default_option("--system", "The rating system to compare.", SYSTEM, default=System.REGULAR.value)
@flag_option("--strengths", "Use true strengths instead of ratings; only a simulated federation has them.")
@default_option("--bins", "Width of a class of the curve, rating points.", WholeRange(5, 500), default=50)
@set_option
@overlay_option
def fit_expectancy_command(
    history: Path,
    system: System,
    bins: int,
    settings: tuple[str, ...],
    overlay: str | None,
    *,
    strengths: bool,
) -> None:
    """Compare the scores that rating differences predict with the results of games.

    HISTORY is a folder such as `ratebook book export --parquet` or `ratebook lab world` writes; it is rated, and each
    game counts with the ratings before its section if both are established. The scale is 400 if the rules predict what
    happens, and larger if ratings are too far apart.

    Examples:
      ratebook lab fit-expectancy history
      ratebook lab fit-expectancy world --strengths --bins 100
    """
    if strengths and not (history / TRUTH).exists():
        fail_with("strengths-missing", Place(file=str(history)))
    with progress_bar("Rating") as progress:
        options = Options(progress=progress)
        fit, findings = expectancy_of(
            history, rulebook_with(settings, overlay), system, bins, options, by_strength=strengths
        )
    if fit is None:
        fail(findings)
    show(
        "lab-fit-expectancy",
        fit._asdict(),
        table(f"Score of the favourite: {fit.games:,} games", CURVE, fit.curve, none="No game to compare."),
        *_words(fit),
        findings=None,
    )


def _words(fit: Expectancy) -> list[str]:
    words = []
    if fit.games and fit.scale is None:
        words.append(
            "Scale: none, since results do not show that the higher rating scores more; draws are fitted with 400."
        )
    for what, estimate, form in (
        ("Scale (400 in the rules)", fit.scale, ".1f"),
        ("Slope of the logit", fit.slope, ".4f"),
        ("Intercept of the logit", fit.intercept, "+.4f"),
        ("White has more, points", fit.white, "+.1f"),
        ("Draws between equals", fit.draws, ".4f"),
        ("more with 100 points of level", fit.draws_by_level, "+.4f"),
        ("more with 100 points of difference", fit.draws_by_difference, "+.4f"),
    ):
        if estimate is not None:
            chance = "" if estimate.shows or not what.startswith("more") else ": no more than chance"
            low, high = format(estimate.low, form), format(estimate.high, form)
            words.append(f"{what}: {format(estimate.value, form)} (95 %: {low} to {high}){chance}")
    return words
