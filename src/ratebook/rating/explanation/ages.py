"""A section rated from what is published, at both ends of what ages allow: what public explanations are made of.

No birth date, no decimal of a rating and nothing else that is private goes in, so that nothing of it can come out: two
federations that publish the same of a section have the same ends of it. Between the ends lies every rating that a step
can give, whatever the ages; `_widen` proves it.

Source: RULINGS R23; docs/rules/readings.md#initial-ratings-and-ages.
"""

import math
from collections.abc import Iterable, Mapping, MutableSequence
from datetime import date

from ratebook.model import InitialRating, PlayerFacts
from ratebook.rating import step1, steps
from ratebook.rating.columns import birth_day_of, gather_sources
from ratebook.rating.explanation.notes import depends_on_age
from ratebook.rating.explanation.parts import added_up
from ratebook.rating.formulas import NO_AGE, plain_k_part, rounded
from ratebook.rating.rate import rated_again, with_results
from ratebook.rating.results import RatedSection
from ratebook.rules.in_force import BEFORE, K_STEPS, NEAREST, RulesInForce


def rate_at_ends(rated: RatedSection) -> tuple[RatedSection, ...]:
    """Return a section rated with the lowest, and with the highest, first ratings that ages allow.

    It is rated once where no first rating rests on an age, else twice; `_widen` does Steps 4 and 5 once more where a
    rating that is blended from others moves with the age.

    Args:
        rated: who played whom, who was unrated, and on how many games their first ratings count, which is published.
    """
    end = float(rated.section.end.toordinal())
    published = {player: _published_facts(rated.rules, facts, end) for player, facts in rated.facts.items()}
    low, high = dict(published), dict(published)
    aged = [at for at in range(len(rated.players)) if depends_on_age(rated, at)]
    for at in aged:
        player, games = rated.players[at], rated.columns.games[at]
        lowest, highest = _first_ratings(rated, at, published[player])
        for facts, rating in ((low, lowest), (high, highest)):
            facts[player] = facts[player]._replace(initial={rated.system: InitialRating(rating, games)})
    if not aged:
        return (rated_from(rated, low),)
    ends = rated_from(rated, low), rated_from(rated, high)
    _widen(rated.rules, ends[0].columns, ends[1].columns)
    return ends


def rated_from(rated: RatedSection, facts: Mapping[str, PlayerFacts]) -> RatedSection:
    """Return a section rated once more, from other *facts*."""
    return with_results(rated_again(rated, facts))


def _published_facts(rules: RulesInForce, facts: PlayerFacts, end_day: float) -> PlayerFacts:
    """Return what anyone knows of a player: ratings in whole points, and of an age nothing but K."""
    ratings = {
        system: rating._replace(rating=rounded(rating.rating)) for system, rating in facts.ratings.items()
    }
    born = _birth_of_k(rules, birth_day_of(facts), end_day)
    return facts._replace(ratings=ratings, birth_date=born, adult=None)


def _birth_of_k(rules: RulesInForce, birth_day: float, end_day: float) -> date | None:
    """Return one birth date for all players to whose ages a table of K gives the same K, which is published."""
    age = step1.age_for_k(rules, birth_day, end_day)
    if age == NO_AGE:
        return None
    limits = (plain_k_part(rules, step)[-1] for step in range(1, K_STEPS + 1))
    reached = max((limit for limit in limits if 0.0 <= limit <= age), default=0.0)
    return date.fromordinal(math.floor(end_day - reached * rules.days_per_year))


def _first_ratings(rated: RatedSection, at: int, facts: PlayerFacts) -> tuple[float, float]:
    """Return the lowest and the highest rating that an unrated player could start from, of any age."""
    rules, end = rated.rules, float(rated.section.end.toordinal())
    if rated.sources[at] in {step1.SOURCE_AGE, step1.SOURCE_DEFAULT}:
        by_age = [step1.age_rating(rules, born, adult, end) for born, adult in births(rules, end)]
        return min(by_age), max(by_age)
    return blends(rules, facts, end)


def births(rules: RulesInForce, end_day: float) -> tuple[tuple[float, int], ...]:
    """Return birth days, with whether the player is known to be an adult, that give the extreme age-based ratings.

    The age-based rating does not fall with the age, and is constant from some age on: the youngest who is old enough,
    the oldest, and the constants where no birth date is known are the extremes, on every day.
    """
    youngest = math.floor(end_day - rules.age_rating_least_age * rules.days_per_year)
    return (float(youngest), 0), (0.0, 0), (step1.NO_BIRTH_DATE, 0), (step1.NO_BIRTH_DATE, 1)


