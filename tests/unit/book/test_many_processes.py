"""Several processes work with one book at once: nothing is lost, doubled, or seen half done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from support.book_reports import add_members, send
from support.hang_guard import HANG_GUARD
from support.office_round import ACTOR, final_state, half_done, opened
from unit.book import office_at_work
from unit.book.office_at_work import EVENTS, MEMBERS, digest_of, event

if TYPE_CHECKING:
    from ratebook.book.connection import Book

pytestmark = pytest.mark.long

SWITCHES = 2


@pytest.fixture
def place(empty_place: str) -> str:
    """Give the place of a book with members, once in each store."""
    made = create_book(empty_place, Profile(), ACTOR)
    add_members(made, MEMBERS)
    made.close()
    return empty_place


def at_work(place: str, *work: str) -> subprocess.Popen[str]:
    """Start a process that works with the book at *place*."""
    script = Path(office_at_work.__file__)
    path = os.pathsep.join([str(script.parents[2]), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, str(script), place, *work],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def finished(process: subprocess.Popen[str]) -> str:
    """Wait for a process and return what it printed."""
    out, findings = process.communicate("stop\n", timeout=HANG_GUARD)
    assert process.returncode == 0, findings
    return out


def in_one_process(book: Book) -> dict[str, list[tuple[object, ...]]]:
    """Return what holds when one process does everything."""
    for number in range(EVENTS):
        send(book, event(number), ACTOR)
    rate_ready(book, ACTOR)
    rerate(book, ACTOR)
    return final_state(book)


def test_two_processes_send_and_rate_while_a_third_rates_again(place: str, tmp_path: Path) -> None:
    alone = create_book(str(tmp_path / "alone.book"), Profile(), ACTOR)
    add_members(alone, MEMBERS)
    expected = in_one_process(alone)
    alone.close()

    again = at_work(place, "rerate")
    senders = [at_work(place, "send", str(first), "2") for first in range(2)]
    for one in senders:
        finished(one)
    finished(again)
    with opened(place) as book:
        # A report that another process was just about to rate may still be ready.
        rate_ready(book, ACTOR)
        rerate(book, ACTOR)
        assert final_state(book) == expected
        assert half_done(book) == []


def test_a_reader_sees_the_book_before_a_re_rating_or_after_it(place: str) -> None:
    with opened(place) as book:
        in_one_process(book)
        first = event(0)
        states = [digest_of(book)]
        reader = at_work(place, "read")
        assert reader.stdout is not None
        assert reader.stdout.readline().strip() == states[0]
        for turn in range(SWITCHES):
            letter = "D" if turn % 2 == 0 else "W"
            correct_result(
                book,
                SectionRef(first.event.id, 1),
                GameResult(1, 1, letter),
                Reason(ACTOR, "a test", ["all"]),
            )
            assert rerate(book, ACTOR).rated > 1
            states.append(digest_of(book))
        seen = {line.strip() for line in finished(reader).splitlines()}
    assert len(set(states)) == 2, "each correction takes the one before back"
    assert seen
    assert seen <= set(states)
