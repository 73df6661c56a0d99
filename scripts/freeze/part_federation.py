"""The invented federation in a book: imported, rated, corrected, rated again, published, exported; all its tables."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.freeze.part_json import OVERLAY
from scripts.freeze.program import BOOK, call, called_with_json, sorted_files
from scripts.freeze.tables import add_parquet, add_tables

if TYPE_CHECKING:
    from scripts.freeze.record import Record

SIZE, QUICK_SIZE = ("2000", "6"), ("200", "2")
BEGIN = """init --name "Example Federation"
import members demo/members.csv
import memberships demo/memberships.csv
import foreign-ratings demo/external-ratings.csv
import opening-balances demo/opening-balances.csv
import reports demo --accept all
rate"""
CORRECT = """import corrections demo/corrections.csv
adjust floor 90000003 regular --rating 1200 --from 2020-06-01 --reason "by vote"
adjust ceiling 90000009 regular --rating 1500 --from 2020-03-01 --reason "by vote"
adjust initial 90000150 regular --rating 1500 --games 8 --from 2020-01-01 --reason "known strength"
correct foreign-rating 90000021 fide --rating 1700 --list-date 2020-02-01 --reason "list of that month"
waits
rerate --dry-run
rerate
verify"""
PUBLISH = """publish --for 2020-12
publish --for 2021-01 --out lists --format text --format csv --format members-csv --format golden --format supplement
publish --for 2021-02 --out lists --format json
publish --for 2021-03
list-diff 2020-12 2021-03
lists
top --most 100
top --system quick --ages 0-18 --on 2021-12-31
adopt-rules --overlay overlay.toml --reason "by vote"
rerate
verify
publish --for 2021-04
decisions
audit --most 200
export files
export columns --parquet
--book other.book import-book files"""
MATCHES = "SELECT event_id, number FROM sections WHERE type = 'match' ORDER BY place LIMIT 6"


def freeze(record: Record) -> None:
    """Record each answer, the tables after rating, after correcting and at the end, and the files written."""
    members, years = QUICK_SIZE if record.quick else SIZE
    call("demo-federation", "--out", "demo", "--members", members, "--years", years)
    Path("overlay.toml").write_text(OVERLAY, encoding="utf-8")
    for path, place in sorted_files(Path("demo")):
        record.add(
            "folder demo", place.suffix.lstrip(".") if "reports/" in path else path, place.read_bytes()
        )
    _do(record, BEGIN)
    add_tables(record, "rated", Path(BOOK))
    with closing(sqlite3.connect(BOOK)) as connection:
        matches = connection.execute(MATCHES).fetchall()
    kinds = ("grant", "deny") * len(matches)
    requests = [
        f"{kind} {event} {number} {seat} --reason asked"
        for (event, number), kind in zip(matches, kinds, strict=False)
        for seat in (1, 2)
    ]
    _do(record, "\n".join([*requests, CORRECT]))
    add_tables(record, "corrected", Path(BOOK))
    _do(record, PUBLISH)
    add_tables(record, "final", Path(BOOK))
    add_tables(record, "imported again", Path("other.book"))
    for folder in ("lists", "files", "columns"):
        for path, place in sorted_files(Path(folder)):
            if place.suffix == ".parquet":
                add_parquet(record, f"folder {folder} {path}", place)
            else:
                record.add(f"folder {folder}", path, place.read_bytes())


def _do(record: Record, commands: str) -> None:
    for line in commands.splitlines():
        answer = called_with_json(["book", "--as", "Registrar Example", *shlex.split(line)])
        record.add_answer(f"book {line}", answer)
