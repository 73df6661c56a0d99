"""An explanation as it is printed, read back and computed again from nothing but its page.

No formula comes from ``ratebook``: a figure that does not follow from the other figures and rules of the page, or that
the page does not have, fails. The special formula is solved by the second engine (``support.reference``), in fractions.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from examples.printed_pages import games_of
from support import reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from examples.printed_pages import Page, Step

POINTS = 2e-3
"""What the digits printed of opponents' ratings may move a rating by."""
CLOSE = 2e-5
"""What they may move an expected score by."""

FOREIGN_RATING = re.compile(r"FIDE rating of .* \(seat (?P<seat>\d+)\)")
SOURCES = (
    "OTB Regular",
    "OTB Quick",
    "OTB Blitz",
    "online Regular",
    "online Quick",
    "online Blitz",
    "FIDE",
    "CFC",
)
OFF = "off"


def near(value: float | str, expected: float, within: float, label: str) -> None:
    """Assert that a printed *value* is what was computed."""
    assert isinstance(value, float), f"{label} = {value}"
    assert value == expected or abs(value - expected) <= within, (
        f"{label}: {value} printed, {expected} computed"
    )


def check_page(page: Page) -> None:
    """Compute every figure of the page again, from others of the page."""
    start = page.step("Step 1")
    check_start(page, start)
    if "Result" in page.steps:
        return
    prior = check_effective_games(page, start)
    check_formula(page, start)
    for title, step in page.steps.items():
        if step.games:
            special = "score with earlier games (S')" in step.figures
            of_pass = 1.0 if title.startswith("Step 3") else prior
            if special:
                check_special_pass(page, step, of_pass)
            else:
                check_standard_pass(page, step, prior)
    check_foreign_conversion(page)
    check_result(page)


# Step 1


def converted_fide(page: Page, fide: float, kind: str = "fide_conversion") -> float:
    """A FIDE rating on the US scale, by the two straight lines of the page."""
    piece = "low" if fide <= page.rule(f"{kind}_knee") else "high"
    return page.rule(f"{kind}_{piece}_intercept") + page.rule(f"{kind}_{piece}_slope") * fide


def converted_cfc(page: Page, cfc: float) -> float:
    """A CFC rating on the US scale, by up to four straight lines of the page."""
    piece = 1
    while f"cfc_conversion_knee_{piece}" in page.rules:
        knee = page.rule(f"cfc_conversion_knee_{piece}")
        if cfc < knee or (cfc == knee and page.rule("cfc_conversion_knees_belong_below") == 1):
            break
        piece += 1
    return page.rule(f"cfc_conversion_intercept_{piece}") + page.rule(f"cfc_conversion_slope_{piece}") * cfc


def games_of_foreign(page: Page, kind: str, rating: float) -> float:
    """What a FIDE or CFC rating counts as."""
    return page.rule(
        f"{kind}_games_high" if rating > page.rule(f"{kind}_games_above") else f"{kind}_games_low"
    )


def rating_of_age(page: Page, age: float) -> float:
    """The age-based rating by the formula alone."""
    if "age_rating_plain_least_age" in page.rules and age < page.rule("age_rating_plain_least_age"):
        return page.rule("age_rating_plain_least")
    if age > page.rule("age_rating_most_age"):
        return page.rule("age_rating_adult")
    return page.rule("age_rating_offset") + page.rule("age_rating_slope") * age


def rating_by_age(page: Page, start: Step, days_before: float = 0.0) -> float:
    """The age-based rating some days before the end of the section, by what the page says of the age."""
    age = start.figures["age at the end of the section"]
    if isinstance(age, float):
        return rating_of_age(page, age - days_before / page.rule("days_per_year"))
    if age.startswith("more than"):
        return page.rule("age_rating_adult")
    as_adult = age != "not known" and page.rules["age_rating_too_young"] == "as-adult"
    if as_adult or start.figures["known to be an adult"] == "yes":
        return page.rule("age_rating_adult")
    return page.rule("age_rating_default")


def rating_of_source(page: Page, start: Step, source: str) -> float:
    """Another rating on the US scale."""
    rating = start.number(f"{source}: rating")
    if source == "FIDE":
        return converted_fide(page, rating)
    return converted_cfc(page, rating) if source == "CFC" else rating


