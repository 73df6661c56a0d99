"""The command for Glicko as on FICS."""

import re
from functools import partial
from typing import NamedTuple

import click

from ratebook.calculators.fics_glicko import (
    FICS_GROWTH,
    LARGEST_DEVIATION,
    FicsRating,
    RatedGame,
    deviation_after_time,
    intervals,
    probability_stronger,
    rate_both,
)
from ratebook.cli.command import command, option
from ratebook.cli.options import FiniteRange
from ratebook.cli.output import TextTable
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.findings import Place, finding
from ratebook.model import SCORES
from ratebook.pages.columns import Column, Columns

NUMBER = r"(\d{1,%d}(?:\.\d{1,6})?)"
GAME = re.compile(rf"([WDL]){NUMBER % 4}/{NUMBER % 3}(?:\+{NUMBER % 8})?(?:@{NUMBER % 8})?", re.ASCII)
PLAYER = re.compile(rf"{NUMBER % 4}/{NUMBER % 3}", re.ASCII)


class GivenGame(NamedTuple):
    """A game as it was typed; minutes that each side has not played for, None where not given."""

    score: float
    opponent: FicsRating
    opponent_idle: float
    idle: float | None


def parsed_game(text: str) -> GivenGame:
    """Return the game that *text* says, as ``W1400/30``, ``L1600/80@1440`` or ``L1600/80+43200@1440``."""
    match = GAME.fullmatch(text.upper())
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write a letter, rating/RD and perhaps +minutes or @minutes, e.g. W1400/30+1440@60."
        )
    letter, rating, deviation, opponent_idle, idle = match.groups()
    opponent = FicsRating(float(rating), float(deviation))
    return GivenGame(SCORES[letter], opponent, float(opponent_idle or 0), float(idle) if idle else None)


class BothSides(NamedTuple):
    """What one game made of both players."""

    own: RatedGame
    opponent: RatedGame


GAMES: Columns[BothSides] = (
    Column("Opponent", lambda game: player_text(game.own.opponent), "right"),
    Column("Score", "own.score", "right", "g"),
    Column("RD before", "own.before.deviation", "right", ".4f"),
    Column("Expected", "own.expected_score", "right", ".6f"),
    Column("K", "own.k_factor", "right", ".4f"),
    Column("Rating", "own.after.rating", "right", ".4f"),
    Column("RD", "own.after.deviation", "right", ".4f"),
    Column("Opponent's K", "opponent.k_factor", "right", ".4f"),
    Column("Opponent's rating", "opponent.after.rating", "right", ".4f"),
    Column("Opponent's RD", "opponent.after.deviation", "right", ".4f"),
)


def player_text(player: FicsRating) -> str:
    """Return rating and RD as they are typed.

    >>> player_text(FicsRating(1400, 30.25))
    '1400/30.25'
    """
    return f"{player.rating:g}/{player.deviation:g}"


def side_as_json(game: RatedGame) -> dict[str, object]:
    """Return what a game made of one side."""
    return {"before": game.before, "expected": game.expected_score, "k": game.k_factor, "after": game.after}


number_option = partial(option, type_=FiniteRange(), show_default=True)


@command("glicko", json_option)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@number_option("--rating", "Rating before (FICS newcomer: 1720).", default=1720.0)
@number_option("--rd", "Rating deviation before.", default=350.0)
@option(
    "--idle",
    "Minutes from the previous game to the first GAME, or until now; instead of @ at the first GAME.",
    FiniteRange(),
)
@number_option(
    "--c",
    "Growth constant c, with t in minutes.",
    name="growth",
    default=FICS_GROWTH,
    show_default="1.483 squared",
)
@option("--against RATING/RD", "Print the probability that the true rating exceeds this player's.")
def glicko_command(
    games: tuple[str, ...], rating: float, rd: float, idle: float | None, growth: float, against: str | None
) -> None:
    """Update a Glicko rating game by game as FICS did in 1995 (Ratings Committee report, appendix B).

    GAME is a letter, then the opponent's rating and RD, and perhaps + with the minutes since the opponent's previous
    game, and @ with the minutes since your own: W1400/30, L1600/80@1440, L1600/80+43200@1440. An RD grows once over
    these minutes, before the game is rated. The same steps are done for the opponent of each game.

    Examples:
      ratebook glicko W1720/350
      ratebook glicko --rating 1500 --rd 200 W1400/30+1440 D1550/60@120
      ratebook glicko --rating 1800 --rd 60 --idle 43200 --against 1750/80
    """
    parsed = [parsed_game(text) for text in games]
    if idle is not None and parsed and parsed[0].idle is not None:
        raise click.UsageError("--idle and @ at the first GAME mean the same; give one of them.")
    try:
        player = FicsRating(rating, deviation_after_time(rd, idle or 0.0, growth=growth))
        played: list[BothSides] = []
        for game in parsed:
            player = aged(player, game.idle or 0.0, growth)
            opponent = aged(game.opponent, game.opponent_idle, growth)
            played.append(BothSides(*rate_both(player, opponent, game.score)))
            player = played[-1].own.after
        ranges = intervals(player)
        stronger = None if against is None else probability_stronger(player, parsed_player(against))
    except ValueError as failure:
        fail_with("value-wrong.glicko", Place(subject="glicko"), failure=str(failure))
    cut = [("--rd", rd), *((text, game.opponent.deviation) for text, game in zip(games, parsed, strict=True))]
    findings = [
        finding(
            "deviation-cut",
            Place(option=option),
            deviation=f"{deviation:g}",
            largest=f"{LARGEST_DEVIATION:g}",
        )
        for option, deviation in cut
        if deviation > LARGEST_DEVIATION
    ]
    shown: list[TextTable | str] = [table("Games", GAMES, played)] if played else []
    shown.append(f"Rating {player.rating:.4f}, RD {player.deviation:.4f}")
    shown += (
        f"  true rating within {interval.low:.0f} to {interval.high:.0f}"
        f" ({interval.deviations} RD) with probability about {interval.probability:g}"
        for interval in ranges
    )
    if stronger is not None:
        shown.append(f"Probability that the true rating exceeds {against}: {stronger:.4f}")
    content = {
        "rating": player.rating,
        "rd": player.deviation,
        "games": [
            {
                "opponent": game.own.opponent,
                "score": game.own.score,
                **side_as_json(game.own),
                "opponent_side": side_as_json(game.opponent),
            }
            for game in played
        ],
        "intervals": ranges,
        "probability_stronger": stronger,
    }
    show("glicko", content, *shown, findings=findings)


def aged(player: FicsRating, minutes: float, growth: float) -> FicsRating:
    """Return a player who has not played for some minutes."""
    return FicsRating(player.rating, deviation_after_time(player.deviation, minutes, growth=growth))


def parsed_player(text: str) -> FicsRating:
    """Return a player from ``RATING/RD``."""
    match = PLAYER.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r}: write rating/RD, e.g. 1750/80.", param_hint="--against")
    return FicsRating(float(match.group(1)), float(match.group(2)))
