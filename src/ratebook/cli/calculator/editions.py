"""The older editions of the command that estimates: the report of 1995 and the approximation of 2001."""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from ratebook.calculators import approx2001, r1995
from ratebook.calculators.conversion1995 import (
    ConvertedRating,
    ForeignFederation,
    OpponentRule,
    assign_rating,
    convert_opponent,
)
from ratebook.calculators.games import Game
from ratebook.cli.options import FiniteRange
from ratebook.cli.show import fail_with

RESULT = re.compile(
    r"([WDL])(FIDE|CFC)?(\d{3,4}(?:\.\d{1,6})?)(?:P\d{1,2})?(?:#([\w.-]{1,30}))?(?:@(\d{1,3}))?",
    re.ASCII | re.IGNORECASE,
)
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}


class GivenResult(NamedTuple):
    """A result as it was typed: the game, and whose rating the opponent's is where not a US one."""

    game: Game
    foreign: ForeignFederation | None


def parsed_result(text: str) -> GivenResult:
    """Return the result that *text* says.

    W1400, W1400P5 (as printed; the games do not count here), L1600#anna (the same opponent), D1550@10 (the opponent's
    age), WFIDE2440 (a foreign rating).

    >>> parsed_result("W1400#x").game
    Game(opponent_rating=1400.0, score=1.0, opponent='x', opponent_age=None)
    """
    match = RESULT.fullmatch(text)
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write W, D or L and the opponent's rating, e.g. W1400.", param_hint="RESULT"
        )
    letter, federation, rating, opponent, age = match.groups()
    game = Game(float(rating), SCORES[letter.upper()], opponent, None if age is None else int(age))
    return GivenResult(game, None if federation is None else ForeignFederation(federation.lower()))


class Situation(NamedTuple):
    """The player and the section of an estimate."""

    rating: float | None
    games: float
    age: float | None
    record: str
    half_k: bool
    peak: float | None


class OlderOptions(NamedTuple):
    """What only the older editions ask for."""

    edition: str | None
    bonus: str
    prison: bool
    fide: float | None
    cfc: float | None
    opponents: str | None


older_options = (
    click.option(
        "--edition", type=click.Choice(["1995", "2001"]), help="An older calculator instead of the timeline."
    ),
    click.option(
        "--bonus",
        type=click.Choice(["10", "16"]),
        default="10",
        show_default=True,
        help="Bonus of edition 2001.",
    ),
    click.option(
        "--prison", is_flag=True, help="A prison membership (edition 1995): the floor is 200 lower."
    ),
    click.option(
        "--fide", type=FiniteRange(100, 3500), help="FIDE rating of an unrated player (edition 1995)."
    ),
    click.option(
        "--cfc", type=FiniteRange(100, 3500), help="CFC rating of an unrated player (edition 1995)."
    ),
    click.option(
        "--opponents",
        type=click.Choice([rule.value for rule in OpponentRule]),
        help="The rule for unrated opponents with a foreign rating, e.g. WFIDE2440 (default: 1995).",
    ),
)


TIMELINE = "the timeline"
READERS: Mapping[str, tuple[str, ...]] = {
    "on": (TIMELINE,),
    "settings": (TIMELINE,),
    "system": (TIMELINE,),
    "time_control": (TIMELINE,),
    "record": (TIMELINE,),
    "half_k": (TIMELINE, "2001"),
    "age": (TIMELINE, "1995"),
    "bonus": ("2001",),
    "prison": ("1995",),
    "fide": ("1995",),
    "cfc": ("1995",),
    "opponents": ("1995",),
}
"""Which calculators read an option of ``estimate``; one that is not here is read by all."""


def refuse_unread_options(edition: str | None, readers_of: Mapping[str, tuple[str, ...]]) -> None:
    """End with a usage error that names an option which the calculator of *edition* (None: the timeline) ignores."""
    context = click.get_current_context()
    for param in context.command.params:
        readers = readers_of.get(param.name or "", ())
        given = context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if given and readers and (edition or TIMELINE) not in readers:
            named = " or ".join(one if one == TIMELINE else f"--edition {one}" for one in readers)
            raise click.UsageError(f"{param.opts[0]} goes with {named}.")


