"""Commands that decide about members: floors, ceilings, initial ratings, two ids that are one, erasure."""

from datetime import date
from typing import Any

import click

from ratebook.cli.book.corrections import member_argument
from ratebook.cli.book.session import confirm, decide, reason_option, today
from ratebook.cli.command import command
from ratebook.cli.options import DAY, FiniteRange, SystemType
from ratebook.cli.show import json_option
from ratebook.model import FloorKind, System
from ratebook.office.decisions.members import HIGHEST, LOWEST, Adjustment, adjust
from ratebook.office.decisions.persons import erase, merge
from ratebook.rating.decisions import KINDS, DecisionKind

MOST_GAMES = 50
"""Games that an initial rating may be based on; no document knows more."""

_OPTIONS = {
    "floor_kind": click.option(
        "--kind",
        "floor_kind",
        type=click.Choice([kind.value for kind in FloorKind]),
        default=FloorKind.OFFICE.value,
        show_default=True,
        help="Who or what set it.",
    ),
    "games": click.option(
        "--games",
        type=FiniteRange(min=0, max=MOST_GAMES),
        default=0,
        show_default=True,
        metavar="N",
        help="Games that it is based on.",
    ),
}
"""The options of kinds that need more than a rating."""


@click.group("adjust")
def adjust_group() -> None:
    """Set a floor, a ceiling or an initial rating of a member, or lift it: a decision of the office.

    It holds for sections that end on its day or later. What follows from it waits for ratebook book rerate.
    """


def _adjust_command(word: str, kind: DecisionKind) -> click.Command:
    """Return the command that makes decisions of one kind."""

    def run(  # one parameter for each option
        member: str,
        system: str,
        rating: float | None,
        effective: date | None,
        reason: str,
        *,
        lift: bool = False,
        **more: Any,  # noqa: ANN401 - what the options of the kind give
    ) -> None:
        if lift == (rating is not None):
            raise click.UsageError("Give either --rating or --lift.")
        adjustment = Adjustment(member, System(system), rating, effective or today(), **more)
        decide(reason, lambda book, because: adjust(book, word, adjustment, because))

    options = [
        member_argument,
        click.argument("system", type=SystemType()),
        click.option(
            "--rating",
            type=FiniteRange(min=LOWEST, max=HIGHEST),
            required=not kind.lifted,
            metavar="R",
            help="Rating points.",
        ),
    ]
    if kind.lifted:
        options.append(click.option("--lift", is_flag=True, help="Lift what was set before."))
    options += [_OPTIONS[name] for name in kind.columns if name in _OPTIONS]
    options.append(
        click.option(
            "--from",
            "effective",
            type=DAY,
            metavar="DATE",
            help="The day from which it holds (default: today).",
        )
    )
    command: Any = run
    for option in reversed([*options, reason_option, json_option]):
        command = option(command)
    examples = "".join(f"\n  ratebook book adjust {word} {example}" for example in kind.examples)
    return click.command(word, help=f"{kind.help}\n\n\b\nExamples:{examples}")(command)


for _word, _kind in KINDS.items():
    adjust_group.add_command(_adjust_command(_word, _kind))


@command("merge", reason_option, json_option)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
def merge_command(old: str, new: str, reason: str) -> None:
    """Say that two ids are one person: what OLD played counts for NEW, and the id OLD leads to NEW from now on.

    Examples:
      ratebook book merge 90000112 90000012 --reason "joined twice"
    """
    decide(reason, lambda book, because: merge(book, old, new, because))


@command("erase", member_argument, json_option)
@reason_option
@click.option("--yes", is_flag=True, help="Do not ask; what is erased cannot be brought back.")
def erase_command(member: str, reason: str, *, yes: bool) -> None:
    """Remove the personal data of MEMBER: name, birth date, home. The ledger keeps its numbers under the id.

    Backups and exports that were made before still hold them.

    Examples:
      ratebook book erase 90000012 --reason "asked for by letter of November 3" --yes
    """
    if not yes:
        confirm(f"Remove name, birth date and home of member {member} for good?", f"member {member}")
    decide(reason, lambda book, because: erase(book, member, because))
