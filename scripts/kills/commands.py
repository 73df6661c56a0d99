"""The commands of a year of an invented federation, in their order; each is killed in the book that the others left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ratebook.demo.build import build_federation
from ratebook.records.data_files import DATA_MANIFEST
from support.book_federation import written_federation

if TYPE_CHECKING:
    from pathlib import Path

MEMBERS, YEARS, SEED = 20, 1, 1
RULES = """[[bonus_multiplier.values]]
from = 2020-07-01
is = 9
"""


class Command(NamedTuple):
    """A command of ``ratebook book``; ``OUT`` in it stands for the folder beside the book.

    Attributes:
        several: it has several transactions, so that a part of its work may be done.
        whole: what is there once all that it writes beside the book is.
    """

    words: tuple[str, ...]
    several: bool = False
    whole: str = ""

    @property
    def name(self) -> str:
        """The words before the first argument."""
        first = self.words[0]
        return f"{first} {self.words[1]}" if first in {"import", "correct", "adjust"} else first


def commands(folder: Path) -> tuple[tuple[Command, ...], ...]:
    """Return the commands of two books, one that grows and one that is founded; their files are written to *folder*."""
    files = written_federation(build_federation(MEMBERS, YEARS, seed=SEED), folder / "federation")
    rules = folder / "rules.toml"
    rules.write_text(RULES)
    because = ("--reason", "the players say so")
    accepted = (*because, "--accept", "all")
    growing = (
        Command(("init", "--name", "Example Federation", "--least-games", "1")),
        Command(("import", "members", str(files / "members.csv"))),
        Command(("import", "memberships", str(files / "memberships.csv"))),
        Command(("import", "foreign-ratings", str(files / "external-ratings.csv"))),
        Command(("import", "opening-balances", str(files / "opening-balances.csv"))),
        Command(("import", "reports", str(files), "--accept", "all"), several=True),
        Command(("rate",), several=True),
        Command(("correct", "result", "202009270001", "1", "1", "2", "D", *accepted)),
        Command(("rerate",)),
        Command(("verify",)),
        Command(("import", "corrections", str(files / "corrections.csv"), "--accept", "all"), several=True),
        Command(("rerate", "--ask")),
        Command(("verify", "--new")),
        Command(("backup", "OUT/copy")),
        Command(("add-member", "90000099", "Example, Joined Twice")),
        Command(("merge", "90000099", "90000004", "--yes", *accepted)),
        Command(
            ("adjust", "floor", "90000002", "regular", "--rating", "1200", "--from", "2020-06-01", *because)
        ),
        Command(("rerate", "--all")),
        Command(("publish", "--for", "2021-01", "--out", "OUT/list.csv", "--format", "csv")),
        Command(("export", "OUT/export")),
        Command(("data", "OUT/data"), whole=f"OUT/data/{DATA_MANIFEST}"),
        Command(("adopt-rules", "--overlay", str(rules), *because)),
        Command(("rerate",)),
        Command(("erase", "90000007", "--yes", *because)),
        Command(("restore", "OUT/copy", "--yes")),
    )
    founded = (
        Command(("init", "--name", "Example Federation", "--least-games", "1")),
        Command(("found", str(files), "--yes", "--accept", "all"), several=True),
        Command(("data", "OUT/data"), whole=f"OUT/data/{DATA_MANIFEST}"),
    )
    return growing, founded
