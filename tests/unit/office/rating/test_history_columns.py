"""A book's ledger and the compiled replay of its history: two ways, the same bits."""

from __future__ import annotations

import math
import shutil
from collections import Counter
from contextlib import closing, suppress
from datetime import date
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.columns import place_of
from ratebook.book.connection import Actor, open_book
from ratebook.book.events import read_sections
from ratebook.book.facts.member_files import BOUND_NAMES
from ratebook.book.failures import BookError
from ratebook.book.profile import read_federation
from ratebook.model import System
from ratebook.office.decisions.adjustments import Adjustment, Prize, adjust, enter_prize
from ratebook.office.decisions.events import undo
from ratebook.office.decisions.revision import Reason
from ratebook.office.rating.history_columns import export_history
from ratebook.rating.results import FORMULA_NAMES, SOURCE_NAMES
from ratebook.replay.run import Options, check_history, replay
from ratebook.replay.tables import History
from support.book_federation import history_of, settle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ratebook.book.connection import Book
    from unit.office.rating.conftest import CorrectedBook

pytestmark = pytest.mark.usefixtures("compiled_engine")

BECAUSE = Reason(Actor("office", "2026-11-20T12:00:00Z"), "a try", ["all"])


@pytest.fixture(scope="module")
def federation_book(
    corrected_book: CorrectedBook, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Book]:
    """A book of an invented federation with corrections and decisions of every kind."""
    place, members = tmp_path_factory.mktemp("history") / "federation.book", corrected_book.members
    shutil.copyfile(corrected_book.place, place)
    with closing(open_book(str(place))) as book:
        decide(book, members)
        settle(book)
        yield book


def decide(book: Book, members: Sequence[str]) -> None:
    """Take decisions about ratings, floors and ceilings, of which some are undone."""
    day = date(2020, 6, 1)
    adjust(book, "floor", Adjustment(members[2], System.REGULAR, 1500.0, day), BECAUSE)
    adjust(book, "floor", Adjustment(members[2], System.REGULAR, None, date(2021, 3, 1)), BECAUSE)
    adjust(book, "ceiling", Adjustment(members[1], System.QUICK, 900.0, day), BECAUSE)
    for member in members[72:77]:
        adjust(book, "initial", Adjustment(member, System.BLITZ, 1234.0, date(2020, 1, 1), games=3), BECAUSE)
    for member in members[::4]:
        for number, level in ((0, 2050.0), (1, 1350.0)):
            moved = date(2020, 9, 1 + number)
            with suppress(BookError):
                value = Adjustment(member, System.REGULAR, level, moved, approved_by="A. Director")
                decided = adjust(book, "rating", value, BECAUSE).decision
                if decided is not None and decided % 3 == 0:
                    undo(book, decided, BECAUSE)
        with suppress(BookError):
            enter_prize(book, Prize(member, System.REGULAR, 5000, 1600, date(2021, 2, 1)), BECAUSE)


def test_the_compiled_replay_of_a_book_gives_its_ledger_to_the_last_bit(federation_book: Book) -> None:
    history = History(**history_of(federation_book, with_birth_dates=True))
    with federation_book.reading() as connection:
        rulebook = read_federation(connection).rulebook
        ledger = schema.ledger
        stored = {
            (row.place, row.member_id, row.system): row
            for row in connection.execute(select(ledger).where(ledger.c.superseded_by.is_(None)))
        }
        said = Counter(
            (number, cell.colour)
            for section in read_sections(connection)
            for entry in section.section.entries
            for number, cell in enumerate(entry.rounds, 1)
            if cell.rated
        )
    told = zip(*(history.games[name].to_pylist() for name in ("round", "colour")), strict=True)
    assert Counter((number, {1: "w", -1: "b", 0: ""}[colour]) for number, colour in told) == said
    moved = [key for key, row in stored.items() if row.section_id is None]
    assert Counter(stored.pop(key).formula for key in moved).keys() == {"adjusted", "raised"}
    assert len(moved) > 20
    assert check_history(history, rulebook) == ()
    # Nothing is interpreted here: the comparison is with compiled code.
    replayed = replay(history, rulebook, Options(workings=True, short=0))
    assert replayed.findings == ()
    assert replayed.ledger is not None
    ids = history.members["id"].to_pylist()
    places = [
        place_of(end, event, number)
        for end, event, number in zip(
            history.sections["end"].to_pylist(),
            history.sections["event"].to_pylist(),
            history.sections["number"].to_pylist(),
            strict=True,
        )
    ]
    compared = 0
    for row in replayed.ledger.iter_rows(named=True):
        key = (places[row["section"]], ids[row["member"]], list(System)[row["system"]].value)
        found = stored.pop(key)
        assert found.source == SOURCE_NAMES[row["source"]], key
        assert found.formula == FORMULA_NAMES[row["formula"]], key
        for name in ("games_before", "games"):
            assert getattr(found, name) == (None if math.isinf(row[name]) else row[name]), (key, name)
        for name in (
            "played",
            "rating_before",
            "rating",
            "k",
            "bonus",
            "score",
            "expected",
            "floor_applied",
            "wins",
            "draws",
            "losses",
            "long_events",
            "peak",
            "life_master_games",
            "effective_games",
            "step4",
            "step5",
        ):
            assert getattr(found, name) == row[name], (key, name)
        assert found.at_least == BOUND_NAMES[row["at_least"]], key
        compared += 1
    assert stored == {}
    assert compared > 500


def decided_initial_ratings(book: Book) -> int:
    """Replay a history with and without birth dates and compare every bit; return how many sources differ."""
    with book.reading() as connection:
        rulebook = read_federation(connection).rulebook
    whole, blind = (History(**history_of(book, with_birth_dates=so)) for so in (True, False))
    assert 0 < whole.members["birth_date"].null_count < len(whole.members)
    assert blind.members["birth_date"].null_count == len(blind.members)
    expected, found = (replay(one, rulebook, Options(workings=True)) for one in (whole, blind))
    for table, other in ((expected.ledger, found.ledger), (expected.standings, found.standings)):
        assert table is not None
        assert other is not None
        assert table.drop("source", strict=False).equals(other.drop("source", strict=False))
    assert expected.ledger is not None
    assert found.ledger is not None
    sources = Counter(zip(expected.ledger["source"], found.ledger["source"], strict=True))
    differing = {pair: count for pair, count in sources.items() if pair[0] != pair[1]}
    assert {SOURCE_NAMES[pair[1]] for pair in differing} == {"initial"}
    return sum(differing.values())


def test_the_same_history_is_written_to_files(federation_book: Book, tmp_path: Path) -> None:
    folder = tmp_path / "history"
    steps: list[tuple[int, int]] = []
    written = export_history(federation_book, folder, lambda done, total: steps.append((done, total)))
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{name}.parquet"
        for name in (
            "balances",
            "decisions",
            "entries",
            "foreign_ratings",
            "games",
            "members",
            "published_ratings",
            "sections",
        )
    ]
    assert (written.members, steps[-1][0]) == (80, steps[-1][1])
    in_memory = replay(History(**history_of(federation_book)))
    from_files = replay(folder)
    assert from_files.ledger is not None
    assert in_memory.ledger is not None
    assert from_files.ledger.equals(in_memory.ledger)
    assert decided_initial_ratings(federation_book) > 20
    with pytest.raises(BookError) as refused:
        export_history(federation_book, folder)
    assert refused.value.finding.code == "output-exists"
