"""Commands that decide about members: floors, ceilings, initial ratings, two ids that are one, erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ratebook.cli.book.corrections import decide, member_argument
from ratebook.cli.book.session import confirm, reason_option, today
from ratebook.cli.options import DAY, FiniteRange, SystemType, json_option
from ratebook.model import FloorKind, System
from ratebook.office.decisions.members import (
    HIGHEST,
    LOWEST,
    Adjustment,
    adjust_ceiling,
    adjust_floor,
    decide_initial,
)
from ratebook.office.decisions.persons import erase, merge

if TYPE_CHECKING:
    from datetime import date

MOST_GAMES = 50
"""Games that an initial rating may be based on; no document knows more."""

system_argument = click.argument("system", type=SystemType())
rating_option = click.option(
    "--rating", type=FiniteRange(min=LOWEST, max=HIGHEST), metavar="R", help="Rating points."
)
lift_option = click.option("--lift", is_flag=True, help="Lift what was set before.")
from_option = click.option(
    "--from", "effective", type=DAY, metavar="DATE", help="The day from which it holds (default: today)."
)


@click.group("adjust")
def adjust_group() -> None:
    """Set a floor, a ceiling or an initial rating of a member, or lift it: a decision of the office.

    It holds for sections that end on its day or later. What follows from it waits for ratebook book rerate.
    """


def _adjustment(
    member: str, system: str, rating: float | None, effective: date | None, *, lift: bool
) -> Adjustment:
    if lift == (rating is not None):
        raise click.UsageError("Give either --rating or --lift.")
    return Adjustment(member, System(system), rating, effective or today())


@adjust_group.command("floor")
@member_argument
@system_argument
@rating_option
@lift_option
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in FloorKind]),
    default=FloorKind.OFFICE.value,
    show_default=True,
    help="Who or what set it.",
)
@from_option
@reason_option
@json_option
def floor_command(
    member: str,
    system: str,
    rating: float | None,
    kind: str,
    effective: date | None,
    reason: str,
    *,
    lift: bool,
    as_json: bool,
) -> None:
    """Set a floor of MEMBER in SYSTEM, or lift those of its kind.

    \b
    Examples:
      ratebook book adjust floor 90000012 regular --rating 1800 --kind money --reason "won 4,000 dollars"
      ratebook book adjust floor 90000012 regular --lift --kind money --reason "the prize was paid back"
    """
    adjustment = _adjustment(member, system, rating, effective, lift=lift)
    decide(
        lambda book, because: adjust_floor(book, adjustment, because, kind=FloorKind(kind)),
        reason,
        as_json=as_json,
    )


@adjust_group.command("ceiling")
@member_argument
@system_argument
@rating_option
@lift_option
@from_option
@reason_option
@json_option
def ceiling_command(
    member: str,
    system: str,
    rating: float | None,
    effective: date | None,
    reason: str,
    *,
    lift: bool,
    as_json: bool,
) -> None:
    """Set a level above which the rating of MEMBER in SYSTEM may not rise, or lift it.

    \b
    Examples:
      ratebook book adjust ceiling 90000012 regular --rating 2000 --reason "decision of the ethics committee"
    """
    adjustment = _adjustment(member, system, rating, effective, lift=lift)
    decide(lambda book, because: adjust_ceiling(book, adjustment, because), reason, as_json=as_json)


@adjust_group.command("initial")
@member_argument
@system_argument
@click.option(
    "--rating", type=FiniteRange(min=LOWEST, max=HIGHEST), required=True, metavar="R", help="Rating points."
)
@click.option(
    "--games",
    type=FiniteRange(min=0, max=MOST_GAMES),
    default=0,
    show_default=True,
    metavar="N",
    help="Games that it is based on.",
)
@from_option
@reason_option
@json_option
def initial_command(
    member: str,
    system: str,
    rating: float,
    games: float,
    effective: date | None,
    reason: str,
    *,
    as_json: bool,
) -> None:
    """Decide from which rating MEMBER, unrated in SYSTEM, starts there, in the place of Step 1.

    \b
    Examples:
      ratebook book adjust initial 90000012 regular --rating 1900 --games 10 --reason "rated 1900 in Germany"
    """
    adjustment = Adjustment(member, System(system), rating, effective or today())
    decide(lambda book, because: decide_initial(book, adjustment, games, because), reason, as_json=as_json)


@click.command("merge")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@reason_option
@json_option
def merge_command(old: str, new: str, reason: str, *, as_json: bool) -> None:
    """Say that two ids are one person: what OLD played counts for NEW, and the id OLD leads to NEW from now on.

    \b
    Examples:
      ratebook book merge 90000112 90000012 --reason "joined twice"
    """
    decide(lambda book, because: merge(book, old, new, because), reason, as_json=as_json)


@click.command("erase")
@member_argument
@reason_option
@click.option("--yes", is_flag=True, help="Do not ask; what is erased cannot be brought back.")
@json_option
def erase_command(member: str, reason: str, *, yes: bool, as_json: bool) -> None:
    """Remove the personal data of MEMBER: name, birth date, home. The ledger keeps its numbers under the id.

    Backups and exports that were made before still hold them.

    \b
    Examples:
      ratebook book erase 90000012 --reason "asked for by letter of November 3" --yes
    """
    if not yes:
        confirm(f"Remove name, birth date and home of member {member} for good?", f"member {member}")
    decide(lambda book, because: erase(book, member, because), reason, as_json=as_json)
