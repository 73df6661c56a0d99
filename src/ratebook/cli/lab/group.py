"""The group ``ratebook lab``: studies of rule changes over whole histories."""

import click

from ratebook.cli.command import with_examples
from ratebook.cli.lazy_group import LazyGroup
from ratebook.cli.show import fail_with, need
from ratebook.findings import Place

MONITOR = "monitor"
"""The one command that reads a book."""
COMMANDS = {
    "world": ("world", "Make a simulated federation whose true strengths are known."),
    "fit-conversion": ("fit_conversion", "Fit a conversion of ratings to players who have both."),
    "fit-expectancy": ("fit_expectancy", "Compare expected scores with the results of games."),
    "games": ("histories", "Write the games of a history, for a program that forecasts them."),
    "import": ("histories", "Make a history from a file of games."),
    "new": ("studies", "Write a small study of one rule."),
    "run": ("studies", "Compute the cells of a study that are missing."),
    "solve": ("search", "Find the value of a rule at which ratings keep their level."),
    "search": ("search", "Find the values of rules that forecast best."),
    MONITOR: ("monitor", "Print the level of ratings year by year, and where points come from."),
    "report": ("report", "Write the report of a study as one page."),
    "compare": ("studies", "Print the variants of a study and their differences."),
}


class LabGroup(LazyGroup):
    """The group of the laboratory's commands, which need the libraries of extras."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load and return one command; a finding where a library is missing."""
        if cmd_name == MONITOR:
            need(*self.extras, "book")
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; a finding if a cell that it reads is damaged."""
        try:
            return super().invoke(ctx)
        except ValueError as failure:
            from ratebook.lab.studies.store import DamagedCellError  # noqa: PLC0415 - it takes Polars

            if not isinstance(failure, DamagedCellError):
                raise
            fail_with("results-damaged", Place(file=str(failure)))


@click.group(
    "lab",
    cls=LabGroup,
    package="ratebook.cli.lab",
    lazy=COMMANDS,
    extras=("bulk", "lab"),
    help=with_examples(
        """Test rule changes over whole histories: forecasts, level and inflation, with intervals.

        A study is a file that names a history and variants of the rules. Each variant is a cell, computed once.

        Examples:
          ratebook lab run examples/lab/committee-2012/study.toml --results results
          ratebook lab compare results
        """
    ),
)
def lab_group() -> None:
    """Hold the commands."""