def check_start(page: Page, start: Step) -> None:
    """Step 1: R0 and N."""
    if "decided the initial rating" in start.text or start.text == "  Rated before the section.":
        return
    if "sum of the weights (sum W)" in start.figures:
        rating, games = blended(page, start)
    elif "age at the end of the section" in start.figures:
        rating, games = rating_by_age(page, start), 0.0
    else:
        rating, games = by_clause(page, start)
    near(start.figures["rating before (R0)"], rating, POINTS, "R0")
    near(start.figures["games (N)"], games, 0.0, "N")


def by_clause(page: Page, start: Step) -> tuple[float, float]:
    """R0 and N by the one clause that the page cites."""
    cited = [(name, clause) for name, clause in page.rules.items() if name.startswith("initial_priority_")]
    ((name, clause),) = cited
    assert f"clause {name[-1]} of the list" in start.text
    (source,) = (one for one in SOURCES if f"{one}: rating" in start.figures)
    assert f"decides: the {source} rating" in start.text
    rating = rating_of_source(page, start, source)
    if clause in ("fide", "cfc"):
        return rating, games_of_foreign(page, str(clause), start.number(f"{source}: rating"))
    games = games_of(start, f"{source}: games (N)")
    if clause == "regular-established":
        assert games > page.rule("established_above_games")
        return rating, page.rule("initial_most_games")
    if clause == "regular-from-few-games":
        assert games >= page.rule("initial_least_games")
        return rating, min(games, page.rule("initial_most_games"))
    if clause == "quick-from-few-games":
        assert games >= page.rule("initial_least_games")
    return rating, page.rule("initial_most_games") if clause == "online-blitz-in-full" else 0.0


def blended(page: Page, start: Step) -> tuple[float, float]:
    """R0 and N of the blend, from the ratings, their ages and their games alone."""
    total = weighted = 0.0
    for source in SOURCES:
        if f"{source}: rating" not in start.figures:
            continue
        rating = rating_of_source(page, start, source)
        near(start.figures[f"{source}: rating on the US scale (X)"], rating, POINTS, "X")
        if source in ("FIDE", "CFC"):
            factor = games_of_foreign(page, source.lower(), start.number(f"{source}: rating"))
        else:
            key = source.lower().replace("otb ", "").replace(" ", "_")
            factor = min(page.rule(f"blend_factor_{key}"), games_of(start, f"{source}: games (N)"))
        near(start.figures[f"{source}: game factor (G)"], factor, 0.0, "G")
        days = start.number(f"{source}: days old (D)")
        by_age = rating_by_age(page, start, days)
        near(start.figures[f"{source}: age-based rating then (P)"], by_age, POINTS, "P")
        most = page.rule("blend_strength_most")
        strength = min(most, (rating - by_age) / page.rule("blend_strength_scale"))
        near(start.figures[f"{source}: strength for age (Z)"], strength, CLOSE, "Z")
        years = days / page.rule("days_per_year")
        staleness = math.exp(page.rule("blend_staleness_rate") * (strength - most) * years)
        near(start.figures[f"{source}: staleness factor (S)"], staleness, CLOSE, "S")
        near(start.figures[f"{source}: weight (W)"], factor * staleness, CLOSE, "W")
        total += factor * staleness
        weighted += factor * staleness * rating
    near(start.figures["sum of the weights (sum W)"], total, CLOSE, "sum W")
    games = min(page.rule("blend_most_games"), total)
    # The printed digits of an age may put a sum of weights on the wrong side of an integer; both are right then.
    either = {math.ceil(games - CLOSE), math.ceil(games + CLOSE), math.ceil(games)}
    games = next(iter(either & {int(start.number("games (N)"))}), math.ceil(games))
    rating = weighted / total
    return math.floor(rating + 0.5) if page.rules["blend_rounding"] == "nearest" else rating, max(1.0, games)


# Steps 2 to 5


def check_effective_games(page: Page, start: Step) -> float:
    """Step 2: N* and N'."""
    step = page.step("Step 2")
    rating, most = start.number("rating before (R0)"), page.rule("effective_games_most")
    if rating <= page.rule("effective_games_knee"):
        distance = page.rule("effective_games_centre") - rating
        most /= math.sqrt(
            page.rule("effective_games_constant") + page.rule("effective_games_slope") * distance**2
        )
    near(step.figures["most that the rating allows (N*)"], most, CLOSE, "N*")
    games = games_of(start, "games (N)")
    assert games_of(step, "games (N)") == games
    prior = step.number("effective games (N')")
    near(prior, min(games, most), CLOSE, "N'")
    return prior


