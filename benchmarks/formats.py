"""How many players a second each report format is read at, and the ratio to a plain library read of the same file.

A report of 1,000 players and 9 rounds, made with a fixed seed, is written in every format that can be written (the
standings of the ratings API are made here) and read back; the aim is at most 3 times the plain read.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import tempfile
import time
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import dbfread

from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.office import after_ratings, rate_report
from ratebook.reports.formats import FORMATS, NO_HINTS, parse_source, write_report
from ratebook.reports.parsed import Hints
from ratebook.reports.source import Source, SourceFile
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

PLAYERS = 1_000
ROUNDS = 9
DAY = date(2026, 11, 14)
HINTS = Hints(DAY, DAY, "G/90;d5")


def synthetic_report() -> Report:
    """Return the report of the benchmark."""
    chance = random.Random(20261114)
    cells: list[list[Cell]] = [[] for _ in range(PLAYERS)]
    for _ in range(ROUNDS):
        order = list(range(PLAYERS))
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            letter = chance.choice("WDL")
            cells[white].append(Cell(letter, black + 1, "w"))
            cells[black].append(Cell({"W": "L", "L": "W", "D": "D"}[letter], white + 1, "b"))
    players = {}
    entries = []
    for number, row in enumerate(cells):
        key = str(90_000_000 + number)
        rating = Rating(round(chance.uniform(300, 2300), 2), chance.choice([5, 20, 40, 300]))
        players[key] = PlayerFacts(key, f"EXAMPLE, PLAYER {number}", ratings={System.REGULAR: rating})
        entries.append(Entry(number + 1, key, tuple(row)))
    section = Section(
        1,
        "OPEN",
        DAY,
        DAY,
        "G/90;d5",
        SectionType.SWISS,
        online=False,
        half_k=False,
        youth=False,
        entries=tuple(entries),
    )
    return Report(Event("202611140001", "BENCHMARK OPEN", DAY, DAY), players, (section,))


def standings(report: Report) -> bytes:
    """Return the report as standings of the ratings API (fields as in the published answers)."""
    outcomes = {"W": "Win", "D": "Draw", "L": "Loss"}
    items = [
        {
            "ordinal": entry.seat,
            "pairingNumber": entry.seat,
            "memberId": entry.player,
            "firstName": "PLAYER",
            "lastName": "EXAMPLE",
            "roundOutcomes": [
                {
                    "roundNumber": number,
                    "outcome": outcomes[cell.letter],
                    "color": "White" if cell.colour == "w" else "Black",
                    "opponentOrdinal": cell.opponent,
                    "opponentPairingNumber": cell.opponent,
                }
                for number, cell in enumerate(entry.rounds, start=1)
            ],
            "ratings": [{"ratingSystem": "R", "preRatingDecimal": 1500.25, "postRatingDecimal": 1501.5}],
        }
        for entry in report.sections[0].entries
    ]
    return json.dumps({"items": items, "offset": 0, "pageSize": len(items)}).encode()


def plain_dbf(source: Source) -> None:
    """Read all records with dbfread."""
    with tempfile.TemporaryDirectory() as folder:
        for file in source.files:
            path = Path(folder) / file.name
            path.write_bytes(file.data)
            for _ in dbfread.DBF(path, encoding="latin-1", ignore_missing_memofile=True):
                pass


def plain_trf(data: bytes) -> list[list[str]]:
    """Cut every line at the columns of TRF: the fields of the player, then ten columns a round."""
    fields = (
        (0, 3),
        (4, 8),
        (9, 10),
        (10, 13),
        (14, 47),
        (48, 52),
        (53, 56),
        (57, 68),
        (69, 79),
        (80, 84),
        (85, 89),
    )
    rounds = [
        (start + offset, start + offset + width)
        for start in range(91, 91 + 10 * ROUNDS, 10)
        for offset, width in ((0, 4), (5, 1), (7, 1))
    ]
    return [
        [line[start:end].strip() for start, end in (*fields, *rounds)] for line in data.decode().splitlines()
    ]


PLAIN: dict[str, Callable[[Source], object]] = {
    "native": lambda source: json.loads(source.files[0].data),
    "api-json": lambda source: json.loads(source.files[0].data),
    "uschess-2c": plain_dbf,
    "trf16": lambda source: plain_trf(source.files[0].data),
    "trf26": lambda source: plain_trf(source.files[0].data),
    "crosstable": lambda source: [line.split("|") for line in source.files[0].data.decode().splitlines()],
    "csv": lambda source: list(csv.DictReader(io.StringIO(source.files[0].data.decode()))),
}


def shortest(work: Callable[[], object], repeats: int) -> float:
    """Return the shortest of several processor times."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    report = synthetic_report()
    after = after_ratings(rate_report(report, load_rulebook()).sections)
    sources = {"api-json": Source("standings.json", (SourceFile("standings.json", standings(report)),))}
    for one in FORMATS:
        if one.writer and one.name in PLAIN:
            files = write_report(report, one, after).files
            sources[one.name] = Source(
                one.name, tuple(SourceFile(name, data) for name, data in files.items())
            )
    rows = []
    for name, source in sources.items():
        hints = NO_HINTS if name in {"native", "uschess-2c", "csv"} else HINTS
        parsed = parse_source(source, hints)
        assert parsed.report is not None, parsed.problems[:3]  # noqa: S101 - a benchmark of nothing would look fast
        seconds = shortest(partial(parse_source, source, hints), options.repeats)
        plain = shortest(partial(PLAIN[name], source), options.repeats)
        rows.append((name, PLAYERS / seconds, seconds / plain))
    if options.as_json:
        print(
            json.dumps({name: {"players_per_second": speed, "ratio": ratio} for name, speed, ratio in rows})
        )
        return
    print(f"{'format':<14}{'players/s':>12}{'ratio':>8}   (ratio to a plain library read; aim <= 3)")
    for name, speed, ratio in rows:
        print(f"{name:<14}{speed:>12,.0f}{ratio:>8.2f}")


if __name__ == "__main__":
    main()
