"""The five steps over the columns of one section.

The games of all players follow one another: those of player i are from ``first_game[i]`` up to ``first_game[i + 1]``,
in the order of rounds, so that the seats' numbers change no result. A game appears once for each side that has it
rated. Each step reads what the step before wrote for all players. The columns that are filled are the workings from
which an explanation is rendered.
"""

from collections.abc import MutableSequence
from typing import NamedTuple

from ratebook.rating.formulas import (
    bonus_threshold,
    compilable,
    expected_of_strengths,
    has_plain_k,
    k_factor,
    most_effective_games,
    plain_k,
    provisional_expected_score,
    strength,
)
from ratebook.rating.special import MIXED, sort_ramps, special_rating
from ratebook.rules.in_force import BEFORE, RulesInForce

NOT_RATED = 0
SPECIAL = 1
STANDARD = 2


class SectionColumns(NamedTuple):
    """The columns of one section in one system.

    Attributes:
        rating: R0, pre-event or Step 1 rating, one a player.
        games: N of that rating (infinite: established, number unknown).
        age: in years at the section's end, for a K that depends on it; negative: unknown, or not asked for.
        newcomer: 1 for players without a pre-event rating whom Step 1 gives N = 0.
        record: of all earlier rated games: mixed, all wins or all losses (``special.MIXED`` ...).
        several_seats: 1 for players with more than one seat; which of two games of a round comes first is then chance.
        first_game: index of each player's first game, and one more value at the end.
        opponent: index of the opponent, one a game and side.
        score: 1, 0.5 or 0, one a game and side.
        most_games: N*.
        effective_games: N' = min(N, N*).
        total_score: S.
        most_meetings: how often the player met one opponent at most.
        bonus_eligible: 1 where a bonus may be earned.
        formula: ``NOT_RATED``, ``SPECIAL`` or ``STANDARD``.
        k, change, bonus_threshold, bonus: K, K (S - E), B sqrt(max(m, 4)) and the bonus of Step 5 (standard formula).
        expected: E of Step 5; for the special formula the sum of PWe at the result.
        step3: for newcomers the result of Step 3; for others R0. It is what Step 4 uses for opponents.
        step4, step5: results of these steps, not below 100.
        expectancy3, expectancy4, expectancy5: expected score of each game in these steps.
        own_strength: R0 as a strength (``formulas.strength``).
        faced_strength: the same of the rating that opponents of the player face in the step at hand.
        met: scratch, zeros, one a player.
        ramps: scratch, as long as the most games of one player.
    """

    rating: MutableSequence[float]
    games: MutableSequence[float]
    age: MutableSequence[float]
    newcomer: MutableSequence[int]
    record: MutableSequence[int]
    several_seats: MutableSequence[int]
    first_game: MutableSequence[int]
    opponent: MutableSequence[int]
    score: MutableSequence[float]
    most_games: MutableSequence[float]
    effective_games: MutableSequence[float]
    total_score: MutableSequence[float]
    most_meetings: MutableSequence[int]
    bonus_eligible: MutableSequence[int]
    formula: MutableSequence[int]
    k: MutableSequence[float]
    expected: MutableSequence[float]
    change: MutableSequence[float]
    bonus_threshold: MutableSequence[float]
    bonus: MutableSequence[float]
    step3: MutableSequence[float]
    step4: MutableSequence[float]
    step5: MutableSequence[float]
    expectancy3: MutableSequence[float]
    expectancy4: MutableSequence[float]
    expectancy5: MutableSequence[float]
    own_strength: MutableSequence[float]
    faced_strength: MutableSequence[float]
    met: MutableSequence[int]
    ramps: MutableSequence[float]


@compilable
def most_meetings(columns: SectionColumns, player: int) -> int:
    """Return how often *player* met the same opponent at most (rated games of the section)."""
    met = columns.met
    opponent = columns.opponent
    first = columns.first_game[player]
    last = columns.first_game[player + 1]
    most = 0
    for game in range(first, last):
        times = met[opponent[game]] + 1
        met[opponent[game]] = times
        if times > most:
            most = times
    for game in range(first, last):
        met[opponent[game]] = 0
    return most


