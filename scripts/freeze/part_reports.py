"""Examples, player lists and 20,000 damaged ones: what is read, rated, found and written."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scripts.freeze.damage import damaged, packed
from scripts.freeze.program import EXAMPLES, call, called_with_json, sorted_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.freeze.damage import Files
    from scripts.freeze.record import Record

    Hint = tuple[str, ...]

FILES_OF_GROUP = 20
GROUPS = 1_000
SEEDS = Path(__file__).with_name("seeds")
NEEDS_RATINGS = ("trf16", "section-4")
WRITTEN = ("native", "uschess-2c", "trf26", "trf16", "crosstable", "csv", "members-csv")
HINTS: tuple[Hint, ...] = (("--end", "2026-08-30"), ("--time-control", "G/60;d5"))
MORE_HINTS: tuple[Hint, ...] = (
    ("--received", "2026-10-30"), ("--received", "2026-09-01"), ("--start", "2026-08-29"), ("--type", "round-robin"),
    ("--type", "match"), ("--type", "fide"), ("--online",), ("--event", "202608300001"), ("--accept", "all"),
    ("--accept", "report-late"), ("--rules-on", "2004-03-01"), ("--rules-on", "2012-03-01"),
    ("--set", "bonus_multiplier=10"), ("--time-control", "G/5;d2"), ("--time-control", "G/45;d5"),
    ("--end", "2005-01-31"), ("--end", "2014-06-01"),
)  # fmt: skip
NEEDS_HINTS = ("crosstable", "rating-report", "uschess-1991", "standings")
IDS = range(90_000_001, 90_000_009)


class Seed(NamedTuple):
    """What is damaged: a report of one file or several, or a players' list that is brought to one."""

    name: str
    files: Files
    a_list: bool = False


def freeze(record: Record) -> None:
    """Record the examples as they are, then damaged."""
    seeds = list(_seeds())
    Path("report.json").write_bytes(_bare((EXAMPLES / "festival/festival.json").read_bytes()))
    Path("known.csv").write_bytes((EXAMPLES / "festival/members.csv").read_bytes())
    for seed in seeds:
        if record.only in (entry := f"example {seed.name}"):
            _look(record, entry, "", seed, _options(seed, HINTS), WRITTEN)
    for group in range(len(seeds) if record.quick else GROUPS):
        seed = seeds[group % len(seeds)]
        entry = f"{seed.name} {group // len(seeds)}"
        if record.only not in entry:
            continue
        for number in range(FILES_OF_GROUP):
            random = Random(f"{entry} {number}")
            files = damaged(seed.files, random, gentle=number % 2 == 1)
            given = [hint for hint in HINTS if random.random() < 0.95]
            if random.random() < 0.15:
                given.append(random.choice(MORE_HINTS))
            also = (random.choice(WRITTEN),) if random.random() < 0.2 else ()
            _look(
                record,
                entry,
                str(number),
                seed._replace(files=files),
                _options(seed, given),
                ("native", *also),
            )


def _look(  # noqa: PLR0913, PLR0917 - what is read how, and noted where
    record: Record, entry: str, title: str, seed: Seed, options: list[str], formats: Sequence[str]
) -> None:
    """Rate and convert the files of *seed*, and record it."""
    data = packed(seed.files)
    record.keep(entry, f"input-{title}", data)
    source = "-"
    if seed.a_list:
        name = seed.files[0][0]
        Path(name).write_bytes(data)
        source, data, options = "report.json", b"", [*options, "--players", name]
    record.add_answer(entry, called_with_json(["rate", source, *options], data), title)
    for name in formats:
        shutil.rmtree("out", ignore_errors=True)
        Path("out").mkdir()
        out = "out/folder" if name == "uschess-2c" else "out/file"
        answer = call("convert", source, out, "--to", name, *options, data=data)
        for path, place in sorted_files(Path("out")):
            record.add(entry, "report" if name == "native" else "written", f"{title} {name} {path}")
            record.add(entry, "report" if name == "native" else "written", place.read_bytes())
        record.add(entry, "written", f"{title} {name} {answer.status}")
        record.add(entry, "texts", answer.out + answer.err)


