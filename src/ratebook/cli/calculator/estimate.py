"""The command that estimates a new rating from a few results, by the timeline or by an older edition."""

import math
import re
from datetime import date
from typing import Any, NamedTuple

import click

from ratebook.calculators import approx2001, r1995
from ratebook.calculators.estimate import EstimatePlayer, estimate_rating, last_game_worth
from ratebook.calculators.games import Game
from ratebook.cli.command import command
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
from ratebook.cli.output import number_text
from ratebook.cli.show import fail, fail_with, json_option, show
from ratebook.findings import Finding
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.rating.special import ALL_LOSSES, ALL_WINS, MIXED
from ratebook.rating.step1 import age_rating
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook
from ratebook.rules.timecontrol import check_schedule, parse_time_control, systems_for

RESULT = re.compile(
    r"([WDL])(\d{3,4}(?:\.\d{1,6})?)(?:#([\w.-]{1,30}))?(?:@(\d{1,3}))?", re.ASCII | re.IGNORECASE
)
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
RECORDS = {"mixed": MIXED, "wins": ALL_WINS, "losses": ALL_LOSSES}


def parsed_result(text: str) -> Game:
    """Return the result that *text* says: W1400, L1600#anna (the same opponent), D1550@10 (the opponent's age).

    >>> parsed_result("W1400#x")
    Game(opponent_rating=1400.0, score=1.0, opponent='x', opponent_age=None)
    """
    match = RESULT.fullmatch(text)
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write W, D or L and the opponent's rating, e.g. W1400.", param_hint="RESULT"
        )
    letter, rating, opponent, age = match.groups()
    return Game(float(rating), SCORES[letter.upper()], opponent, None if age is None else int(age))


class Situation(NamedTuple):
    """The player and the section of an estimate."""

    rating: float | None
    games: float
    age: float | None
    record: str
    half_k: bool


@command("estimate", on_option, set_option, json_option)
@click.argument("results", nargs=-1, required=True, metavar="RESULT...")
@click.option("--rating", type=FiniteRange(100, 3500), help="Rating before; omit it for an unrated player.")
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
    "--edition", type=click.Choice(["1995", "2001"]), help="Use an older calculator instead of the timeline."
)
@default_option(
    "--bonus", type=click.Choice(["10", "16"]), default="10", help="Bonus multiplier of edition 2001."
)
@click.option("--system", type=SYSTEM, help="Rating system (default: by the time control, or regular).")
def estimate_command(
    results: tuple[str, ...],
    rating: float | None,
    games: float | None,
    age: float | None,
    record: str,
    time_control: str | None,
    edition: str | None,
    bonus: str,
    system: System | None,
    on: date | None,
    settings: tuple[str, ...],
    *,
    half_k: bool,
) -> None:
    """Estimate a new rating: RESULT is W, D or L and the opponent's rating.

    The opponents' ratings are held fixed, so a published rating can differ a little. Mark games against
    the same opponent with #NAME (W1400#a D1400#a); give an opponent's age with @AGE for the
    scholastic K of 1995.

    Examples:
      ratebook estimate --rating 1500 --games 30 W1400 L1600 D1550
      ratebook estimate --age 9.5 W600 L900 W750 --time-control "G/30;d5"
      ratebook estimate --rating 1300 --games 45 W1250 W1400 W1500 D1550 --edition 2001
      ratebook estimate --rating 700 --age 10 W600 W750@9 W900 L1000 --edition 1995
    """
    given = [parsed_result(text) for text in results]
    if rating is None and games:
        raise click.UsageError("--games goes with --rating; an unrated player has none.")
    if edition and on is not None:
        raise click.UsageError("--edition is a calculator of its own time; --on goes with the timeline.")
    if rating is None:
        games = 0.0
    situation = Situation(rating, math.inf if games is None else games, age, record, half_k)
    try:
        if edition == "1995":
            found = by_1995(situation, given)
        elif edition == "2001":
            found = by_2001(situation, given, bonus)
        else:
            rulebook = rulebook_with(settings, None)
            day = on or today()
            found = by_timeline(situation, given, rulebook, day, system, time_control)
    except (ArithmeticError, ValueError) as failure:
        fail_with("value-wrong.estimate-command", "estimate", failure=str(failure))
    performance = approx2001.performance_rating(
        [game.opponent_rating for game in given], [game.score for game in given]
    )
    found["performance rating"] = performance
    width = max(len(name) for name in found)
    shown = (f"{name.ljust(width)}  {value_text(value)}" for name, value in found.items())
    content = {name.replace(" ", "_"): value for name, value in found.items()}
    show("estimate", content, *shown, findings=None)


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
        "rating after": found.rating_after,
        "displayed": rounded(found.rating_after),
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


def by_2001(situation: Situation, given: list[Game], bonus: str) -> dict[str, Any]:
    """Return the figures of the 2001 approximating formulas."""
    count = 50.0 if math.isinf(situation.games) else situation.games
    if situation.rating is None or approx2001.uses_special_formula(count):
        special = approx2001.rate_special(situation.rating, count, given)
        return {"edition": "2001, special", **special._asdict()}
    standard = approx2001.rate_standard(
        situation.rating, count, given, half_k=situation.half_k, bonus_multiplier=16 if bonus == "16" else 10
    )
    return {
        "edition": "2001, standard",
        **standard._asdict(),
        "effective_games": standard.effective_games._asdict(),
    }


def by_1995(situation: Situation, given: list[Game]) -> dict[str, Any]:
    """Return the figures of the 1995 edition; the scholastic K holds where an age is given."""
    provisional = math.isfinite(situation.games) and r1995.is_provisional(situation.games)
    if situation.rating is None or provisional:
        found = r1995.rate_provisional(situation.rating, situation.games, given)
        return {"edition": "1995, provisional", **found._asdict()}
    scholastic = situation.age is not None or any(game.opponent_age is not None for game in given)
    established = r1995.rate_established(situation.rating, given, age=situation.age, scholastic=scholastic)
    return {
        "edition": "1995, established",
        **established._asdict(),
        "games": [
            {
                "opponent": game.game.opponent_rating,
                "k": game.k_factor,
                "expected": game.expected_score,
                "change": game.change,
            }
            for game in established.games
        ],
    }
