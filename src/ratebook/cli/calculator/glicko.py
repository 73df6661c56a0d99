"""The command for Glicko as on FICS."""

import re
from functools import partial

import click

from ratebook.calculators.fics_glicko import (
    FICS_GROWTH,
    Player,
    RatedGame,
    deviation_after_time,
    intervals,
    probability_stronger,
    rate_game,
)
from ratebook.cli.command import command
from ratebook.cli.options import FiniteRange, default_option
from ratebook.cli.output import TextTable
from ratebook.cli.show import fail_with, json_option, show, table
from ratebook.pages.columns import Column, Columns

SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}
GAME = re.compile(
    r"([WDL])(\d{1,4}(?:\.\d{1,6})?)/(\d{1,3}(?:\.\d{1,6})?)(?:@(\d{1,8}(?:\.\d{1,6})?))?", re.ASCII
)
PLAYER = re.compile(r"(\d{1,4}(?:\.\d{1,6})?)/(\d{1,3}(?:\.\d{1,6})?)", re.ASCII)


def parsed_game(text: str) -> tuple[float, Player, float]:
    """Return score, opponent and minutes since the game before, from ``W1400/30`` or ``L1600/80@1440``."""
    match = GAME.fullmatch(text.upper())
    if match is None:
        raise click.BadParameter(
            f"{text!r}: write a letter, rating/RD and perhaps @minutes, e.g. W1400/30@60."
        )
    letter, rating, deviation, minutes = match.groups()
    return SCORES[letter], Player(float(rating), float(deviation)), float(minutes or 0)


GAMES: Columns[RatedGame] = (
    Column("Opponent", lambda game: f"{game.opponent.rating:g}/{game.opponent.deviation:g}", "right"),
    Column("Score", "score", "right"),
    Column("Expected", lambda game: f"{game.expected_score:.6f}", "right"),
    Column("K", lambda game: f"{game.k_factor:.4f}", "right"),
    Column("Rating", lambda game: f"{game.after.rating:.4f}", "right"),
    Column("RD", lambda game: f"{game.after.deviation:.4f}", "right"),
)


number_option = partial(default_option, type=FiniteRange())


@command("glicko", json_option)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@number_option("--rating", default=1720.0, help="Rating before (FICS newcomer: 1720).")
@number_option("--rd", default=350.0, help="Rating deviation before.")
@number_option("--idle", default=0.0, help="Minutes since the last game.")
@number_option("--c", "growth", default=FICS_GROWTH, help="Growth constant c, with t in minutes.")
@click.option(
    "--against", metavar="RATING/RD", help="Print the probability that the true rating exceeds this player's."
)
def glicko_command(
    games: tuple[str, ...], rating: float, rd: float, idle: float, growth: float, against: str | None
) -> None:
    """Update a Glicko rating game by game as FICS did in 1995 (Ratings Committee report, appendix B).

    GAME is W, D or L, the opponent's rating and RD, and optionally the minutes since the previous game:
    W1400/30, L1600/80@1440.

    Examples:
      ratebook glicko W1720/350
      ratebook glicko --rating 1500 --rd 200 W1400/30
      ratebook glicko --rating 1800 --rd 60 --idle 43200 --against 1750/80
    """
    try:
        player = Player(rating, deviation_after_time(rd, idle, growth=growth))
        played: list[RatedGame] = []
        for text in games:
            score, opponent, minutes = parsed_game(text)
            if minutes:
                player = Player(player.rating, deviation_after_time(player.deviation, minutes, growth=growth))
            played.append(rate_game(player, opponent, score))
            player = played[-1].after
        ranges = intervals(player)
        stronger = None if against is None else probability_stronger(player, parsed_player(against))
    except ValueError as failure:
        fail_with("value-wrong.glicko-command", "glicko", failure=str(failure))
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
                "opponent": game.opponent,
                "score": game.score,
                "expected": game.expected_score,
                "k": game.k_factor,
                "after": game.after,
            }
            for game in played
        ],
        "intervals": ranges,
        "probability_stronger": stronger,
    }
    show("glicko", content, *shown, findings=None)


def parsed_player(text: str) -> Player:
    """Return a player from ``RATING/RD``."""
    match = PLAYER.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r}: write rating/RD, e.g. 1750/80.", param_hint="--against")
    return Player(float(match.group(1)), float(match.group(2)))
