"""The command that estimates a new rating from a few results, by the timeline or by an older edition."""

import math
from datetime import date
from typing import Any

import click

from ratebook.calculators import approx2001
from ratebook.calculators.conversion1995 import RatingOutOfRangeError
from ratebook.calculators.estimate import EstimatePlayer, LastGame, estimate_rating, last_game_worth
from ratebook.calculators.games import Game
from ratebook.cli.calculator.convert_rating import outside_table
from ratebook.cli.calculator.editions import (
    OlderOptions,
    Situation,
    by_1995,
    by_2001,
    older_options,
    parsed_result,
    refuse_what_does_not_go_together,
    with_converted_opponents,
)
from ratebook.cli.command import bundled, command
from ratebook.cli.options import (
    SYSTEM,
    FiniteRange,
    default_option,
    flag_option,
    on_option,
    rulebook_with,
    rules_known,
    set_option,
    today,
)
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Finding
from ratebook.formats.reading.sheets.figures import WrittenRating
from ratebook.model import System
from ratebook.pages.columns import number_text
from ratebook.rating.floors import NO_FLOOR, peak_floor
from ratebook.rating.formulas import rounded
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rating.step1 import age_rating
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timecontrol import check_schedule, parse_time_control, systems_for
from ratebook.titles.classes import rating_class

RECORDS = {"mixed": MIXED, "wins": ALL_WINS, "losses": ALL_LOSSES}


class PrintedRating(click.ParamType[WrittenRating]):
    """A rating as crosstables print it, such as 1500 or 1500P12."""

    name = "rating"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> WrittenRating:
        """Return the rating with its games, or end with a usage error."""
        points, _, games = str(value).upper().partition("P")
        if games and not (games.isascii() and games.isdecimal()):
            points = str(value)
        rating = FiniteRange(100, 3500).convert(points, param, ctx)
        return WrittenRating(rating, float(games) if games else None)


@command("estimate", on_option, set_option, json_option)
@click.argument("results", nargs=-1, required=True, metavar="RESULT...")
@click.option(
    "--rating",
    "before",
    type=PrintedRating(),
    help="Rating before, as 1500 or 1500P12 (from 100 to 3500); omit it for an unrated player.",
)
@click.option(
    "--games", type=FiniteRange(0, 100_000), help="N, the games that it is based on (default: established)."
)
@click.option("--age", type=FiniteRange(0, 120), help="Age in years (unrated players; scholastic K of 1995).")
@default_option(
    "--record", type=click.Choice(list(RECORDS)), default="mixed", help="Results of all games so far."
)
@flag_option("--half-k", help="Rate at half K (before March 2006).")
@click.option(
    "--time-control", metavar="TEXT", help='Time control, which decides the systems, e.g. "G/60;d5".'
)
@click.option(
    "--peak", type=FiniteRange(100, 3500), help="The highest established rating so far, for its floor."
)
@bundled("older", OlderOptions, *older_options)
@click.option("--system", type=SYSTEM, help="Rating system (default: by the time control, or regular).")
def estimate_command(
    results: tuple[str, ...],
    before: WrittenRating | None,
    games: float | None,
    age: float | None,
    record: str,
    time_control: str | None,
    peak: float | None,
    older: OlderOptions,
    system: System | None,
    on: date | None,
    settings: tuple[str, ...],
    *,
    half_k: bool,
) -> None:
    """Estimate a new rating: RESULT is W, D or L and the opponent's rating.

    The opponents' ratings are held fixed, so a published rating can differ a little. Mark games against
    the same opponent with #NAME (W1400#a D1400#a); give an opponent's age with @AGE for the
    scholastic K of 1995. An unrated opponent with a foreign rating is WFIDE2440 or WCFC1970 there;
    --opponents says by which rule it counts.

    Examples:
      ratebook estimate --rating 1500 --games 30 W1400 L1600 D1550
      ratebook estimate --age 9.5 W600 L900 W750 --time-control "G/30;d5"
      ratebook estimate --rating 1300 --games 45 W1250 W1400 W1500 D1550 --edition 2001
      ratebook estimate --rating 700 --age 10 W600 W750@9 W900 L1000 --edition 1995
      ratebook estimate --fide 2440 W2400 D2450 L2500 --edition 1995
      ratebook estimate --rating 1720 --peak 1941 L1500 L1600 --edition 2001
    """
    typed = [parsed_result(text) for text in results]
    rating, games = rating_and_games(before, games)
    situation = Situation(rating, math.inf if games is None else games, age, record, half_k, peak)
    refuse_what_does_not_go_together(situation, older, typed)
    if peak is not None and rating is None:
        raise click.UsageError("--peak goes with --rating: an unrated player has no highest rating.")
    if peak is not None and rating is not None and peak < rating:
        raise click.UsageError("--peak is the highest rating so far, so it cannot be below --rating.")
    try:
        given, converted = with_converted_opponents(typed, situation, older)
        if older.edition == "1995":
            found = by_1995(situation, given, older) | converted
        elif older.edition == "2001":
            found = by_2001(situation, given, older.bonus)
        else:
            rulebook = rulebook_with(settings, None)
            day = on or today()
            found = by_timeline(situation, given, rulebook, day, system, time_control)
    except RatingOutOfRangeError as outside:
        outside_table(outside)
    except (ArithmeticError, ValueError) as failure:
        fail_with("value-wrong.estimate-command", "estimate", failure=str(failure))
    performance = approx2001.performance_rating(
        [game.opponent_rating for game in given], [game.score for game in given]
    )
    found["class"] = rating_class(found["rating after" if older.edition is None else "rating_after"]).name
    found["performance rating"] = performance
    width = max(len(name) for name in found)
    shown = [f"{name.ljust(width)}  {figure_text(name, value)}" for name, value in found.items()]
    if older.edition is None:
        shown.insert(0, short_answer(found, len(typed), rated=rating is not None))
    content = {name.replace(" ", "_"): value for name, value in found.items()}
    show("estimate", content, *shown, findings=None)