def formula_of(page: Page) -> Step:
    """The step that says which formula rates the player."""
    return page.step("The formula" if "The formula" in page.steps else "Steps 4 and 5")


def check_formula(page: Page, start: Step) -> None:
    """The special formula rates few games and unbroken records, the standard formula the others."""
    formula = formula_of(page)
    few = games_of(start, "games (N)") <= page.rule("special_most_games")
    unbroken = "all games so far were" in formula.text
    assert ("Special formula" in formula.text) == (few or unbroken)
    assert ("Standard formula" in formula.text) == (not few and not unbroken)
    (played,) = {len(step.games) for step in page.steps.values() if step.games}
    near(formula.figures["rated games (m)"], float(played), 0.0, "m")


def result_of(step: Step) -> float:
    """The figure that ends a pass."""
    (name,) = (name for name in step.figures if name.startswith("rating after"))
    return step.number(name)


def check_special_pass(page: Page, step: Step, prior: float) -> None:
    """A pass by the special formula: S', R0', both sides of the equation, and the root in fractions."""
    rating = page.step("Step 1").number("rating before (R0)")
    score = sum(game.score for game in step.games)
    near(step.figures["score (S)"], score, 0.0, "S")
    near(step.figures["effective games (N')"], prior, CLOSE, "N'")
    formula = formula_of(page).text
    record, centre, target = reference.MIXED, rating, score + prior / 2
    if "all games so far were wins" in formula:
        record, target = reference.WINS, score + prior
        centre -= page.rule("special_unbroken_shift")
    elif "all games so far were losses" in formula:
        record, target = reference.LOSSES, score
        centre += page.rule("special_unbroken_shift")
    near(step.figures["centre of earlier games (R0')"], centre, POINTS, "R0'")
    near(step.figures["score with earlier games (S')"], target, CLOSE, "S'")
    result, reach = result_of(step), page.rule("special_reach")

    def expectancy(opponent: float) -> float:
        return min(1.0, max(0.0, 0.5 + (result - opponent) / (2 * reach)))

    for game in step.games:
        near(game.expected, expectancy(game.faced), CLOSE, f"expected against seat {game.seat}")
    expected = sum(game.expected for game in step.games)
    near(step.figures["expected score (E)"], expected, CLOSE * len(step.games), "E")
    near(
        step.figures["expected of earlier games (N' PWe(R, R0'))"],
        prior * expectancy(centre),
        CLOSE,
        "N' PWe",
    )
    total = step.number("expected score (E)") + step.number("expected of earlier games (N' PWe(R, R0'))")
    near(step.figures["expected with earlier games"], total, CLOSE, "E with earlier games")
    if "where the result is held" in step.text:
        assert result == page.rule("absolute_floor")
        assert total > target
    elif "to which the result is cut" in step.text:
        assert result == page.rule("special_ceiling")
        assert total < target
    else:
        near(total, target, CLOSE * (1 + len(step.games)), "E and S' do not balance")
    assert (reach, page.rule("special_ceiling")) == (400, 2700)
    faced = [game.faced for game in step.games]
    root = reference.special(rating, prior, record, faced, score)
    near(result, max(page.rule("absolute_floor"), root), POINTS, "the special rating")


def k_of_page(page: Page, rating: float, prior: float, played: int) -> float:
    """K, from the rules that the page cites and the words that it says."""
    text = formula_of(page).text
    if "Half K" in text:
        return page.rule("half_k_numerator") / (prior + page.rule("half_k_game_weight") * played)
    numerator = page.rule("k_numerator")
    if "Reduced K" in text:
        assert rating > page.rule("reduced_k_above")
        if rating >= page.rule("reduced_k_least_from"):
            numerator = page.rule("reduced_k_least_numerator")
        else:
            numerator *= page.rule("reduced_k_intercept") - page.rule("reduced_k_slope") * rating
    elif "reduced_k_above" in page.rules:
        assert rating <= page.rule("reduced_k_above")
    return numerator / (prior + played)


