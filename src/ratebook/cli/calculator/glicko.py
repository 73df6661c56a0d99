"""The command for Glicko as on FICS."""

from __future__ import annotations

import re

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
from ratebook.cli.options import FiniteRange, json_option
from ratebook.cli.output import Table, fail, print_json, print_table
from ratebook.findings import finding

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


@click.command("glicko")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--rating",
    type=FiniteRange(),
    default=1720.0,
    show_default=True,
    help="Rating before (FICS newcomer: 1720).",
)
@click.option("--rd", type=FiniteRange(), default=350.0, show_default=True, help="Rating deviation before.")
@click.option(
    "--idle", type=FiniteRange(), default=0.0, show_default=True, help="Minutes since the last game."
)
@click.option(
    "--c",
    "growth",
    type=FiniteRange(),
    default=FICS_GROWTH,
    show_default=True,
    help="Growth constant c, with t in minutes.",
)
@click.option(
    "--against", metavar="RATING/RD", help="Probability that the true rating exceeds this player's."
)
@json_option
def glicko_command(
    games: tuple[str, ...],
    rating: float,
    rd: float,
    idle: float,
    growth: float,
    against: str | None,
    *,
    as_json: bool,
) -> None:
    """Update a Glicko rating game by game as FICS did in 1995 (Ratings Committee report, appendix B).

    GAME is a letter, the opponent's rating and RD, and perhaps the minutes since the game before:
    W1400/30, L1600/80@1440.

    \b
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
        fail([finding("value-wrong.glicko-command", "glicko", failure=str(failure))])
    if as_json:
        print_json(
            {
                "format": "ratebook-glicko/1",
                "rating": player.rating,
                "rd": player.deviation,
                "games": [
                    {
                        "opponent": game.opponent._asdict(),
                        "score": game.score,
                        "expected": game.expected_score,
                        "k": game.k_factor,
                        "after": game.after._asdict(),
                    }
                    for game in played
                ],
                "intervals": [interval._asdict() for interval in ranges],
                "probability_stronger": stronger,
            }
        )
        return
    if played:
        rows = [
            (
                f"{game.opponent.rating:g}/{game.opponent.deviation:g}",
                f"{game.score:g}",
                f"{game.expected_score:.6f}",
                f"{game.k_factor:.4f}",
                f"{game.after.rating:.4f}",
                f"{game.after.deviation:.4f}",
            )
            for game in played
        ]
        print_table(Table("Games", ("Opponent", "Score", "Expected", "K", "Rating", "RD"), rows))
    click.echo(f"Rating {player.rating:.4f}, RD {player.deviation:.4f}")
    for interval in ranges:
        click.echo(
            f"  true rating within {interval.low:.0f} to {interval.high:.0f}"
            f" ({interval.deviations} RD) with probability about {interval.probability:g}"
        )
    if stronger is not None:
        click.echo(f"Probability that the true rating exceeds {against}: {stronger:.4f}")


def parsed_player(text: str) -> Player:
    """Return a player from ``RATING/RD``."""
    match = PLAYER.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r}: write rating/RD, e.g. 1750/80.", param_hint="--against")
    return Player(float(match.group(1)), float(match.group(2)))
