"""A book that an older version of the program made: this one and a later one read, verify, re-rate and adopt it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import text

import ratebook
from ratebook.book.connection import open_book
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile, read_federation
from ratebook.model import System
from ratebook.office.creation import create_book
from ratebook.office.decisions.revision import Reason
from ratebook.office.profile import adopt_rules
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.rules.rulebook import timeline_text
from ratebook.web.store.opening import open_store
from support.book_rounds import ACTOR, work_a_round
from support.command_line import COMMAND

WHY = Reason(ACTOR, "a later version of the program", ["all"])
TODAY = date(2026, 11, 20)

OVERLAY = """\
[[bonus_multiplier.values]]
from = 2026-01-01
is = 9

[[match_net_short.values]]
from = 2026-01-01
is = { points = 80, days = 180 }
"""
LATER_FIELDS = """\
    bonus_eligibility_most_draws: FloatOrOff = OFF
    late_entry_points: FloatOrOff = OFF
    late_entry_rounds: FloatOrOff = OFF
    season_weight: float = 1.0
"""
LATER_RULES = """
[late_entry]
what = "A rule of a later version, with two fields."
unit = "rating points; rounds"

[[late_entry.values]]
from = 2001-01-01
is = "off"
document = "D25"
where = "section 9"
status = "documented"

[[late_entry.values]]
from = 2026-01-01
is = { points = 5, rounds = 2 }
document = "D25"
where = "section 9"
status = "documented"

[season_weight]
what = "A rule of a later version that has always had a number."
unit = "none"

[[season_weight.values]]
from = 2001-01-01
is = 1.0
document = "D25"
where = "section 9"
status = "documented"
"""
LATER_ELIGIBILITY = """
[[bonus_eligibility.values]]
from = 2025-02-10
is = { least_games = 3, most_meetings = 2, most_meetings_at_least_games = 1, most_draws = 2 }
document = "D25"
where = "section 9"
status = "documented"
"""


LATER_STEP = """
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade():
    op.get_bind().exec_driver_sql("ALTER TABLE {table} ADD COLUMN nickname TEXT")