@compilable
def bonus_eligible(rules: RulesInForce, played: int, meetings: int) -> int:
    """Return 1 where a player with *played* games, at most *meetings* against one opponent, may earn a bonus.

    m >= 3 and no one met more than twice; since 2025 with m = 3 no one more than once.

    Source: D25 and J15 section 4.2; docs/rules/readings.md#a8.
    """
    if rules.bonus_multiplier < 0.0 or played < rules.bonus_eligibility_least_games:
        return 0
    most = rules.bonus_eligibility_most_meetings
    if played == rules.bonus_eligibility_least_games:
        most = rules.bonus_eligibility_most_meetings_at_least_games
    return 1 if meetings <= most else 0


@compilable
def prepare_players(
    rules: RulesInForce, half_k: int, dual_rated: int, no_bonus: int, columns: SectionColumns
) -> None:
    """Step 2, and what Steps 4 and 5 have in common: N', S, K, the formula, eligibility for the bonus.

    Source: D25 section 1, Steps 2 and 4; section 7 (no bonus in matches).
    """
    for player in range(len(columns.rating)):
        first = columns.first_game[player]
        last = columns.first_game[player + 1]
        played = last - first
        rating = columns.rating[player]
        columns.step3[player] = rating
        columns.step4[player] = rating
        columns.step5[player] = rating
        columns.bonus_eligible[player] = 0
        columns.own_strength[player] = strength(rules, rating)
        if played == 0:
            columns.formula[player] = NOT_RATED
            continue
        total = 0.0
        for game in range(first, last):
            total += columns.score[game]
        columns.total_score[player] = total
        games = columns.games[player]
        most_games = most_effective_games(rules, rating)
        prior_games = games if games < most_games else most_games
        columns.most_games[player] = most_games
        columns.effective_games[player] = prior_games
        has_special = rules.special_most_games >= 0.0
        if has_special and (games <= rules.special_most_games or columns.record[player] != MIXED):
            columns.formula[player] = SPECIAL
        else:
            columns.formula[player] = STANDARD
            if has_plain_k(rules):
                columns.k[player] = plain_k(rules, rating, games, columns.age[player], played)
            else:
                columns.k[player] = k_factor(rules, rating, prior_games, played, half_k, dual_rated)
            meetings = most_meetings(columns, player)
            columns.most_meetings[player] = meetings
            columns.bonus_threshold[player] = bonus_threshold(rules, played)
            if not no_bonus:
                columns.bonus_eligible[player] = bonus_eligible(rules, played, meetings)


@compilable
def add_by_size(columns: SectionColumns, player: int, expectancy: MutableSequence[float]) -> float:
    """Return the sum of a player's expectancies, the smallest first, so that the order of games changes no bit."""
    first = columns.first_game[player]
    count = columns.first_game[player + 1] - first
    ramps = columns.ramps
    for game in range(count):
        ramps[game] = expectancy[first + game]
    sort_ramps(ramps, count)
    total = 0.0
    for game in range(count):
        total += ramps[game]
    return total


@compilable
def rate_by_special(
    rules: RulesInForce,
    columns: SectionColumns,
    player: int,
    prior_games: float,
    faced: MutableSequence[float],
    expectancy: MutableSequence[float],
) -> float:
    """Return the special rating of *player* against opponents rated *faced*, not below 100."""
    first = columns.first_game[player]
    last = columns.first_game[player + 1]
    opponent = columns.opponent
    ramps = columns.ramps
    for game in range(first, last):
        ramps[game - first] = faced[opponent[game]]
    if columns.several_seats[player]:
        sort_ramps(ramps, last - first)
    rating = special_rating(
        rules,
        columns.rating[player],
        prior_games,
        columns.record[player],
        columns.total_score[player],
        ramps,
        last - first,
    )
    if rating < rules.absolute_floor:
        rating = rules.absolute_floor
    expected = 0.0
    for game in range(first, last):
        from_game = provisional_expected_score(rules, rating, faced[opponent[game]])
        expectancy[game] = from_game
        expected += from_game
    if columns.several_seats[player]:
        expected = add_by_size(columns, player, expectancy)
    columns.expected[player] = expected
    return rating


@compilable
def find_strengths(rules: RulesInForce, columns: SectionColumns, faced: MutableSequence[float]) -> None:
    """Fill the strengths that opponents face: one power for each player whose rating is not R0 any more."""
    for player in range(len(columns.rating)):
        if faced[player] == columns.rating[player]:
            columns.faced_strength[player] = columns.own_strength[player]
        else:
            columns.faced_strength[player] = strength(rules, faced[player])


