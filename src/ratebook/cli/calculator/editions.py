"""The older editions of the command that estimates: the report of 1995 and the approximation of 2001."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from ratebook.calculators.arithmetic import UNRATED, Game
from ratebook.calculators.conversion1995 import ForeignFederation, OpponentRule, convert_opponent
from ratebook.calculators.editions import OlderOptions, Situation, foreign_text
from ratebook.cli.options import FiniteRange
from ratebook.cli.show import fail_with
from ratebook.findings import Place
from ratebook.model import SCORES

RESULT = re.compile(
    r"(W(?:[IO]N)?|D(?:RAW|REW)?|L(?:OSS|OST)?)(?: ?(?:to|vs|against|with))? ?"
    r"(?:(?:UNR|NEW)|(FIDE|CFC)?(\d{3,4}(?:\.\d{1,6})?)(?:P\d{1,2})?)(?:#([\w.-]{1,30}))?(?:@(\d{1,3}))?",
    re.ASCII | re.IGNORECASE,
)


class GivenResult(NamedTuple):
    """A result as it was typed: the game, and whose rating the opponent's is where not a US one."""

    game: Game
    foreign: ForeignFederation | None


def parsed_result(text: str) -> GivenResult:
    """Return the result that *text* says.

    W1400, win 1400, W1400P5 (as printed; the games do not count here), L1600#anna (the same opponent), D1550@10 (the
    opponent's age), WFIDE2440 (a foreign rating), WUNR@10 (an unrated opponent).

    >>> parsed_result("W1400#x").game
    Game(opponent_rating=1400.0, score=1.0, opponent='x', opponent_age=None)
    """
    match = RESULT.fullmatch(text)
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write W, D or L and the opponent's rating, e.g. W1400, or WUNR.", param_hint="RESULT"
        )
    result, federation, rating, opponent, age = match.groups()
    points = UNRATED if rating is None else float(rating)
    game = Game(points, SCORES[result[0].upper()], opponent, None if age is None else int(age))
    return GivenResult(game, None if federation is None else ForeignFederation(federation.lower()))


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
        was_given = context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        if was_given and readers and (edition or TIMELINE) not in readers:
            named = " or ".join(reader if reader == TIMELINE else f"--edition {reader}" for reader in readers)
            raise click.UsageError(f"{param.opts[0]} goes with {named}.")


def refuse_what_does_not_go_together(
    situation: Situation, older: OlderOptions, results: list[GivenResult]
) -> None:
    """End with a usage error where options contradict each other."""
    foreign = older.fide is not None or older.cfc is not None
    refuse_unread_options(older.edition, READERS)
    if older.edition != "1995" and any(result.foreign for result in results):
        raise click.UsageError("Results such as WFIDE2440 go with --edition 1995.")
    if older.edition is not None and any(result.game.is_newcomer for result in results):
        raise click.UsageError("Results such as WUNR go with the timeline: older editions need a rating.")
    if foreign and situation.rating is not None:
        raise click.UsageError("--fide and --cfc are for a player without --rating.")
    if older.prison and situation.peak is None:
        raise click.UsageError("--prison goes with --peak, the highest rating.")


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
                Place(subject=f"{federation.upper()} {game.opponent_rating:g}"),
                federation=federation.upper(),
                rating=f"{game.opponent_rating:g}",
            )
        games.append(game._replace(opponent_rating=float(opponent.rating)))
        converted.append(foreign_text(opponent))
    return games, {"converted_opponents": converted} if converted else {}