def blends(rules: RulesInForce, facts: PlayerFacts, end_day: float) -> tuple[float, float]:
    """Return bounds of the rating that is blended from a player's other ratings, whatever the age.

    The age moves the weights alone. Each weight is monotone in the age-based rating, so that it is extreme where that
    is. A mean of ratings with weights between bounds is lowest where the lower ratings have their most weight and the
    others their least.
    """
    sources = gather_sources([facts], end_day)
    weights: list[list[float]] = []
    for born, adult in births(rules, end_day):
        sources.birth_day[0], sources.adult[0] = born, adult
        step1.blended_rating(rules, sources, 0, end_day)
        weights.append(list(sources.weight))
    used = sorted(
        (sources.converted[source], *_extremes(each[source] for each in weights))
        for source in range(step1.SOURCES)
        if sources.weight[source] > 0.0
    )
    means = []
    for heavy_from in range(len(used) + 1):
        for lower_heavy in (True, False):
            chosen = [
                (rating, most if (place < heavy_from) == lower_heavy else least)
                for place, (rating, least, most) in enumerate(used)
            ]
            total = added_up(weight for _, weight in chosen)
            means.append(added_up(rating * weight for rating, weight in chosen) / total)
    lowest, highest = _extremes(means)
    return (rounded(lowest), rounded(highest)) if rules.blend_rounding == NEAREST else (lowest, highest)


def _extremes(values: Iterable[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return ordered[0], ordered[-1]


def _widen(rules: RulesInForce, low: steps.SectionColumns, high: steps.SectionColumns) -> None:
    """Make Steps 4 and 5 of both ends bounds, where the rating that a player starts from moves and counts as games.

    Everything else is a bound already, however many first ratings move, together or one by one: no rating falls where
    another one rises. The special formula's equation, sum of PWe(R, Ri) + N' PWe(R, R0') = S', has the expected score
    rise with R and fall with R0' and Ri, so that its lowest and its highest root, and the root nearest to R0 between
    them, rise with R0 and Ri. By the standard formula of a player whose R0 is known, E falls with every Ri, so that
    K (S - E), the bonus, and their sum with R0 rise. So the end of all first ratings at their lowest is below, that of
    all at their highest above every other choice, in Step 3, then in Step 4, then in Step 5. Of newcomers N' is 0 in
    Steps 4 and 5; R0 only chooses among roots there.

    Where R0 itself moves and N' is not 0:

    * N', the smaller of N and N*, rises with R0, and K falls. By the special formula a larger N' draws R towards R0,
      from one side: R is extreme at an extreme N'. So both are tried.
    * By the standard formula, R0 + c + max(0, c - threshold) with c = K (S - E): c is lowest for the highest R0 against
      the lowest opponents, with an extreme K. The result there, less what R0 moves, is a lower bound; and so above.
    """
    moving = [
        at
        for at in range(len(low.rating))
        if low.rating[at] < high.rating[at] and not low.newcomer[at] and low.formula[at] != steps.NOT_RATED
    ]
    if not moving:
        return
    passes = (
        ((low.step3, high.step3), (low.step4, high.step4), (low.expectancy4, high.expectancy4)),
        ((low.step4, high.step4), (low.step5, high.step5), (low.expectancy5, high.expectancy5)),
    )
    for faced, results, expectancies in passes[1:] if rules.opponent_ratings == BEFORE else passes:
        steps.find_strengths(rules, high, faced[0])
        steps.find_strengths(rules, low, faced[1])
        bounds = [_bounds_of(rules, low, high, at, faced) for at in moving]
        steps.rate_all(rules, low, faced[0], results[0], expectancies[0])
        steps.rate_all(rules, high, faced[1], results[1], expectancies[1])
        for at, (lowest, highest) in zip(moving, bounds, strict=True):
            results[0][at], low.bonus[at] = lowest
            results[1][at], high.bonus[at] = highest


def _bounds_of(
    rules: RulesInForce,
    low: steps.SectionColumns,
    high: steps.SectionColumns,
    at: int,
    faced: tuple[MutableSequence[float], MutableSequence[float]],
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the lowest and the highest result and bonus of a player whose R0 moves, as `_widen` says.

    The strengths are those of the lowest opponents at the *high* end, and of the highest at the *low* one.
    """
    scratch = [0.0] * len(low.opponent)
    if low.formula[at] == steps.SPECIAL:
        games = low.effective_games[at], high.effective_games[at]
        lowest = min(steps.rate_by_special(rules, low, at, prior, faced[0], scratch) for prior in games)
        highest = max(steps.rate_by_special(rules, high, at, prior, faced[1], scratch) for prior in games)
        return (lowest, 0.0), (highest, 0.0)
    least: list[tuple[float, float]] = []
    most: list[tuple[float, float]] = []
    moved = high.rating[at] - low.rating[at]
    k_of_ends = low.k[at], high.k[at]
    for columns, by, bounds in ((high, -moved, least), (low, moved, most)):
        own = columns.k[at]
        for columns.k[at] in k_of_ends:
            result = steps.rate_by_standard(rules, columns, at, scratch) + by
            bounds.append((max(result, rules.absolute_floor), columns.bonus[at]))
        columns.k[at] = own
    return min(least), max(most)
