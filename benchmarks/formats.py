"""How many players a second each report format and player list is read at, and the ratio to a plain read of the file.

A report of 1,000 players and 9 rounds, made with a fixed seed, is written in every format that can be written (the
standings of the ratings API are made here) and read back. Each kind of player list is made with 30,000 players, of
whom the report has 1,000, and read for that report. The aim is at most 6 times the plain read.

The plain read is what a script would do to have the fields of the file as texts, with the library of the field where
there is one: it checks nothing and converts nothing.

| file | plain read |
|---|---|
| native, api-json | ``json.loads`` |
| uschess-2c, Golden | ``dbfread``, all records |
| csv, members CSV | ``csv.DictReader``, all rows |
| trf16, trf26, FIDE text | each line cut at the columns, blanks around the fields taken away |
| crosstable | each line split at the bars, blanks taken away, round cells cut into letter and seat |
| CFC | each line split at the commas, blanks taken away |
| FIDE XML | ``xml.etree.ElementTree.iterparse``, the texts of each player's elements, the tree cleared |
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import random
import re
import tempfile
import time
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import iterparse

import dbfread

from ratebook.formats.archive import SourceFile
from ratebook.formats.built_in import BUILT_IN
from ratebook.formats.contract import Hints
from ratebook.formats.registry import NO_HINTS, parse_source, write_report
from ratebook.formats.source import Source
from ratebook.formats.uschess.dbf import write_dbf
from ratebook.model import Cell, Entry, Event, PlayerFacts, Rating, Report, Section, SectionType, System
from ratebook.player_lists.read import read_players
from ratebook.reports.rate import after_ratings, rate_report
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLAYERS = 1_000
ROUNDS = 9
LISTED = 30 * PLAYERS
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
    section = Section(1, "OPEN", DAY, DAY, "G/90;d5", SectionType.SWISS, entries=tuple(entries))
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
            plain_dbf_file(path)


def plain_dbf_file(path: Path) -> None:
    """Read all records of one file with dbfread."""
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


def plain_crosstable(data: bytes) -> list[list[str]]:
    """Split every line at the bars; in the rows of players, cut the round cells into letter and seat."""
    rows = []
    for line in data.decode().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if cells[0].isdecimal():
            cells[3:] = [part for cell in cells[3:] for part in (cell[:1], cell[1:].strip())]
        rows.append(cells)
    return rows


PLAIN: dict[str, Callable[[Source], object]] = {
    "native": lambda source: json.loads(source.files[0].data),
    "api-json": lambda source: json.loads(source.files[0].data),
    "uschess-2c": plain_dbf,
    "trf16": lambda source: plain_trf(source.files[0].data),
    "trf26": lambda source: plain_trf(source.files[0].data),
    "crosstable": lambda source: plain_crosstable(source.files[0].data),
    "csv": lambda source: list(csv.DictReader(io.StringIO(source.files[0].data.decode()))),
}


FIDE_TITLES = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
FIDE_STARTS = [found.start() for found in re.finditer(r"ID Number|\S+", FIDE_TITLES)]
CFC_TITLES = "CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating"
GOLDEN = (("MEM_ID", 8), ("MEM_NAME", 17), ("EXPIRED", 8), ("STATE", 2), ("R_LPB_RAT", 7), ("Q_LPB_RAT", 7))


def fide_row(fields: Sequence[str]) -> str:
    """Return *fields* as a line of FIDE's list."""
    ends = [*FIDE_STARTS[1:], len(FIDE_TITLES)]
    return "".join(
        text.ljust(end - start) for text, start, end in zip(fields, FIDE_STARTS, ends, strict=True)
    )


def fide_xml_player(fields: Sequence[str]) -> str:
    """Return *fields* of FIDE's list as an element."""
    names = (
        *("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title"),
        *("rating", "games", "k", "rapid_rating", "rapid_games", "rapid_k"),
        *("blitz_rating", "blitz_games", "blitz_k", "birthday", "flag"),
    )
    inner = "".join(f"<{name}>{text}</{name}>\n" for name, text in zip(names, fields, strict=True))
    return f"<player>\n{inner}</player>\n"


