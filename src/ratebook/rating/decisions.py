"""Decisions of the office about one member in one system: the one list of their kinds, and what each changes.

What the office has *entered* for a member in a system is a short row of numbers: the floors, in the order of
``FloorKind``, and the ceiling. An entry of ``KINDS`` says all that the book, the command line, the columns of a history
and the engines need to know of a kind; `take_effect` is the only place that follows decisions.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, NamedTuple

from ratebook.model import FloorKind
from ratebook.rating.floors import NO_FLOOR
from ratebook.rating.formulas import compilable
from ratebook.rating.settlement import NO_CEILING, SettlementColumns

if TYPE_CHECKING:
    from ratebook.rating.carry import Carry


FLOOR_KINDS = tuple(FloorKind)
"""What set a floor; the place here is the number of the kind, and the place of its floor in what is entered."""

MONEY_FLOOR = 0
OLM_FLOOR = 1
LOWERED_FLOOR = 2
OFFICE_FLOOR = 3
ENTERED_CEILING = 4
NOTHING_ENTERED = (NO_FLOOR, NO_FLOOR, NO_FLOOR, NO_FLOOR, NO_CEILING)

# Numbers of the kinds in the columns of a history.
FLOOR = 1
FLOOR_LIFTED = 2
CEILING = 3
CEILING_LIFTED = 4
INITIAL = 5
OPT_IN = 6
OPT_IN_LIFTED = 7
USA_FLAG = 8
USA_FLAG_LIFTED = 9


class DecisionKind(NamedTuple):
    """A kind of decision about a member in a system.

    Attributes:
        number: its number in the columns of a history.
        lifted: the number of the kind that lifts it, which is called ``...-lifted``; 0 where none does.
        columns: the columns of a history that it fills beside ``member``, ``system``, ``effective`` and ``kind``.
        carried: whether each section hands on what it changed, so that a balance or a standing contains all decisions
            up to its day; others hold by themselves from their day on.
        help: what the command does.
        examples: of the command, after its name.
        details: what else it says, which no column holds.
        mark: whether it says of the member something that foreign FIDE events read: it has no value, and its system is
            OTB Regular, which these events update.
    """

    number: int
    lifted: int
    columns: tuple[str, ...]
    carried: bool
    help: str
    examples: tuple[str, ...]
    details: tuple[str, ...] = ()
    mark: bool = False


KINDS = {
    "floor": DecisionKind(
        FLOOR,
        FLOOR_LIFTED,
        ("floor_kind", "value"),
        carried=True,
        help="Set a floor of MEMBER in SYSTEM, or lift the floors of that kind.",
        examples=(
            '90000012 regular --rating 1800 --kind money --reason "won 4,000 dollars"',
            '90000012 regular --lift --kind money --reason "the prize was paid back"',
        ),
    ),
    "ceiling": DecisionKind(
        CEILING,
        CEILING_LIFTED,
        ("value",),
        carried=False,
        help="Set or lift a ceiling, above which the rating of MEMBER in SYSTEM cannot rise.",
        examples=('90000012 regular --rating 2000 --reason "decision of the ethics committee"',),
    ),
    "initial": DecisionKind(
        INITIAL,
        0,
        ("value", "games"),
        carried=False,
        help="Set the rating from which MEMBER, unrated in SYSTEM, starts, instead of that of Step 1.",
        examples=('90000012 regular --rating 1900 --national --reason "rated 1900 in Germany"',),
        details=("national",),
    ),
    "opt-in": DecisionKind(
        OPT_IN,
        OPT_IN_LIFTED,
        (),
        carried=False,
        help="Let foreign FIDE events that begin after its day update the rating of MEMBER, or no more.",
        examples=(
            '90000012 --received 2026-11-03 --reason "letter of November 2"',
            '90000012 --lift --approved-by "A. Director" --reason "moved abroad"',
        ),
        mark=True,
    ),
    "usa-flag": DecisionKind(
        USA_FLAG,
        USA_FLAG_LIFTED,
        (),
        carried=False,
        help="Say from which FIDE list on MEMBER plays under the US flag, or no more.",
        examples=('90000012 --from 2026-11-01 --reason "FIDE list of November"',),
        mark=True,
    ),
}
"""The kinds by word: what the book and the command line call them."""

NUMBERS = {word: kind.number for word, kind in KINDS.items()} | {
    f"{word}-lifted": kind.lifted for word, kind in KINDS.items() if kind.lifted
}
"""The number of each kind that the book may hold, by its word there."""

CARRIED = tuple(number for kind in KINDS.values() if kind.carried for number in (kind.number, kind.lifted))


@compilable
def take_effect(
    carry: Carry, entered: MutableSequence[float], kind: int, floor_kind: int, value: float, games: float
) -> None:
    """Change what a member carries, and what is entered for the member, by one decision.

    *kind* is the number of the decision's kind, *floor_kind* the place of the kind of floor, *value* in rating points,
    and *games* N of an initial rating.
    """
    if kind == FLOOR:
        entered[floor_kind] = value
    elif kind == FLOOR_LIFTED:
        entered[floor_kind] = NO_FLOOR
    elif kind == CEILING:
        entered[ENTERED_CEILING] = value
    elif kind == CEILING_LIFTED:
        entered[ENTERED_CEILING] = NO_CEILING
    elif kind == INITIAL and not carry.known:
        carry.rating = value
        carry.games = games


@compilable
def mark_after(holds: int, kind: int, mark: int) -> int:
    """Return whether a *mark* (``OPT_IN`` or ``USA_FLAG``) holds after a decision, of a *kind*, if it *holds* before.

    A mark is asked for at a day: what follows all decisions before that day holds then.
    """
    if kind == mark:
        return 1
    return 0 if kind == mark + 1 else holds


@compilable
def gather_entered(entered: MutableSequence[float], settlement: SettlementColumns, at: int) -> None:
    """Fill what settles a rating from what is *entered* for a player."""
    settlement.lowered[at] = entered[LOWERED_FLOOR]
    highest = entered[MONEY_FLOOR]
    if entered[OLM_FLOOR] > highest:
        highest = entered[OLM_FLOOR]
    if entered[OFFICE_FLOOR] > highest:
        highest = entered[OFFICE_FLOOR]
    settlement.entered[at] = highest
    settlement.ceiling[at] = entered[ENTERED_CEILING]
