"""The special rating formula, solved exactly: the rating at which the expected score equals the score made.

The documents describe an iteration. What it finds is a root of a sum of straight ramps,

    f(R) = N' PWe(R, R0') + sum of PWe(R, Ri) - S',

each ramp rising from 0 to 1 between 400 points below and 400 above its centre. Sorted by their centres, the ramps open
and close in that same order, so one walk over at most 2 (m + 1) knots finds the piece that holds the root, and a
closed form gives the root on it. Where f is zero on a whole interval, the root nearest to R0 is taken
(docs/rules/readings.md#a1: the documents' closed-form first estimate is not equivalent there). Which ramps are open is
counted, never tested with |M - Ri| <= 400, which floats fail for one rating in nine (docs/rules/readings.md#a2).
"""

import math
from collections.abc import MutableSequence

from ratebook.rating.formulas import compilable, provisional_expected_score
from ratebook.rules.in_force import RulesInForce

MIXED = 0
ALL_WINS = 1
ALL_LOSSES = 2

NOT_FOUND = -math.inf
MOST_GUESSES = 6
"""Pieces that `root_nearby` looks at; nearly always two or three are enough."""


@compilable
def sort_ramps(centres: MutableSequence[float], count: int) -> None:
    """Sort the first *count* centres in place, ascending (Shell's method: quick for few, bounded for thousands)."""
    gap = 1
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for position in range(gap, count):
            value = centres[position]
            place = position
            while place >= gap and centres[place - gap] > value:
                centres[place] = centres[place - gap]
                place -= gap
            centres[place] = value
        gap //= 3


@compilable
def root_nearby(
    rules: RulesInForce,
    centres: MutableSequence[float],
    count: int,
    own_centre: float,
    own_weight: float,
    target: float,
    guess: float,
) -> float:
    """Return the root of f, found from a *guess* piece by piece, where one piece alone holds it; else ``NOT_FOUND``.

    Between two knots f is a straight line. Where the root of the line at the guess lies between its two knots, farther
    from both than the tolerance, it is the only root of f: neither the way to it nor flat pieces matter. Otherwise it
    is the next guess.

    Args:
        rules: gives the reach of a ramp (400 points) and the tolerance.
        centres: opponents' ratings in any order.
        count: number of games, m >= 0.
        own_centre: R0', the centre of the ramp of the games before the event.
        own_weight: N', the weight of that ramp; 0 leaves it out.
        target: S', between 0 and N' + m.
        guess: a rating to begin with.

    Source: J15, N15 and D25 section 4.1, read as docs/rules/readings.md#a1.
    """
    reach = rules.special_reach
    for _ in range(MOST_GUESSES):
        weight = 0.0
        closed = 0.0
        open_centres = 0.0
        left = -math.inf
        right = math.inf
        if own_weight > 0.0:
            if guess < own_centre - reach:
                right = own_centre - reach
            elif guess < own_centre + reach:
                weight = own_weight
                open_centres = own_weight * own_centre
                left = own_centre - reach
                right = own_centre + reach
            else:
                closed = own_weight
                left = own_centre + reach
        for game in range(count):
            centre = centres[game]
            opens = centre - reach
            closes = centre + reach
            # Which ramps are open comes in no order: choosing values costs less than branches guessed wrongly.
            shut = guess < opens
            full = guess >= closes
            risen = 0.0 if shut or full else 1.0
            weight += risen
            open_centres += risen * centre
            closed += 1.0 if full else 0.0
            left = max(left, -math.inf if shut else closes if full else opens)
            right = min(right, math.inf if full else opens if shut else closes)
        if weight == 0.0:
            return NOT_FOUND
        root = ((target - closed - 0.5 * weight) * (2.0 * reach) + open_centres) / weight
        margin = rules.special_tolerance * (2.0 * reach) / weight
        if left + margin < root < right - margin:
            return root
        guess = root
    return NOT_FOUND


