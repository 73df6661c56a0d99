"""Two hundred explanations, as text and as JSON: of examples by the rules of many years, and of a small book."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

from scripts.freeze.part_json import do_work
from scripts.freeze.program import BOOK, call, called_with_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.freeze.record import Record

OF_EXAMPLES, OF_BOOK = 120, 80
EXAMPLES = ("examples/festival/festival.json", "examples/open-64-players.json", "examples/quad.json")
DAYS = ("2001-06-01", "2003-01-01", "2005-06-01", "2008-01-01", "2011-01-01", "2013-06-01", "2015-06-01", "2018-01-01",
        "2020-07-01", "2022-01-01", "2024-01-01", "2026-09-01", "")  # fmt: skip
RATED_BLITZ = 6
"""On the days from this one on every section of the festival can be rated."""
LEDGER = """SELECT DISTINCT ledger.member_id, sections.event_id, sections.number, ledger.system
FROM ledger JOIN sections ON sections.id = ledger.section_id
WHERE ledger.superseded_by IS NULL ORDER BY 1, 2, 3, 4"""


def freeze(record: Record) -> None:
    """Record what is said about seats of the examples and about members of the book of the script of work."""
    do_work("work", None, as_json=True)
    for arguments in (*_of_examples(), *_of_book()):
        entry = " ".join(arguments)
        if record.only not in entry:
            continue
        answer = called_with_json(arguments)
        record.add_answer(entry, answer)
        record.add(entry, "numbers", "\n".join(_numbers(answer.data)))
        plain = call(*arguments)
        record.add(entry, "people", f"{plain.status}\n{plain.out}\n{plain.err}")


def _of_examples() -> Iterator[tuple[str, ...]]:
    """Yield commands that explain seats, all different."""
    possible: list[tuple[str, ...]] = []
    for example in EXAMPLES:
        rated = called_with_json(["rate", example]).data
        for section in rated["sections"]:
            for seat in section["entries"]:
                words = (
                    "--section",
                    str(section["number"]),
                    "--seat",
                    str(seat["seat"]),
                    "--system",
                    section["system"],
                )
                possible.append(("explain", example, *words))
    random = Random("explanations of examples")
    random.shuffle(possible)
    for number in range(OF_EXAMPLES):
        chosen = possible[number % len(possible)]
        days = DAYS[RATED_BLITZ:] if "festival" in chosen[1] else DAYS
        day = days[number % len(days)]
        yield (*chosen, *(("--rules-on", day) if day else ()))


def _of_book() -> Iterator[tuple[str, ...]]:
    with closing(sqlite3.connect(BOOK)) as connection:
        rows = connection.execute(LEDGER).fetchall()
    for member, event, number, system in Random("explanations of a book").sample(rows, OF_BOOK):
        yield "book", "explain", member, event, "--section", str(number), "--system", system


def _numbers(value: object) -> Iterator[str]:
    """Yield the numbers in *value*, which is JSON, in their order."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one)
    elif isinstance(value, bool | int | float):
        yield json.dumps(value)
