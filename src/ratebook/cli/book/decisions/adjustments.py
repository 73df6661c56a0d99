"""Commands that decide about members: floors, ceilings, initial ratings, two ids that are one, erasure."""

from datetime import date
from typing import Any

import click

from ratebook.book.connection import Book
from ratebook.cli.book.session import (
    Decision,
    ReasonType,
    book_place,
    confirm,
    decision_command,
    member_argument,
)
from ratebook.cli.options import SYSTEM, FiniteRange, WordOf, day_option, default_option, flag_option, today
from ratebook.cli.output import print_findings
from ratebook.model import FloorKind, System
from ratebook.office.decisions.marks import OPT_IN_WORD, Mark, decide_mark
from ratebook.office.decisions.members import HIGHEST, LOWEST, Adjustment, Prize, adjust, enter_prize
from ratebook.office.decisions.persons import MergeSide, merge, preview_merge
from ratebook.office.decisions.revision import DecisionResult, Reason
from ratebook.office.erasure.erase import erase
from ratebook.pages.columns import counted
from ratebook.rating.decisions import KINDS, RATING, DecisionKind

MOST_GAMES = 50
"""Games that an initial rating may be based on; no document knows more."""

_OPTIONS = {
    "floor_kind": default_option(
        "--kind",
        "floor_kind",
        type=WordOf(FloorKind),
        default=FloorKind.OFFICE.value,
        help="The kind of floor.",
    ),
    "games": default_option(
        "--games",
        type=FiniteRange(min=0, max=MOST_GAMES),
        default=0,
        metavar="N",
        help="Number of games that it is based on.",
    ),
    "approved_by": click.option("--approved-by", type=ReasonType(), metavar="NAME", help="Who approved it."),
    "national": flag_option("--national", help="It is decided from another national rating."),
}
"""The options of kinds that need more than a rating."""

_from_option = day_option("--from", "effective", help="First day on which it applies (default: today).")
_effective_option = day_option(
    "--effective", "effective", help="First day on which it is the rating (default: today)."
)


@click.group("adjust")
def adjust_group() -> None:
    """Adjust a rating; set or lift a floor, a ceiling, an initial rating or an opt-in; or enter a prize.

    It is a decision of the office and applies to sections that end on its day or later, an opt-in to events that begin
    after it. The consequences wait for ratebook book rerate.
    """


def _add_adjustment(word: str, kind: DecisionKind) -> None:
    """Add the command that makes decisions of one kind."""

    def run(
        member: str,
        system: System,
        rating: float | None,
        effective: date | None,
        *,
        lift: bool = False,
        **more: Any,  # noqa: ANN401 - what the options of the kind give
    ) -> Decision:
        if lift == (rating is not None):
            raise click.UsageError("Give either --rating or --lift.")
        adjustment = Adjustment(member, system, rating, effective or today(), **more)
        return lambda book, because: adjust(book, word, adjustment, because)

    bounds = FiniteRange(min=LOWEST, max=HIGHEST)
    lifting = flag_option("--lift", help="Lift what was set earlier.")
    run.__doc__ = f"{kind.help}\n\nExamples:" + "".join(
        f"\n  ratebook book adjust {word} {example}" for example in kind.examples
    )
    decision_command(
        word,
        member_argument,
        click.argument("system", type=SYSTEM),
        click.option("--rating", type=bounds, required=not kind.lifted, metavar="R", help="Rating points."),
        *([lifting] if kind.lifted else []),
        *(_OPTIONS[name] for name in (*kind.columns, *kind.details) if name in _OPTIONS),
        _effective_option if kind.number == RATING else _from_option,
        within=adjust_group,
    )(run)


def _add_mark(word: str, kind: DecisionKind) -> None:
    """Add the command that makes decisions of a kind that is a mark of the member."""
    opts_in = word == OPT_IN_WORD

    def run(member: str, day: date | None, *, lift: bool, approved_by: str | None = None) -> Decision:
        if opts_in and lift != bool(approved_by):
            raise click.UsageError("An opt-out needs an approval: --lift and --approved-by go together.")
        mark = Mark(member, word, day or today(), not lift, approved_by or "")
        return lambda book, because: decide_mark(book, mark, because)

    run.__doc__ = f"{kind.help}\n\nExamples:" + "".join(
        f"\n  ratebook book adjust {word} {example}" for example in kind.examples
    )
    approved = click.option(
        "--approved-by",
        type=ReasonType("An opt-out needs an approval; name who gave it."),
        metavar="NAME",
        help="Who allowed the opt-out.",
    )
    said = "on which the office received it, or on which it was approved" if opts_in else "of the FIDE list"
    decision_command(
        word,
        member_argument,
        flag_option("--lift", help="Withdraw the opt-in (an opt-out)." if opts_in else "Withdraw the flag."),
        *([approved] if opts_in else []),
        day_option("--received" if opts_in else "--from", "day", help=f"The day {said} (default: today)."),
        within=adjust_group,
    )(run)