def refuse_what_does_not_go_together(
    situation: Situation, older: OlderOptions, given: list[GivenResult]
) -> None:
    """End with a usage error where options contradict each other."""
    foreign = older.fide is not None or older.cfc is not None
    refuse_unread_options(older.edition, READERS)
    if older.edition != "1995" and any(result.foreign for result in given):
        raise click.UsageError("Results such as WFIDE2440 go with --edition 1995.")
    if foreign and situation.rating is not None:
        raise click.UsageError("--fide and --cfc are for a player without --rating.")
    if older.prison and situation.peak is None:
        raise click.UsageError("--prison goes with --peak, the highest rating.")


def by_2001(situation: Situation, given: list[Game], bonus: str) -> dict[str, Any]:
    """Return the figures of the 2001 approximating formulas."""
    count = 50.0 if math.isinf(situation.games) else situation.games
    figures: dict[str, Any]
    if situation.rating is None or approx2001.uses_special_formula(count):
        special = approx2001.rate_special(situation.rating, count, given)
        figures = {"edition": "2001, special", **special._asdict()}
    else:
        standard = approx2001.rate_standard(
            situation.rating,
            count,
            given,
            half_k=situation.half_k,
            bonus_multiplier=16 if bonus == "16" else 10,
        )
        figures = {
            "edition": "2001, standard",
            **standard._asdict(),
            "effective_games": standard.effective_games._asdict(),
        }
    if situation.peak is not None:
        floor = approx2001.peak_floor(situation.peak)
        figures |= with_floor(floor.floor, figures["rating_after"]) | {"highest_less_200": floor.reduced}
    return figures


def with_floor(floor: float, rating_after: float) -> dict[str, Any]:
    """Return the figures of a peak floor, and the rating that it may hold up."""
    return {"peak_floor": floor, "rating_after": max(rating_after, floor)}


def by_1995(situation: Situation, given: list[Game], older: OlderOptions) -> dict[str, Any]:
    """Return the figures of the 1995 edition; the scholastic K holds where an age is given."""
    converted = None
    if older.fide is not None or older.cfc is not None:
        converted = assign_rating(cfc=older.cfc, fide=older.fide)
    provisional = math.isfinite(situation.games) and r1995.is_provisional(situation.games)
    figures: dict[str, Any]
    if converted is not None:
        both = older.cfc is not None and older.fide is not None
        found = r1995.rate_converted(converted, given)
        figures = {
            "edition": "1995, provisional",
            "converted_from": foreign_text(converted) + ("; --fide is not used beside --cfc" if both else ""),
            **found._asdict(),
        }
    elif situation.rating is None or provisional:
        found = r1995.rate_provisional(situation.rating, situation.games, given)
        figures = {"edition": "1995, provisional", **found._asdict()}
    else:
        figures = established_of_1995(situation, situation.rating, given)
    if situation.peak is not None:
        floor = r1995.peak_floor(situation.peak, prison=older.prison)
        figures |= with_floor(floor, figures["rating_after"])
    return figures


def with_converted_opponents(
    results: list[GivenResult], situation: Situation, older: OlderOptions
) -> tuple[list[Game], dict[str, Any]]:
    """Return the games against opponents on the US scale, and what was converted; status 1 where none may be."""
    rule = OpponentRule(older.opponents or OpponentRule.OF_1995)
    rated = situation.rating is not None
    games, converted = [], []
    for game, federation in results:
        if federation is None:
            games.append(game)
            continue
        opponent = convert_opponent(federation, game.opponent_rating, player_rated=rated, rule=rule)
        if opponent is None:
            fail_with(
                "opponent-unrated",
                f"{federation.upper()} {game.opponent_rating:g}",
                federation=federation.upper(),
                rating=f"{game.opponent_rating:g}",
            )
        games.append(game._replace(opponent_rating=float(opponent.rating)))
        converted.append(foreign_text(opponent))
    return games, {"converted_opponents": converted} if converted else {}


def foreign_text(converted: ConvertedRating) -> str:
    """Return a converted rating in words.

    >>> foreign_text(assign_rating(cfc=1970))
    'CFC 1970 is 1958, provisional on 10 games'
    """
    kind = "as established" if converted.games is None else f"provisional on {converted.games} games"
    return f"{converted.federation.upper()} {converted.foreign_rating:g} is {converted.rating}, {kind}"


def established_of_1995(situation: Situation, rating: float, given: list[Game]) -> dict[str, Any]:
    """Return the figures of an established player of 1995."""
    scholastic = situation.age is not None or any(game.opponent_age is not None for game in given)
    established = r1995.rate_established(rating, given, age=situation.age, scholastic=scholastic)
    return {
        "edition": "1995, established",
        **established._asdict(),
        "stretches": [stretch._asdict() for stretch in established.stretches],
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