@compilable
def nearest_root(
    rules: RulesInForce,
    centres: MutableSequence[float],
    count: int,
    own_centre: float,
    own_weight: float,
    target: float,
    nearest_to: float,
) -> float:
    """Return the rating nearest to *nearest_to* at which the expected score is *target* (within 1e-7 of a game).

    The other arguments are those of `root_nearby`, with the first *count* centres sorted in ascending order.
    *nearest_to* is R0, which chooses among equally good ratings.

    Source: J15, N15 and D25 section 4.1, read as docs/rules/readings.md#a1.
    """
    reach = rules.special_reach
    tolerance = rules.special_tolerance
    slope_per_weight = 1.0 / (2.0 * reach)
    own_to_open = own_weight > 0.0
    own_to_close = own_to_open
    opening = 0
    closing = 0
    open_own = 0.0
    closed_own = 0.0
    open_centres = 0.0
    left = 0.0
    no_left = True
    root_so_far = 0.0
    has_root = False
    while True:
        next_is_own = False
        next_opens = False
        no_right = True
        right = 0.0
        if opening < count:
            right = centres[opening] - reach
            next_opens = True
            no_right = False
        if own_to_open and (no_right or own_centre - reach < right):
            right = own_centre - reach
            next_opens = True
            next_is_own = True
            no_right = False
        if closing < opening and (no_right or centres[closing] + reach < right):
            right = centres[closing] + reach
            next_opens = False
            next_is_own = False
            no_right = False
        if own_to_close and not own_to_open and (no_right or own_centre + reach < right):
            right = own_centre + reach
            next_opens = False
            next_is_own = True
            no_right = False

        closed = closing + closed_own
        open_games = opening - closing
        if open_games == 0 and open_own == 0.0:
            # A flat piece: every ramp is still shut or already full.
            open_centres = 0.0
            shortfall = closed - target
            if shortfall >= -tolerance:
                if shortfall > tolerance:
                    return root_so_far if has_root else left
                if not no_right and nearest_to > right:
                    return right
                if not no_left and nearest_to < left:
                    return left
                return nearest_to
            if no_right:
                # Unreachable while target <= N' + m; the last knot is the closest to a root.
                return left
        else:
            weight = open_games + open_own
            at_right = closed + 0.5 * weight + (weight * right - open_centres) * slope_per_weight - target
            if at_right >= 0.0 and not has_root:
                root = ((target - closed - 0.5 * weight) * (2.0 * reach) + open_centres) / weight
                if not no_left and root < left:
                    root = left
                if root > right:
                    root = right
                root_so_far = root
                has_root = True
            # As good as zero at the knot: a flat piece may begin there, then the whole of it is a root.
            if at_right > tolerance:
                return root_so_far

        left = right
        no_left = False
        if next_opens:
            if next_is_own:
                own_to_open = False
                open_own = own_weight
                open_centres += own_weight * own_centre
            else:
                open_centres += centres[opening]
                opening += 1
        elif next_is_own:
            own_to_close = False
            open_own = 0.0
            closed_own = own_weight
            open_centres -= own_weight * own_centre
        else:
            open_centres -= centres[closing]
            closing += 1


@compilable
def ramp_of_earlier_games(
    rules: RulesInForce, rating: float, prior_games: float, record: int, score: float
) -> tuple[float, float]:
    """Return R0', the centre of the ramp of the games before the event, and S', the score with those games.

    All wins so far: R0' = R0 - 400, S' = S + N'. All losses: R0' = R0 + 400, S' = S.
    Otherwise: R0' = R0, S' = S + N' / 2.

    Source: D25 section 4.1; docs/rules/readings.md#a3.

    >>> from ratebook.rules.rulebook import rules_on
    >>> ramp_of_earlier_games(rules_on("2024-06-01"), 1500.0, 6.0, ALL_WINS, 2.5)
    (1100.0, 8.5)
    """
    if record == ALL_WINS:
        return rating - rules.special_unbroken_shift, score + prior_games
    if record == ALL_LOSSES:
        return rating + rules.special_unbroken_shift, score
    return rating, score + 0.5 * prior_games


def expected_of_earlier_games(
    rules: RulesInForce, rating: float, own_centre: float, prior_games: float
) -> float:
    """Return N' PWe(R, R0'), what the games before the event contribute to the expected score at a *rating*.

    Source: D25 section 4.1.

    >>> from ratebook.rules.rulebook import rules_on
    >>> expected_of_earlier_games(rules_on("2024-06-01"), 1600.0, 1500.0, 6.0)
    3.75
    """
    return prior_games * provisional_expected_score(rules, rating, own_centre)


@compilable
def special_rating(
    rules: RulesInForce,
    rating: float,
    prior_games: float,
    record: int,
    score: float,
    opponents: MutableSequence[float],
    count: int,
) -> float:
    """Return the special rating of a player after *count* games, at most 2700.

    Args:
        rules: the rules of the section.
        rating: R0, the pre-event or Step 1 rating.
        prior_games: N', effective games.
        record: ``MIXED``, ``ALL_WINS`` or ``ALL_LOSSES`` of all earlier rated games.
        score: S, points out of *count* games.
        opponents: the opponents' ratings; scratch, it may be sorted in place.
        count: m.

    Source: D25 section 4.1; docs/rules/readings.md#a1, #a3.

    >>> from ratebook.rules.rulebook import rules_on
    >>> special_rating(rules_on("2024-06-01"), 1500.0, 6.0, MIXED, 1.5, [1400.0, 1550.0, 1650.0], 3)
    1511.111111111111
    """
    own_centre, target = ramp_of_earlier_games(rules, rating, prior_games, record, score)
    root = root_nearby(rules, opponents, count, own_centre, prior_games, target, rating)
    if root == NOT_FOUND:
        sort_ramps(opponents, count)
        root = nearest_root(rules, opponents, count, own_centre, prior_games, target, rating)
    # In exact numbers never needed: wins alone do not lower a rating, losses alone do not raise it (D25 section 4.1).
    if score >= count and root < rating:
        root = rating
    if score <= 0.0 and root > rating:
        root = rating
    return rules.special_ceiling if root > rules.special_ceiling else root
