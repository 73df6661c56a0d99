"""Damaged tables, lists, profiles, rules and reports given to a small book: what is refused, and what changes."""

from __future__ import annotations

import shlex
import shutil
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scripts.freeze.damage import damaged
from scripts.freeze.part_reports import FILES_OF_GROUP, SEEDS, lists
from scripts.freeze.program import BOOK, EXAMPLES, call, called_with_json, sorted_files
from scripts.freeze.tables import columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.freeze.record import Record

GROUPS = 6
FRESH, RATED = "fresh.book", "rated.book"
OFFICE = ("book", "--as", "Registrar Example")
BEGIN = """init --name "Example League" --least-games 1
import members demo/members.csv
import memberships demo/memberships.csv
backup fresh.book
import opening-balances demo/opening-balances.csv
import reports demo --accept all
rate
export exported"""
TEXTS = ("findings message", "findings remedy")
NUMBERS = "member_id,source,number\n" + "".join(
    f"9000000{one},{kind},9000000{one}\n" for one in (1, 2, 3) for kind in ("fide", "cfc")
)
PROFILE = """name = "Example League"
country = "USA"
member_id_pattern = "[0-9]{8}"
systems = ["regular", "quick", "blitz"]
cut_off = "third-wednesday"
least_games = 4
"""
RULES = """[bonus_multiplier]
values = [
  { from = 2018-01-01, is = 12, document = "vote", where = "May 3", status = "documented" },
  { from = 2020-06-01, is = 10.5, document = "vote", where = "May 4", status = "inferred" },
]

[established_above_games]
values = [{ from = 2019-01-01, is = 20, document = "vote", where = "June 1", status = "documented" }]
"""


MANIFEST = Path("exported/manifest.json")


class Given(NamedTuple):
    """What is damaged, and the commands that it is given to, separated by ``;``, with the book that they find."""

    name: str
    file: str
    data: bytes
    commands: str
    book: str = RATED


def freeze(record: Record) -> None:
    """Record what the commands say of each damaged file, and all rows of the book afterwards."""
    call("demo-federation", "--out", "demo", "--members", "40", "--years", "1", "--seed", "3")
    for line in BEGIN.splitlines():
        call(*OFFICE, *shlex.split(line))
    Path(BOOK).rename(RATED)
    base = {name: columns_of(Path(name)) for name in (FRESH, RATED)}
    manifest = MANIFEST.read_text(encoding="utf-8")
    Path("numbers.csv").write_text(NUMBERS, encoding="utf-8")
    for given in _given():
        for group in range(1 if record.quick else GROUPS):
            entry = f"{given.name} {group}"
            if record.only not in entry:
                continue
            for number in range(FILES_OF_GROUP):
                random = Random(f"{entry} {number}")
                data = given.data
                if (group, number) != (0, 0):
                    ((_, data),) = damaged(((given.file, data),), random, gentle=number % 2 == 1)
                record.keep(entry, f"input-{number}", data)
                old, new = (sha256(one).hexdigest() for one in (given.data, data))
                MANIFEST.write_text(manifest.replace(old, new), encoding="utf-8")
                Path(given.file).write_bytes(data)
                shutil.copy(given.book, BOOK)
                Path("other.book").unlink(missing_ok=True)
                for command in given.commands.split(";"):
                    words = shlex.split(command)
                    prefix = () if words[0] == "rules" else OFFICE
                    record.add_answer(entry, called_with_json([*prefix, *words]), f"{number} {words[0]}")
                made = "other.book" if Path("other.book").exists() else BOOK
                changed = dict(sorted(columns_of(Path(made)).items() - base[given.book].items()))
                stored = {column: value for column, value in changed.items() if column.endswith(TEXTS)}
                record.add(entry, "stored texts", f"{number} {stored}")
                record.add(entry, "tables", f"{number} { ({**changed, **dict.fromkeys(stored)}) }")
            Path(given.file).write_bytes(given.data)


def _given() -> Iterator[Given]:
    """Yield what is damaged."""
    members = "import members damaged.csv"
    demo = {
        place.name: place.read_bytes() for _, place in sorted_files(Path("demo")) if place.suffix == ".csv"
    }
    full = (
        (SEEDS / "everything-members.csv").read_bytes().replace(b"2024-", b"2019-").replace(b"FIDE79", b"79")
    )
    full = full.replace(b"2201,,", b"2201,2019-09-01,").replace(b"2301,,", b"2301,2019-09-01,")
    listed = dict(lists())
    yield Given("members", "damaged.csv", demo["members.csv"], members)
    yield Given(
        "members and balances", "damaged.csv", full, f"{members} --balances --replace --as-of 2019-12-31"
    )
    yield Given("memberships", "damaged.csv", demo["memberships.csv"], "import memberships damaged.csv")
    yield Given(
        "foreign ratings", "damaged.csv", demo["external-ratings.csv"], "import foreign-ratings damaged.csv"
    )
    balances = "import opening-balances damaged.csv --replace"
    yield Given("opening balances", "damaged.csv", demo["opening-balances.csv"], balances, FRESH)
    yield Given(
        "corrections",
        "damaged.csv",
        demo["corrections.csv"],
        "import corrections damaged.csv;rerate;decisions",
    )
    numbered = "--numbers numbers.csv --list-date 2020-01-01"
    yield Given("FIDE list", "list.txt", listed["fide.txt"], f"import foreign-ratings list.txt {numbered}")
    yield Given("CFC list", "list.txt", listed["tdlist.txt"], f"import foreign-ratings list.txt {numbered}")
    published = "import opening-balances list.dbf --replace --as-of 2019-12-31"
    yield Given("published list", "list.dbf", listed["golden.dbf"], published, FRESH)
    yield Given("profile", "profile.toml", PROFILE.encode(), "--book other.book init --profile profile.toml")
    rules = 'rules show --on 2021-01-01 --rules rules.toml;adopt-rules --overlay rules.toml --reason "by vote";rerate'
    yield Given("rules", "rules.toml", RULES.encode(), rules)
    report = (EXAMPLES / "festival/festival.json").read_bytes()
    submitted = "submit report.json --received 2026-09-02 --accept all;show 29;rate"
    yield Given("report", "report.json", report.replace(b'"match"', b'"other"'), submitted)
    for name in ("members.jsonl", "ledger.jsonl", "manifest.json"):
        file = f"exported/{name}"
        yield Given(
            f"exported {name}", file, Path(file).read_bytes(), "--book other.book import-book exported"
        )