@compilable
def rate_by_standard(
    rules: RulesInForce, columns: SectionColumns, player: int, expectancy: MutableSequence[float]
) -> float:
    """Return the standard rating of *player* against opponents of the strengths faced, not below 100.

    Rs = R0 + K (S - E) + max(0, K (S - E) - B sqrt(max(m, 4))), the last term for those eligible.

    Source: D25 section 4.2.
    """
    first = columns.first_game[player]
    last = columns.first_game[player + 1]
    opponent = columns.opponent
    faced_strength = columns.faced_strength
    own = columns.rating[player]
    own_strength = columns.own_strength[player]
    expected = 0.0
    for game in range(first, last):
        from_game = expected_of_strengths(rules, own_strength, faced_strength[opponent[game]])
        expectancy[game] = from_game
        expected += from_game
    if columns.several_seats[player]:
        expected = add_by_size(columns, player, expectancy)
    columns.expected[player] = expected
    change = columns.k[player] * (columns.total_score[player] - expected)
    columns.change[player] = change
    bonus = 0.0
    if columns.bonus_eligible[player] and change > columns.bonus_threshold[player]:
        bonus = change - columns.bonus_threshold[player]
    columns.bonus[player] = bonus
    rating = own + change + bonus
    # A result that is not a number (from absurd what-if values) must not look like a rating at the floor.
    return rules.absolute_floor if rating < rules.absolute_floor else rating


@compilable
def rate_all(
    rules: RulesInForce,
    columns: SectionColumns,
    faced: MutableSequence[float],
    result: MutableSequence[float],
    expectancy: MutableSequence[float],
) -> None:
    """Fill *result* with each player's rating against opponents rated *faced* (the body of Steps 4 and 5)."""
    find_strengths(rules, columns, faced)
    for player in range(len(columns.rating)):
        if columns.formula[player] == STANDARD:
            result[player] = rate_by_standard(rules, columns, player, expectancy)
        elif columns.formula[player] == SPECIAL:
            result[player] = rate_by_special(
                rules, columns, player, columns.effective_games[player], faced, expectancy
            )


@compilable
def rate_newcomers(rules: RulesInForce, columns: SectionColumns) -> None:
    """Step 3: fill the ratings at which opponents face players without a pre-event rating.

    Source: D25 section 1, Step 3.
    """
    for player in range(len(columns.rating)):
        if (
            columns.newcomer[player]
            and rules.special_most_games >= 0.0
            and columns.formula[player] != NOT_RATED
        ):
            columns.step3[player] = rate_by_special(
                rules, columns, player, rules.newcomer_effective_games, columns.rating, columns.expectancy3
            )


@compilable
def rate_in_five_steps(
    rules: RulesInForce, half_k: int, dual_rated: int, no_bonus: int, columns: SectionColumns
) -> None:
    """Rate a section whose Step 1 is done: Steps 2 to 5.

    Args:
        rules: the rules in force for the section and system.
        half_k: 1 for a half-K section.
        dual_rated: 1 where the section is also rated in OTB Quick (it matters to OTB Regular only).
        no_bonus: 1 for matches.
        columns: input and workings; the ratings after the section are in ``step5``.

    Source: D25 section 1; docs/rules/readings.md#1-the-algorithm.
    """
    prepare_players(rules, half_k, dual_rated, no_bonus, columns)
    rate_newcomers(rules, columns)
    if rules.opponent_ratings == BEFORE:
        for player in range(len(columns.rating)):
            columns.step4[player] = columns.step3[player]
    else:
        rate_all(rules, columns, columns.step3, columns.step4, columns.expectancy4)
    rate_all(rules, columns, columns.step4, columns.step5, columns.expectancy5)


@compilable
def rate_in_one_pass(rules: RulesInForce, half_k: int, dual_rated: int, columns: SectionColumns) -> None:
    """Rate against opponents whose ratings are fixed (foreign FIDE events): one pass, with bonus.

    Source: D25 section 6.
    """
    prepare_players(rules, half_k, dual_rated, 0, columns)
    rate_all(rules, columns, columns.rating, columns.step5, columns.expectancy5)