def rating_and_games(before: WrittenRating | None, games: float | None) -> tuple[float | None, float | None]:
    """Return the rating before and its games (None: established), which may be said with the rating."""
    if before is None:
        if games:
            raise click.UsageError("--games goes with --rating; an unrated player has none.")
        return None, 0.0
    if before.games is None:
        return before.points, games
    if games is not None:
        raise click.UsageError("--games is said twice: leave it out, or the P of the rating.")
    return before


def short_answer(found: dict[str, Any], games: int, *, rated: bool) -> str:
    """Return the estimate in one sentence.

    >>> figures = {"displayed": 1503, "score": 1.5, "expected score": 1.4285, "rating before": 1500.0}
    >>> short_answer(figures, 3, rated=True)
    '1500 -> 1503 (+3): 1.5 of 3 against 1.43 expected.'
    """
    after, score, expected = found["displayed"], found["score"], found["expected score"]
    if not rated:
        return f"unrated -> {after:.0f}: {score:g} of {games}."
    before = rounded(found["rating before"])
    return f"{before:.0f} -> {after:.0f} ({after - before:+.0f}): {score:g} of {games} against {expected:.2f} expected."


def figure_text(name: str, value: Any) -> str:  # noqa: ANN401 - any value of that kind
    """Return the figure *name* of an estimate for people."""
    if name == "last game":
        return ", ".join(f"{rounded(rating):.0f} after a {result}" for result, rating in value.items())
    if name == "games after" and value is None:
        return "established"
    return value_text(value)


def value_text(value: Any) -> str:  # noqa: ANN401 - any value of that kind
    """Return a figure of an estimate for people."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {value_text(entry)}" for name, entry in value.items())
    if isinstance(value, list | tuple):
        return " ".join(value_text(entry) for entry in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number_text(value)


def by_timeline(
    situation: Situation,
    given: list[Game],
    rulebook: Rulebook,
    day: date,
    asked: System | None,
    time_control: str | None,
) -> dict[str, Any]:
    """Return the figures by the rules of *day*."""
    system, dual_rated = asked or System.REGULAR, False
    with rules_known():
        if time_control is not None:
            system, dual_rated = system_of(time_control, rulebook, day, system, asked=asked is not None)
        rules = rulebook.in_force(system, day)
    if not rules.system_exists:
        fail_with("system-not-rated.by-timeline", "--system", system=system, day=day)
    if situation.half_k and rules.half_k_numerator < 0:
        fail_with("half-k-not-allowed.estimate", "--half-k", day=day)
    rating = situation.rating
    before = initial_by_age(rules, situation.age) if rating is None else rating
    player = EstimatePlayer(
        before,
        situation.games,
        RECORDS[situation.record],
        half_k=situation.half_k,
        dual_rated=dual_rated and system is System.REGULAR,
    )
    found = estimate_rating(rules, player, given)
    worth = last_game_worth(rules, player, given)
    after = found.rating_after
    floor = NO_FLOOR if situation.peak is None else peak_floor(rules, situation.peak)
    if floor != NO_FLOOR:
        after = max(after, floor)
        worth = LastGame(*(max(rating, floor) for rating in worth))
    return {
        "rules of": day.isoformat(),
        "system": system.value,
        "rating before": before,
        "formula": found.formula,
        "effective games": found.effective_games,
        "score": found.score,
        "expectancies": list(found.expectancies),
        "expected score": found.expected,
        "k": found.k,
        "bonus multiplier": rules.bonus_multiplier,
        "bonus threshold": found.bonus_threshold,
        "bonus eligible": found.bonus_eligible,
        "bonus": found.bonus,
        **({} if situation.peak is None else {"peak floor": None if floor == NO_FLOOR else floor}),
        "rating after": after,
        "displayed": rounded(after),
        "games after": None if math.isinf(found.games_after) else found.games_after,
        "last game": worth._asdict(),
    }


def system_of(
    text: str, rulebook: Rulebook, day: date, system: System, *, asked: bool
) -> tuple[System, bool]:
    """Return the system that a time control chooses (the asked one where it is dual-rated), and whether it is dual."""
    time_control = parse_time_control(text, "--time-control")
    if isinstance(time_control, Finding):
        fail([time_control])
    systems = systems_for(rulebook, time_control, day, online=system.online)
    if not systems:
        where = "--time-control"
        if differ := check_schedule(rulebook, time_control, day, where, online=system.online):
            fail(differ)
        fail_with("time-control-not-ratable.estimate", where, text=text, total=time_control.total, day=day)
    if asked and system not in systems:
        fail_with(
            "system-not-rated.system-of", "--system", text=text, systems=" and ".join(systems), system=system
        )
    return (system if system in systems else systems[0]), len(systems) > 1


def initial_by_age(rules: RulesInForce, age: float | None) -> float:
    """Return the initial rating of an unrated player *age* years old (None: no birth date)."""
    if age is None:
        return age_rating(rules, -1.0, 0, 0.0)
    return age_rating(rules, 0.0, 0, age * rules.days_per_year)
