"""Rating floors: absolute, personal, peak, original Life Master, money, lowered by a match.

A floor of ``NO_FLOOR`` is one that is not in force for the player. Counts and peaks that are unknown are negative.
"""

import math

from ratebook.model import FloorKind
from ratebook.rating.formulas import compilable, rounded
from ratebook.rules.in_force import RulesInForce

NO_FLOOR = -1.0
UNKNOWN = -1.0

LEVEL = 100
LEVELS = {
    FloorKind.MONEY: (100, 2_000),
    FloorKind.OLM: (2_200, 2_200),
    FloorKind.LOWERED: (100, 2_100),
    FloorKind.OFFICE: (1_200, 2_100),
}
"""By kind of entered floor: the lowest and highest multiple of ``LEVEL`` that a rule could have given."""

ABSOLUTE = 0
PERSONAL = 1
PEAK = 2
LOWERED = 3
OLM = 4
ENTERED = 5


def is_level(kind: FloorKind, floor: float) -> bool:
    """Return whether a rule could have given an entered floor of a kind.

    >>> [is_level(FloorKind.MONEY, floor) for floor in (1800.0, 1850.0, 2000.0, 2100.0)]
    [True, False, True, False]
    """
    lowest, highest = LEVELS[kind]
    return lowest <= floor <= highest and floor % LEVEL == 0


def levels_text(kind: FloorKind) -> str:
    """Return in words which floors of a kind a rule could have given.

    >>> levels_text(FloorKind.MONEY), levels_text(FloorKind.OLM)
    ('a multiple of 100 from 100 to 2000', '2200')
    """
    lowest, highest = LEVELS[kind]
    return f"{lowest}" if lowest == highest else f"a multiple of {LEVEL} from {lowest} to {highest}"


@compilable
def personal_floor(rules: RulesInForce, wins: float, draws: float, long_sections: float) -> float:
    """Return AF, the personal absolute floor, from counts that include the section just rated.

    AF = min(100 + 4 wins + 2 draws + long sections, 150); since August 2008, over the board.

    A long section has at least three rated games. Where a count is unknown (negative), there is no personal floor.

    Source: D25 section 5; docs/rules/readings.md#absolute-floor.

    >>> from ratebook.rules.rulebook import rules_on
    >>> personal_floor(rules_on("2024-06-01"), 3, 1, 10)
    124.0
    """
    if rules.personal_floor_most < 0.0 or wins < 0.0 or draws < 0.0 or long_sections < 0.0:
        return NO_FLOOR
    floor = (
        rules.absolute_floor
        + rules.personal_floor_win * wins
        + rules.personal_floor_draw * draws
        + rules.personal_floor_section * long_sections
    )
    return floor if floor < rules.personal_floor_most else rules.personal_floor_most


@compilable
def peak_floor(rules: RulesInForce, peak: float) -> float:
    """Return the floor from the highest established post-event rating in the system (negative: unknown, or none).

    round(peak) - 200, down to a multiple of 100, within 1200..2100 (1400..2100 before April 2010).

    Source: D25 section 5; A01; docs/rules/readings.md#peak-floors.

    >>> from ratebook.rules.rulebook import rules_on
    >>> [peak_floor(rules_on("2024-06-01"), peak) for peak in (1941.0, 1999.51, 1388.0, 2899.0)]
    [1700.0, 1800.0, -1.0, 2100.0]
    """
    lowest, highest = rules.peak_floor_lowest, rules.peak_floor_highest
    if lowest < 0.0 or peak < 0.0:
        return NO_FLOOR
    floor = (
        math.floor((rounded(peak) - rules.peak_floor_drop) / rules.peak_floor_step) * rules.peak_floor_step
    )
    # Which of the three it is follows no pattern: both limits are read before, so that nothing has to be guessed.
    at_most = floor if floor < highest else highest
    return NO_FLOOR if floor < lowest else at_most


@compilable
def olm_floor(rules: RulesInForce, games: float) -> float:
    """Return the floor of an original Life Master: 2200 after 300 games from an established 2200 or more.

    *games* are such games, those of the section just rated included; negative: unknown.

    Source: D25 section 5; docs/rules/readings.md#olm-floor.
    """
    if rules.olm_floor_level < 0.0 or games < rules.olm_floor_games:
        return NO_FLOOR
    return rules.olm_floor_level


def money_floor(rules: RulesInForce, amount: float, prize_limit: float) -> float | None:
    """Return the floor that a large prize sets, from the rating *prize_limit* that the prize was open below.

    The first 100-point level, at most 2000, at which the player is no longer eligible; None where the prize was not
    limited to under 2000 or lower, or its *amount* in dollars was too small.

    Source: D25 section 5; docs/rules/readings.md#money-floors.

    >>> from ratebook.rules.rulebook import rules_on
    >>> [money_floor(rules_on("2024-06-01"), 4000, limit) for limit in (1800, 1850, 2000, 2200)]
    [1800.0, 1900.0, 2000.0, None]
    """
    if amount < rules.money_floor_prize or prize_limit > rules.money_floor_highest:
        return None
    return math.ceil(prize_limit / rules.money_floor_step) * rules.money_floor_step