def bonus_of_page(page: Page, step: Step, change: float) -> float:
    """The bonus of a pass."""
    formula = formula_of(page)
    if "matches earn none" in formula.text:
        return 0.0
    played = len(step.games)
    meetings = formula.number("most games against one opponent")
    assert meetings >= max(Counter(game.seat for game in step.games).values())
    counted = max(float(played), page.rule("bonus_least_counted_games"))
    near(formula.figures["games counted for the bonus (m')"], counted, 0.0, "m'")
    threshold = page.rule("bonus_multiplier") * math.sqrt(counted)
    near(formula.figures["bonus threshold (B sqrt(m'))"], threshold, CLOSE, "the threshold")
    least, most = page.rule("bonus_eligibility_least_games"), page.rule("bonus_eligibility_most_meetings")
    if played == least:
        most = page.rule("bonus_eligibility_most_meetings_at_least_games")
    if played < least or meetings > most:
        assert "No bonus" in formula.text
        return 0.0
    return max(0.0, change - threshold)


def check_standard_pass(page: Page, step: Step, prior: float) -> None:
    """A pass by the standard formula: every expected score, their sum, K (S - E), the bonus, the result."""
    rating = page.step("Step 1").number("rating before (R0)")
    formula = formula_of(page)
    k = k_of_page(page, rating, prior, len(step.games))
    near(formula.figures["K"], k, CLOSE, "K")
    score = sum(game.score for game in step.games)
    near(step.figures["score (S)"], score, 0.0, "S")
    for game in step.games:
        power = 10.0 ** ((game.faced - rating) / page.rule("logistic_scale"))
        near(game.expected, 1 / (1 + power), CLOSE, f"expected against seat {game.seat}")
    expected = sum(game.expected for game in step.games)
    near(step.figures["expected score (E)"], expected, CLOSE * len(step.games), "E")
    change = k * (score - step.number("expected score (E)"))
    near(step.figures["K (S - E)"], change, POINTS, "K (S - E)")
    bonus = bonus_of_page(page, step, change)
    near(step.figures.get("bonus", 0.0), bonus, POINTS, "the bonus")
    total = rating + change + bonus
    assert ("where the result is held" in step.text) == (total < page.rule("absolute_floor") - POINTS) or (
        abs(total - page.rule("absolute_floor")) <= POINTS
    )
    near(result_of(step), max(page.rule("absolute_floor"), total), POINTS, "the standard rating")


def check_foreign_conversion(page: Page) -> None:
    """The one pass of a foreign FIDE event: opponents at their FIDE ratings, converted."""
    for step in page.steps.values():
        fide = {
            int(found["seat"]): step.number(name)
            for name in step.figures
            if (found := FOREIGN_RATING.fullmatch(name))
        }
        if fide:
            youth = "youth" in step.text
            kind = "fide_youth_conversion" if youth else "fide_conversion"
            for game in step.games:
                near(game.faced, converted_fide(page, fide[game.seat], kind), 1e-4, "a converted rating")


# Floors, ceiling and result