for _word, _kind in KINDS.items():
    (_add_mark if _kind.mark else _add_adjustment)(_word, _kind)


@decision_command(
    "prize",
    member_argument,
    click.argument("system", type=SYSTEM),
    click.option("--amount", type=FiniteRange(min=1), required=True, metavar="DOLLARS", help="What was won."),
    click.option(
        "--limit",
        type=FiniteRange(min=LOWEST, max=HIGHEST),
        required=True,
        metavar="R",
        help="Upper limit of the section or prize: it was open to players rated below R.",
    ),
    day_option("--from", "won", help="Day on which it was won (default: today)."),
    within=adjust_group,
)
def prize_command(member: str, system: System, amount: float, limit: float, won: date | None) -> Decision:
    """Enter a cash prize of MEMBER in SYSTEM; the rules of its day make the floor.

    Examples:
      ratebook book adjust prize 90000012 regular --amount 4000 --limit 1800 --from 2026-07-05 --reason "World Open"
    """
    prize = Prize(member, system, amount, limit, won or today())
    return lambda book, because: enter_prize(book, prize, because)


@decision_command("merge")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@flag_option("--yes", help="Do not ask for confirmation.")
def merge_command(old: str, new: str, *, yes: bool) -> Decision:
    """Merge two ids of one person: games of OLD count for NEW, and the id OLD leads to NEW from now on.

    Both members are shown first, with what says that they are two persons; such warnings must be accepted with
    --accept, even with --yes. A merge can be undone with ratebook book undo and the number of its decision.

    Examples:
      ratebook book merge 90000112 90000012 --reason "joined twice" --dry-run
      ratebook book merge 90000112 90000012 --reason "joined twice"
    """

    def decision(book: Book, because: Reason) -> DecisionResult:
        if not yes and not book.dry_run:
            with book.reading() as connection:
                preview = preview_merge(connection, old, new)
            for side in (preview.old, preview.new):
                click.echo(_side_text(side), err=True)
            print_findings(preview.findings)
            confirm(f"Count all games of {old} for {new}?", f"members {old} and {new}")
        return merge(book, old, new, because)

    return decision


def _side_text(side: MergeSide) -> str:
    """Return one of the two members of a merge in a line."""
    person = ", ".join(part for part in (side.id, side.name or "(no name)", side.state) if part)
    days = f" from {side.first} to {side.last}" if side.first else ""
    ratings = f"; {', '.join(side.ratings)}" if side.ratings else "; unrated"
    return f"{person}: {counted(side.sections, 'rated section')}{days}{ratings}"


@decision_command("erase", member_argument)
@click.option(
    "--name",
    "names",
    multiple=True,
    type=ReasonType("Give a name as texts have it."),
    metavar="NAME",
    help="Another name by which texts call the person, such as a former one; repeatable.",
)
@flag_option("--yes", help="Do not ask for confirmation; erased data cannot be recovered.")
def erase_command(member: str, names: tuple[str, ...], *, yes: bool) -> Decision:
    """Remove the personal data of MEMBER everywhere; the ledger keeps its numbers under the id.

    Name, birth date, home and other facts go from the members, every version of every report, findings, texts of
    decisions and the web store beside the book. What is left is said; erase again to go on. Earlier backups and exports
    still contain them.

    Examples:
      ratebook book erase 90000012 --reason "asked for by letter of November 3" --yes
      ratebook book erase 90000012 --name "Ann Former" --reason "the former name, too" --yes
    """
    if not yes:
        confirm(f"Remove name, birth date and home of member {member} for good?", f"member {member}")

    def decision(book: Book, because: Reason) -> DecisionResult:
        from ratebook.cli.web.erasing import erased_beside  # noqa: PLC0415 - only here is the web store asked

        return erase(book, member, because, names=names, elsewhere=erased_beside(book_place()))

    return decision