def player_lists() -> dict[str, bytes]:
    """Return the lists of each kind; every thirtieth of the players is one of the report."""
    numbers = [90_000_000 + (at // 30 if at % 30 == 0 else PLAYERS + at) for at in range(LISTED)]
    points = [str(1000 + number % 1500) for number in numbers]
    listed = [
        (str(number), f"PLAYER {number - 90_000_000}", rating)
        for number, rating in zip(numbers, points, strict=True)
    ]
    fide = [
        (
            *(number, f"EXAMPLE, {name}", "USA", "M", "", "", "", "", rating, "0", "20"),
            *(rating, "0", "20", "0", "0", "20", "1987", ""),
        )
        for number, name, rating in listed
    ]
    members = io.StringIO()
    rows = csv.writer(members)
    rows.writerow(["id", "name", "birth_date", "expires", "regular", "regular_games", "quick", "quick_games"])
    rows.writerows(
        [number, f"EXAMPLE, {name}", "1987-05-01", "2027-12-31", rating, "40", rating, "30"]
        for number, name, rating in listed
    )
    cfc = [
        f"{number},31/12/2027,EXAMPLE,{name},ON,Ottawa,{rating},{rating},0,0,0,0"
        for number, name, rating in listed
    ]
    golden = [
        (number, name[:17], "20271231", "NY", f"{rating}E", f"{rating}E") for number, name, rating in listed
    ]
    return {
        "members CSV": members.getvalue().encode(),
        "CFC": "\n".join([CFC_TITLES, *cfc, ""]).encode(),
        "FIDE text": "\n".join([FIDE_TITLES, *map(fide_row, fide), ""]).encode(),
        "FIDE XML": f"<playerslist>\n{''.join(map(fide_xml_player, fide))}</playerslist>\n".encode(),
        "Golden DBF": write_dbf(GOLDEN, golden, DAY),
    }


def plain_csv_file(path: Path) -> None:
    """Read all rows with the csv module."""
    with path.open(encoding="utf-8", newline="") as lines:
        for _ in csv.DictReader(lines):
            pass


def plain_cfc(path: Path) -> None:
    """Split every line at the commas."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            _ = [cell.strip() for cell in line.split(",")]


def plain_fide_text(path: Path) -> None:
    """Cut every line at the columns."""
    cuts = list(zip(FIDE_STARTS, [*FIDE_STARTS[1:], None], strict=True))
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            _ = [line[start:end].strip() for start, end in cuts]


def plain_fide_xml(path: Path) -> None:
    """Read every player's elements with the library's streaming parser, without keeping the tree."""
    events = iterparse(path, events=("start", "end"))  # noqa: S314 - a file of its own making
    _, root = next(events)
    for event, element in events:
        if event == "end" and element.tag == "player":
            _ = {field.tag: field.text for field in element}
            root.clear()


PLAIN_LISTS: dict[str, Callable[[Path], None]] = {
    "members CSV": plain_csv_file,
    "CFC": plain_cfc,
    "FIDE text": plain_fide_text,
    "FIDE XML": plain_fide_xml,
    "Golden DBF": plain_dbf_file,
}


def measured_lists(report: Report, repeats: int) -> list[tuple[str, float, float]]:
    """Return name, players a second and ratio to the plain read of each kind of list."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, data in player_lists().items():
            path = Path(folder) / f"{name.replace(' ', '-')}.txt"
            path.write_bytes(data)
            listed = read_players(path, report)
            assert len(listed.players) == PLAYERS, listed.findings[:3]  # noqa: S101 - a benchmark of nothing would look fast
            seconds = shortest(partial(read_players, path, report), repeats)
            plain = shortest(partial(PLAIN_LISTS[name], path), repeats)
            rows.append((name, LISTED / seconds, seconds / plain))
    return rows


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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    report = synthetic_report()
    after = after_ratings(rate_report(report, load_rulebook()).sections)
    sources = {"api-json": Source("standings.json", (SourceFile("standings.json", standings(report)),))}
    for form in BUILT_IN:
        if form.writer and form.name in PLAIN:
            files = write_report(report, form, after).files
            sources[form.name] = Source(
                form.name, tuple(SourceFile(name, data) for name, data in files.items())
            )
    rows = []
    for name, source in sources.items():
        hints = NO_HINTS if name in {"native", "uschess-2c", "csv"} else HINTS
        parsed = parse_source(source, hints)
        assert parsed.report is not None, parsed.findings[:3]  # noqa: S101 - a benchmark of nothing would look fast
        seconds = shortest(partial(parse_source, source, hints), options.repeats)
        plain = shortest(partial(PLAIN[name], source), options.repeats)
        rows.append((name, PLAYERS / seconds, seconds / plain))
    rows += measured_lists(report, options.repeats)
    if options.as_json:
        print(
            json.dumps({name: {"players_per_second": speed, "ratio": ratio} for name, speed, ratio in rows})
        )
        return
    print(f"{'format':<14}{'players/s':>12}{'ratio':>8}   (ratio to a plain library read; aim <= 6)")
    for name, speed, ratio in rows:
        print(f"{name:<14}{speed:>12,.0f}{ratio:>8.2f}")


if __name__ == "__main__":
    main()
