"""How many games a second the interpreted engine rates on one core, with one newcomer in five.

Three figures of one run on the same synthetic games (fixed seed): the five steps over columns, the whole of
``rate_section`` (Step 1, gathering, floors, results) and, as a yardstick, a plain one-pass Elo in pure Python. The aim
is 100,000 games a second for the engine.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from datetime import date
from typing import TYPE_CHECKING

from ratebook.model import Cell, Entry, PlayerFacts, Rating, Section, SectionType, System
from ratebook.rating.columns import gather_games, section_columns, start_players
from ratebook.rating.rate import rate_section
from ratebook.rating.steps import SectionColumns, rate_in_five_steps
from ratebook.rules.rulebook import rules_on

if TYPE_CHECKING:
    from collections.abc import Callable

DAY = date(2025, 6, 1)
SHARE_OF_DRAWS = 0.12
Facts = dict[str, PlayerFacts]


def synthetic_section(chance: random.Random, players: int, rounds: int) -> tuple[Section, Facts]:
    """Return a section with random pairings and results by strength; every fifth player is unrated."""
    facts: Facts = {}
    strength = []
    for number in range(players):
        rating = min(2600.0, max(150.0, chance.gauss(1300.0, 400.0)))
        strength.append(rating)
        born = date(2025 - chance.randrange(7, 40), 1 + chance.randrange(12), 1 + chance.randrange(28))
        ratings = (
            {} if number % 5 == 0 else {System.REGULAR: Rating(rating, chance.choice([3, 12, 30, 80, 400]))}
        )
        facts[f"P{number}"] = PlayerFacts(f"P{number}", birth_date=born, ratings=ratings)
    cells: list[list[Cell]] = [[] for _ in range(players)]
    for _ in range(rounds):
        order = list(range(players))
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            edge = 1.0 / (1.0 + 10.0 ** ((strength[black] - strength[white]) / 400.0))
            draw = chance.random() < SHARE_OF_DRAWS
            letter = "D" if draw else ("W" if chance.random() < edge else "L")
            cells[white].append(Cell(letter, black + 1, "w"))
            cells[black].append(Cell({"W": "L", "L": "W", "D": "D"}[letter], white + 1, "b"))
    entries = tuple(Entry(number + 1, f"P{number}", tuple(row)) for number, row in enumerate(cells))
    section = Section(1, "", DAY, DAY, "G/90;d5", SectionType.SWISS, False, False, False, entries)
    return section, facts


def plain_elo(columns: SectionColumns) -> list[float]:
    """Return one-pass Elo ratings with K = 32 of the same games: the yardstick."""
    after = list(columns.rating)
    for player, own in enumerate(columns.rating):
        change = 0.0
        for game in range(columns.first_game[player], columns.first_game[player + 1]):
            other = columns.rating[columns.opponent[game]]
            change += columns.score[game] - 1.0 / (1.0 + 10.0 ** ((other - own) / 400.0))
        after[player] = own + 32.0 * change
    return after


def seconds_of(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest of several processor times of *work*."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", type=int, default=100)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    chance = random.Random(20250601)
    rules = rules_on(DAY.isoformat())
    sections = [synthetic_section(chance, options.players, options.rounds) for _ in range(options.sections)]
    columns = []
    for section, facts in sections:
        starters = start_players(section, facts, System.REGULAR, rules)
        columns.append(section_columns(starters, gather_games(section, starters)))
    games = sum(len(column.opponent) for column in columns) // 2

    def five_steps() -> None:
        for column in columns:
            rate_in_five_steps(rules, 0, 0, 0, column)

    def whole() -> None:
        for section, facts in sections:
            rate_section(section, facts, System.REGULAR, rules)

    def elo() -> None:
        for column in columns:
            plain_elo(column)

    figures = {
        "plain one-pass Elo (yardstick)": seconds_of(elo, options.repeats),
        "five steps over columns": seconds_of(five_steps, options.repeats),
        "rate_section, everything": seconds_of(whole, options.repeats),
    }
    base = figures["plain one-pass Elo (yardstick)"]
    if options.as_json:
        print(
            json.dumps(
                {
                    name: {"games_per_second": games / value, "ratio": value / base}
                    for name, value in figures.items()
                }
            )
        )
        return
    print(f"{games} games in {options.sections} sections of {options.players} players, one newcomer in five")
    print(f"{'figure':<34}{'games/s':>10}{'time ratio':>12}   (aim: 100,000 games/s for the engine)")
    for name, value in figures.items():
        print(f"{name:<34}{games / value:>10,.0f}{value / base:>12.2f}")


if __name__ == "__main__":
    main()
