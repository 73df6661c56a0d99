"""Decisions of the office about one member in one system: the one list of their kinds, and what each changes.

What the office has *entered* for a member in a system is a short row of numbers: the floors, in the order of
``FloorKind``, and the ceiling. An entry of ``KINDS`` says all that the book, the command line, the columns of a history
and the engines need to know of a kind; `take_effect` is the only place that follows decisions.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, NamedTuple

from ratebook.model import Bound, FloorKind
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rating.formulas import compilable
from ratebook.rating.settlement import NO_CEILING, SettlementColumns

if TYPE_CHECKING:
    from ratebook.rating.carry import Carry
    from ratebook.rules.in_force import RulesInForce


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
RATING = 10

_PEAK_BOUND = int(Bound.PEAK)


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
        help="Set a floor for MEMBER in SYSTEM, or lift the floors of one kind.",
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
        help="Set a rating above which MEMBER cannot rise in SYSTEM, or lift it.",
        examples=('90000012 regular --rating 2000 --reason "decision of the ethics committee"',),
    ),
    "rating": DecisionKind(
        RATING,
        0,
        ("value",),
        carried=True,
        help="Give MEMBER a new rating in SYSTEM; sections that end on its first day or later start from it.",
        examples=('90000012 regular --rating 1850 --effective 2026-02-03 --reason "review of January"',),
        details=("approved_by",),
    ),
    "initial": DecisionKind(
        INITIAL,
        0,
        ("value", "games"),
        carried=False,
        help="Set the first rating of MEMBER in SYSTEM, in place of the one that Step 1 would give.",
        examples=('90000012 regular --rating 1900 --national --reason "rated 1900 in Germany"',),
        details=("national",),
    ),
    "opt-in": DecisionKind(
        OPT_IN,
        OPT_IN_LIFTED,
        (),
        carried=False,
        help="Let foreign FIDE events that begin after the day update the rating of MEMBER, or stop that.",
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
        help="Record that MEMBER plays under the US flag from a FIDE list on, or no longer does.",
        examples=('90000012 --from 2026-11-01 --reason "FIDE list of November"',),
        mark=True,
    ),
}
"""The kinds by word: what the book and the command line call them."""

NUMBERS = {word: kind.number for word, kind in KINDS.items()} | {
    f"{word}-lifted": kind.lifted for word, kind in KINDS.items() if kind.lifted
}
"""The number of each kind that the book may hold, by its word there."""

MOVING = ("rating", "floor")
"""The kinds, by word, whose decisions can move a rating."""

CARRIED = tuple(number for kind in KINDS.values() if kind.carried for number in (kind.number, kind.lifted))


@compilable
def attain(rules: RulesInForce, carry: Carry, entered: MutableSequence[float]) -> None:
    """Take a rating that a decision moved as the peak, if it is established and higher; it ends a lowered floor."""
    if carry.games <= rules.established_above_games or carry.peak < 0.0 or carry.rating <= carry.peak:
        return
    highest_known = not carry.at_least & _PEAK_BOUND
    if highest_known or peak_floor(rules, carry.rating) > entered[LOWERED_FLOOR] + rules.match_floor_drop:
        entered[LOWERED_FLOOR] = NO_FLOOR
    carry.peak = carry.rating


@compilable
def adjust_rating(rules: RulesInForce, carry: Carry, entered: MutableSequence[float], value: float) -> None:
    """Set a rating to *value*; N and counts stay.

    A value below the floor that the peak gave is one that the peak does not bind: it is the peak from then on.

    Source: D25 section 7; docs/rules/readings.md#adjusted-ratings.
    """
    carry.rating = value
    lowered = entered[LOWERED_FLOOR]
    floor = peak_floor(rules, carry.peak) if lowered == NO_FLOOR else lowered
    if carry.games > rules.established_above_games and value < floor:
        carry.peak = value
        carry.at_least = carry.at_least & ~_PEAK_BOUND
        entered[LOWERED_FLOOR] = NO_FLOOR
    else:
        attain(rules, carry, entered)


@compilable
def take_effect(
    rules: RulesInForce,
    carry: Carry,
    entered: MutableSequence[float],
    kind: int,
    floor_kind: int,
    value: float,
    games: float,
) -> int:
    """Change what a member carries, and what is entered for the member, by one decision.

    *rules* are those of its day, *kind* is the number of its kind, *floor_kind* the place of the kind of floor, *value*
    in rating points, and *games* N of an initial rating.

    Returns:
        1 where it is a rating of its own day that the member carries now.
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
    elif kind == RATING and carry.known:
        adjust_rating(rules, carry, entered, value)
        return 1
    return 0


@compilable
def highest_entered(entered: MutableSequence[float]) -> float:
    """Return the highest floor that the office entered, one lowered by a match aside."""
    highest = entered[MONEY_FLOOR]
    if entered[OLM_FLOOR] > highest:
        highest = entered[OLM_FLOOR]
    if entered[OFFICE_FLOOR] > highest:
        highest = entered[OFFICE_FLOOR]
    return highest


@compilable
def waits_to_raise(rules: RulesInForce, kind: int, floor_kind: int) -> int:
    """Return 1 where a rating that is still below the floor at the end of the decision's day rises to it then.

    Source: docs/rules/readings.md#money-floors.
    """
    return 1 if rules.entered_floors_raise == 1 and kind == FLOOR and floor_kind != LOWERED_FLOOR else 0


@compilable
def raise_to_floor(rules: RulesInForce, carry: Carry, entered: MutableSequence[float]) -> int:
    """Raise a rating to the highest floor that the office entered; N and counts stay.

    Returns:
        1 where it was below.
    """
    floor = highest_entered(entered)
    if not carry.known or carry.rating >= floor:
        return 0
    carry.rating = floor
    attain(rules, carry, entered)
    return 1


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
    settlement.entered[at] = highest_entered(entered)
    settlement.ceiling[at] = entered[ENTERED_CEILING]