def _seeds() -> Iterator[Seed]:
    """Yield the examples, several files of one report together, then the lists."""
    together: dict[str, list[tuple[str, bytes]]] = {}
    for path, place in (*sorted_files(EXAMPLES), *sorted_files(SEEDS)):
        if path.endswith("members.csv"):
            yield Seed(place.name, ((place.name, place.read_bytes()),), a_list=True)
            continue
        short = path.removeprefix("festival/")
        if place.suffix in {".DBF", ".trf"}:
            together.setdefault(str(Path(short).parent), []).append((place.name, place.read_bytes()))
        if place.suffix != ".DBF":
            yield Seed(short, ((place.name, place.read_bytes()),))
    for name, files in together.items():
        yield Seed(name, tuple(files))
    for name, data in lists():
        yield Seed(name, ((name, data),), a_list=True)


def _options(seed: Seed, hints: Sequence[Hint]) -> list[str]:
    """Return what the command is told about *seed*: of *hints*, those that an undamaged file of its kind needs."""
    told = [hint for hint in hints if hint not in HINTS or any(word in seed.name for word in NEEDS_HINTS)]
    if any(word in seed.name for word in NEEDS_RATINGS):
        told.append(("--players", "known.csv"))
    return [word for hint in told for word in hint]


def _bare(report: bytes) -> bytes:
    """Return *report* without ratings, which lists bring, and without its match, which needs them."""
    document = json.loads(report)
    for player in document["players"]:
        player.pop("ratings", None)
    document["sections"].pop()
    return json.dumps(document).encode()


def lists() -> Iterator[tuple[str, bytes]]:
    """Yield players' lists of other kinds with the players of the festival, as no example holds them."""
    golden = [("MEM_ID", 8), ("MEM_NAME", 17), ("EXPIRED", 8), ("R_LPB_RAT", 7), ("Q_LPB_RAT", 7)]
    rows = [[str(one), "ADAMS, EXAMPLE", "20271130", "1500E", f"14{one % 100:02}P12"] for one in IDS]
    yield "golden.dbf", _table(golden, rows)
    supplement = [("R_MEM_ID", 8), ("R_MEM_NAME", 27), ("R_RATING1", 7), ("R_RATING2", 7)]
    yield (
        "supplement.dbf",
        _table(supplement, [[str(one), "BAKER, EXAMPLE", f"15{one % 100:02}", "1450/9"] for one in IDS]),
    )
    header = (
        f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk"
        " BRtng BGm BK B-day Flag"
    )
    players = [
        f"{one:<15}{'Clark, Example':<61}USA M   {'':<29}{1600 + one % 100:<6}0   20 0     0   20"
        " 0     0   20 1987      "
        for one in IDS
    ]
    yield "fide.txt", "\r\n".join([header, *players]).encode()
    xml = [
        f"<player><fideid>{one}</fideid><name>Davis, Example</name><country>USA</country>"
        f"<rating>{1600 + one % 100}</rating><rapid_rating>0</rapid_rating><birthday>1987</birthday></player>\n"
        for one in IDS
    ]
    yield "fide.xml", f"<playerslist>{''.join(xml)}</playerslist>".encode()
    cfc = [f'{one},2027-01-01,Adams,Example,ON,"Town",{1500 + one % 100},1600,1490,1500,0,0\n' for one in IDS]
    first = "CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating\n"
    yield "tdlist.txt", (first + "".join(cfc)).encode()


def _table(fields: list[tuple[str, int]], rows: list[list[str]]) -> bytes:
    """Return a dBASE table of text columns."""
    head = struct.pack(
        "<4BIHH20x", 3, 126, 11, 1, len(rows), 33 + 32 * len(fields), 1 + sum(width for _, width in fields)
    )
    described = b"".join(
        struct.pack("<11s1s4xBB14x", name.encode(), b"C", width, 0) for name, width in fields
    )
    texts = (
        b" " + b"".join(cell.encode().ljust(width) for cell, (_, width) in zip(row, fields, strict=True))
        for row in rows
    )
    return head + described + b"\r" + b"".join(texts) + b"\x1a"