"""


class LaterVersion(NamedTuple):
    """A program that knows rules of new shapes, beside this one; made as CONTRIBUTING says."""

    folder: str

    def book(self, place: str, *arguments: str) -> str:
        """Call ``ratebook book`` of the later version and return what it printed."""
        result = self.called(place, *arguments)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def called(self, place: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call ``ratebook book`` of the later version."""
        return subprocess.run(
            [*COMMAND, "book", "--book", place, "--as", "office", *arguments],
            env={**os.environ, "PYTHONPATH": self.folder},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> LaterVersion:
    folder = tmp_path_factory.mktemp("later")
    rules = shutil.copytree(Path(ratebook.__file__).parent, folder / "ratebook") / "rules"
    replace(rules / "in_force.py", "\n\n\ndef is_marked", f"\n{LATER_FIELDS}\n\ndef is_marked")
    bonus = rules / "timeline" / "bonus.toml"
    replace(bonus, "_at_least_games = 1 }", '_at_least_games = 1, most_draws = "off" }')
    with bonus.open("a", encoding="utf-8") as file:
        file.write(LATER_ELIGIBILITY)
    with (rules / "timeline" / "matches.toml").open("a", encoding="utf-8") as file:
        file.write(LATER_RULES)
    return LaterVersion(str(folder))


@pytest.fixture(scope="module")
def later_tables(tmp_path_factory: pytest.TempPathFactory) -> LaterVersion:
    """Give a program whose tables are of a version more."""
    folder = tmp_path_factory.mktemp("later-tables")
    book = shutil.copytree(Path(ratebook.__file__).parent, folder / "ratebook") / "book"
    step = LATER_STEP.format(revision="1003", before="1002", table="members")
    (book / "migrations" / "versions" / "v1003_nicknames.py").write_text(step, encoding="utf-8")
    store = folder / "ratebook" / "web" / "store"
    step = LATER_STEP.format(revision="1002", before="1001", table="accounts")
    (store / "migrations" / "versions" / "v1002_nicknames.py").write_text(step, encoding="utf-8")
    replace(
        store / "opening.py", 'FIRST_VERSION = VERSION = "1001"', 'FIRST_VERSION, VERSION = "1001", "1002"'
    )
    replace(book / "connection.py", '\nVERSION = "1002"\n', '\nVERSION = "1003"\n')
    replace(book / "schema.py", "    club text?: ", "    nickname text?: among friends\n    club text?: ")
    return LaterVersion(str(folder))


def timeline_without(rule: str) -> str:
    """Return the timeline of this program without a rule, as a version had it that did not know the rule."""
    files = json.loads(timeline_text())
    assert files["matches.toml"].pop(rule)
    return json.dumps(files)


def make_book(place: str) -> None:
    """Make a book with an overlay of its own, and rate in it."""
    with closing(create_book(place, Profile("Example Federation", overlay=OVERLAY), ACTOR)) as book:
        work_a_round(book)


@pytest.fixture
def older_file(tmp_path: Path) -> str:
    """Give the place of a book that this version has made, which is older for the later one."""
    place = str(tmp_path / "federation.book")
    make_book(place)
    return place


def replace(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize("rule", ["match_coding_least_games", "match_net_short"])
def test_a_book_without_a_rule_is_verified_and_adopts_it(
    empty_place: str, rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The overlay of the book sets match_net_short, which holds before and after."""
    with monkeypatch.context() as earlier:
        earlier.setattr("ratebook.book.profile.timeline_text", lambda: timeline_without(rule))
        make_book(empty_place)
    with closing(open_book(empty_place)) as book:
        assert verify(book).findings == ()
        assert rerate(book, ACTOR, everything=True).changes == ()
        assert verify(book).findings == ()
        with book.reading() as connection:
            before = read_federation(connection)
        assert before.rulebook.in_force(System.REGULAR, TODAY).match_net_short_points == 80
        assert adopt_rules(book, None, WHY).waits
        rerate(book, ACTOR)
        assert verify(book).findings == ()
        with book.reading() as connection:
            after = read_federation(connection)
    assert before.profile == after.profile
    rules = after.rulebook.in_force(System.REGULAR, TODAY)
    assert (rules.bonus_multiplier, rules.match_net_short_points, rules.match_coding_least_games) == (
        9,
        80,
        2,
    )


@pytest.mark.long
def test_a_book_is_upgraded_once_to_tables_of_a_later_version(
    older_file: str, later_tables: LaterVersion
) -> None:
    refused = later_tables.called(older_file, "profile")
    assert refused.returncode == 1
    assert "[book-older]" in refused.stderr
    assert "(1002, here 1003)" in refused.stderr
    open_store(f"{older_file}.web").close()
    assert later_tables.book(older_file, "upgrade").splitlines() == [
        "The tables of the book were upgraded from version 1002 to 1003.",
        "The tables of the web store were upgraded from version 1001 to 1002.",
    ]
    assert later_tables.book(older_file, "upgrade").splitlines() == [
        "The tables of the book already have this version (1003).",
        "The tables of the web store already have this version (1002).",
    ]
    assert "upgrade-book" in later_tables.book(older_file, "audit")
    assert json.loads(later_tables.book(older_file, "verify", "--json"))["problems"] == []
    with pytest.raises(BookError) as newer:
        open_book(older_file)
    assert newer.value.finding.code == "book-newer"


@pytest.mark.long
def test_a_later_version_works_with_a_book_of_the_first(older_file: str, later: LaterVersion) -> None:
    assert "Example Federation" in later.book(older_file, "profile")
    assert json.loads(later.book(older_file, "verify", "--json"))["problems"] == []
    assert json.loads(later.book(older_file, "rerate", "--all", "--json"))["rated"] == 0
    # All that the later one stored, this one can read.
    with closing(open_book(older_file)) as book:
        assert verify(book).findings == ()
    later.book(older_file, "adopt-rules", "--reason", "a later version of the program")
    assert json.loads(later.book(older_file, "rerate", "--json"))["rated"] == 4
    assert json.loads(later.book(older_file, "verify", "--json"))["problems"] == []


@pytest.mark.long
def test_rules_of_a_later_version_are_refused_for_what_they_are(older_file: str, later: LaterVersion) -> None:
    later.book(older_file, "adopt-rules", "--reason", "a later version of the program")
    with closing(open_book(older_file)) as book:
        for work in (verify, lambda book: rerate(book, ACTOR), lambda book: adopt_rules(book, "", WHY)):
            with pytest.raises(BookError, match="late_entry, season_weight are not known") as refused:
                work(book)
            assert refused.value.finding.code == "book-rules-unreadable"
            assert refused.value.finding.remedy.startswith("If a newer version stored them, update ratebook")


def test_stored_numbers_of_a_later_version_are_refused_for_what_they_are(older_file: str) -> None:
    with closing(open_book(older_file)) as book:
        with book.writing() as connection:
            numbers = json.loads(
                connection.execute(text("SELECT numbers FROM rule_sets")).scalars().first() or ""
            )
            connection.execute(
                text("INSERT INTO rule_sets VALUES ('0123456789abcdef', :numbers)"),
                {"numbers": json.dumps({**numbers, "season_weight": 2})},
            )
        said = {one.code: one.message for one in verify(book).findings}
        assert "season_weight are not known here" in said["book-rules-unreadable"]