def check_result(page: Page) -> None:
    """The last step: limits of matches, stored precision, every floor, the request, the ceiling, N after."""
    step = page.step("Floors")
    last = [one for one in page.steps.values() if one.games][-1]
    before = page.step("Step 1").number("rating before (R0)")
    rating = result_of(last)
    if "Match limits" in step.text:
        change = limited(page, step, rating - before)
        near(step.figures["rating after match limits"], before + change, POINTS, "the limited rating")
        assert ("is cut" in step.text) == (step.number("rating after match limits") != rating)
        rating = step.number("rating after match limits")
    if "rating as stored" in step.figures:
        stored = step.number("rating as stored")
        assert stored == math.floor(stored)
        assert abs(stored - rating) < 1.0
        assert abs(stored - rating) < POINTS or abs(stored - before) > abs(rating - before)
        rating = stored
    floors = dict(floors_of_page(page, step))
    floor = max(floors.values())
    near(step.figures["highest floor in force"], floor, 0.0, "the highest floor")
    if "granted the floor request" in step.text:
        assert rating < floor
        floor = max(page.rule("absolute_floor"), floor - page.rule("match_floor_drop"))
        near(step.figures["new floor"], floor, 0.0, "the new floor")
        assert ("Held at the new floor" in step.text) == (rating < floor)
    else:
        held = [word for word in ("Held at the", "Raised to the") if word in step.text]
        assert bool(held) == (rating < floor), step.text
        if held and len([one for one in floors.values() if one == floor]) == 1:
            (kind,) = (kind for kind, one in floors.items() if one == floor)
            assert f"{held[0]} {kind.partition(':')[0]}" in step.text
        if "No floor was reached." in step.text:
            assert rating > page.rule("absolute_floor")
    rating = max(rating, floor)
    if "ceiling" in step.figures:
        first = "Step 1: rating before the section" not in page.steps
        cut = first and page.rule("ceiling_cuts_first_ratings") == 1
        rating = min(rating, step.number("ceiling") if cut else max(step.number("ceiling"), before))
    near(step.figures["rating after"], rating, 0.0, "the rating after")
    games = games_of(page.step("Step 1"), "games (N)")
    weight = page.rule("half_k_game_weight") if "half-K section" in step.text else 1.0
    games += weight * len(last.games)
    assert games_of(step, "games after (N)") == games
    if abs(rating % 1 - 0.5) > CLOSE:
        near(step.figures["displayed"], math.floor(rating + 0.5), 0.0, "the displayed rating")
    assert (step.figures["established"] == "yes") == (games > page.rule("established_above_games"))


def limited(page: Page, step: Step, change: float) -> float:
    """The change that a match may make."""
    size, sign = abs(change), math.copysign(1.0, change)
    if "match_change" in page.rules and page.rules["match_change"] != OFF:
        size = min(size, page.rule("match_change"))
    for window in ("short", "long"):
        if f"match_net_{window}_points" in page.rules:
            earlier = step.number(f"earlier match changes in the {window} window")
            size = min(size, page.rule(f"match_net_{window}_points") - sign * earlier)
    return sign * max(0.0, size)


def counted(step: Step, beginning: str) -> float | None:
    """Return the figure whose name has this *beginning*, known or "at least"; None where there is none."""
    return next((step.number(name) for name in step.figures if name.startswith(beginning)), None)


def floors_of_page(page: Page, step: Step) -> Iterator[tuple[str, float]]:
    """Yield every floor in force, computed from counts, peak and rules."""
    near(step.figures["absolute floor"], page.rule("absolute_floor"), 0.0, "the absolute floor")
    yield "absolute floor", page.rule("absolute_floor")
    wins = counted(step, "wins")
    if wins is not None:
        draws, sections = counted(step, "draws"), counted(step, "long sections")
        assert draws is not None
        assert sections is not None
        personal = page.rule("absolute_floor") + page.rule("personal_floor_win") * wins
        personal += page.rule("personal_floor_draw") * draws + page.rule("personal_floor_section") * sections
        personal = min(personal, page.rule("personal_floor_most"))
        near(step.figures["personal floor"], personal, 0.0, "the personal floor")
        yield "personal floor", personal
    else:
        assert isinstance(step.figures["personal floor"], str)
    peak = counted(step, "highest established rating before")
    if peak is not None:
        base, size = math.floor(peak + 0.5) - page.rule("peak_floor_drop"), page.rule("peak_floor_step")
        floor = base // size * size
        if floor >= page.rule("peak_floor_lowest"):
            floor = min(floor, page.rule("peak_floor_highest"))
            near(step.figures["peak floor"], floor, 0.0, "the peak floor")
            yield "peak floor", floor
        else:
            assert isinstance(step.figures["peak floor"], str)
    else:
        assert isinstance(step.figures["peak floor"], str)
    lowered = counted(step, "lowered floor")
    if lowered is not None:
        yield "lowered floor", lowered
    games = counted(step, "games from")
    if games is not None and games >= page.rule("olm_floor_games"):
        near(step.figures["original Life Master floor"], page.rule("olm_floor_level"), 0.0, "the OLM floor")
        if lowered is None or lowered < page.rule("olm_floor_level") - page.rule("match_floor_drop"):
            yield "original Life Master floor", page.rule("olm_floor_level")
    else:
        assert isinstance(step.figures["original Life Master floor"], str)
    for name in step.figures:
        if name.startswith("entered by the office: "):
            yield f"floor entered by the office: {name}", step.number(name)
