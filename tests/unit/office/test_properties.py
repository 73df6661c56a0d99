"""Random small histories: neither the order of arrival nor what was corrected and undone leaves a trace."""

from __future__ import annotations

import functools
import operator
import shutil
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from ratebook.book import schema
from ratebook.book.audit import BOOK
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.decisions import Decision, decide
from ratebook.book.ledger.read import CURRENT
from ratebook.book.profile import Profile
from ratebook.book.reports import report_hashes
from ratebook.model import Bound, PlayerFacts, Rating, SectionType, System
from ratebook.office.creation import create_book
from ratebook.office.decisions.events import GameResult, correct_result, undo
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.rating.rate import facts_after, merged
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.book_reports import add_members, member_id, report, send
from support.office_round import ACTOR, final_state, half_done, opened
from support.postgresql import drop_database, new_database
from support.whole_run import examples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.book.connection import Book
    from ratebook.model import Report

pytestmark = pytest.mark.long

MEMBERS = 8
RATED_BEFORE = {7: Rating(1500.0, 60.0, peak=1512.0), 8: Rating(1541.5, 40.0, peak=1541.5)}
"""Members with an opening balance; they alone play matches, in which nobody may be unrated."""

FIRST_DAY = date(2025, 1, 4)
BALANCE_DAY = date(2024, 12, 1)
"""Before the official list of the first month was closed: players of a match need an official rating."""
DAYS = 12
"""Few enough that events often end on the same day."""

CONTROLS = ("G/90;d5", "G/45;d5", "G/10;d0", "G/5;d0")
PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
WHY = Reason(ACTOR, "a test", ["all"])


class History(NamedTuple):
    """Events, and how they arrive.

    Attributes:
        arrival: their places, in the order in which they arrive.
        rated_after, rerated_after: after which arrivals what is ready is rated, and everything that waits re-rated.
    """

    reports: tuple[Report, ...]
    arrival: tuple[int, ...]
    rated_after: frozenset[int]
    rerated_after: frozenset[int]


@st.composite
def reports(draw: st.DrawFn, number: int, matches: bool) -> Report:  # noqa: FBT001 - hypothesis passes it on
    """Return a report of one section; *number* makes its event id unique."""
    day = FIRST_DAY + timedelta(days=draw(st.integers(0, DAYS - 1)))
    # The order of events on a day is not the order of their making.
    event_id = f"{day:%Y%m%d}{draw(st.integers(0, 99)):02d}{number:02d}"
    is_match = matches and draw(st.integers(0, 7)) == 0
    players = (7, 8) if is_match else draw(st.permutations(range(1, MEMBERS + 1)))[: draw(st.integers(2, 6))]
    rounds: list[list[str]] = [[] for _ in players]
    for _ in range(draw(st.integers(2, 4) if is_match else st.integers(1, 3))):
        order = range(len(players)) if is_match else draw(st.permutations(range(len(players))))
        for seat, other in zip(order[::2], order[1::2], strict=False):
            letter = draw(st.sampled_from("WLDWLDWLD" if is_match else "WLDWLDWLDNSR"))
            rounds[seat].append(f"{letter}{other + 1}")
            # A result that one side alone has reported: the other may have no game at all.
            rounds[other].append("U" if letter in "NSR" else f"{'LWD'['WLD'.index(letter)]}{seat + 1}")
        if len(players) % 2:
            rounds[order[-1]].append("H")
    control = "G/90;d5" if is_match else draw(st.sampled_from(CONTROLS))
    return report(
        day.isoformat(),
        players,
        [" ".join(cells) for cells in rounds],
        event_id=event_id,
        time_control=control,
        kind=SectionType.MATCH if is_match else SectionType.SWISS,
        online=not is_match and control != "G/90;d5" and draw(st.integers(0, 4)) == 0,
    )


@st.composite
def histories(draw: st.DrawFn, *, matches: bool = True) -> History:
    """Return histories of two to six events."""
    count = draw(st.integers(2, 6))
    places = st.sets(st.integers(0, count - 1)).map(frozenset)
    played = [draw(reports(number, matches)) for number in range(count)]
    # The office refuses a report that says what another said, and a match that is one too many.
    assume(len({report_hashes(one, "").content_hash for one in played}) == count)
    assume(sum(one.sections[0].type is SectionType.MATCH for one in played) <= 1)
    return History(tuple(played), tuple(draw(st.permutations(range(count)))), draw(places), draw(places))


def new_book_at(place: str) -> None:
    """Make the book that every history begins with."""
    made = create_book(place, Profile(), ACTOR)
    add_members(made, MEMBERS)
    with made.writing() as connection:
        decision = decide(connection, ACTOR, Decision("opening-balance", BOOK, "the book begins"))
        note_linked(connection, Linked.MEMBER, map(member_id, RATED_BEFORE))
        connection.execute(
            insert(schema.opening_balances),
            [
                {
                    "member_id": member_id(number),
                    "system": System.REGULAR.value,
                    "as_of": BALANCE_DAY,
                    "rating": rating.rating,
                    "games": rating.games,
                    "peak": rating.peak,
                    "floors": "",
                    "decision_id": decision,
                }
                for number, rating in RATED_BEFORE.items()
            ],
        )
    made.close()


class Books:
    """Copies of the same new book, in one store."""

    def __init__(self, folder: Path, server: str = "") -> None:
        self.folder, self.server, self.copied = folder, server, ""
        self.first = new_database(server) if server else str(folder / "first.book")
        new_book_at(self.first)

    def copy(self) -> str:
        """Return the place of a new copy."""
        if self.server:
            if self.copied:
                drop_database(self.server, self.copied)
            self.copied = new_database(self.server, self.first)
            return self.copied
        place = self.folder / "copy.book"
        for ending in ("-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
        return str(shutil.copyfile(self.first, place))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Give books in SQLite."""
    return Books(tmp_path_factory.mktemp("histories"))


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory, server: str) -> Books:
    """Give books in PostgreSQL."""
    return Books(tmp_path_factory.mktemp("histories"), server)


many = settings(examples(20), phases=PHASES)
few = settings(max_examples=2, phases=PHASES)


def in_order(book: Book, reports: tuple[Report, ...]) -> None:
    """Rate *reports* one after the other, in the order of history; nothing has to be rated again."""
    for one in sorted(reports, key=lambda one: (one.sections[0].end, one.event.id)):
        send(book, one, ACTOR)
        assert not rate_ready(book, ACTOR).posted[0].late


def as_they_arrive(book: Book, history: History) -> None:
    """Rate the reports as they arrive, and everything again in the end that waits."""
    for turn, at in enumerate(history.arrival):
        send(book, history.reports[at], ACTOR)
        if turn in history.rated_after:
            rate_ready(book, ACTOR)
        if turn in history.rerated_after:
            rerate(book, ACTOR)
    rate_ready(book, ACTOR)
    rerate(book, ACTOR)


def check_arrival(books: Books, history: History) -> None:
    """Compare a history in order with the same history as it arrives."""
    with opened(books.copy()) as book:
        in_order(book, history.reports)
        expected = final_state(book)
    with opened(books.copy()) as book:
        as_they_arrive(book, history)
        assert final_state(book) == expected
        assert half_done(book) == []


@many
@given(histories())
def test_reports_in_any_order_of_arrival_give_the_same_ledger_bit_for_bit(
    files: Books, history: History
) -> None:
    check_arrival(files, history)


@few
@given(histories())
def test_on_a_server_reports_in_any_order_give_the_same_ledger(databases: Books, history: History) -> None:
    check_arrival(databases, history)


def chained(reports: tuple[Report, ...]) -> dict[tuple[str, System], Rating]:
    """Rate *reports* section by section with nothing but the engine, the facts carried on in a dictionary."""
    facts = {
        member_id(number): PlayerFacts(member_id(number), birth_date=date(1960 + number % 50, 1, 1))
        for number in range(1, MEMBERS + 1)
    }
    for number, rating in RATED_BEFORE.items():
        known = facts[member_id(number)]
        facts[known.id] = known._replace(ratings={System.REGULAR: rating._replace(as_of=BALANCE_DAY)})
    rulebook = load_rulebook()
    for one in sorted(reports, key=lambda one: (one.sections[0].end, one.event.id)):
        rated = rate_report(one._replace(players={player: facts[player] for player in one.players}), rulebook)
        assert rated.sections, rated.findings
        for section in rated.sections:
            for player, after in facts_after(section).items():
                facts[player] = merged(facts[player], after, section.system)
    return {
        (player, system): rating._replace(as_of=None)
        for player, known in facts.items()
        for system, rating in known.ratings.items()
        if rating.as_of != BALANCE_DAY
    }


def newest(book: Book) -> Iterator[tuple[tuple[str, System], Rating]]:
    """Yield the newest current rating of each member and system."""
    ledger = schema.ledger
    with book.reading() as connection:
        for row in connection.execute(select(ledger).where(CURRENT).order_by(ledger.c.place)):
            kept = {name: getattr(row, name) for name in Rating._fields if hasattr(row, name)}
            bounds = (Bound[word.upper()] for word in (row.at_least or "").split())
            kept["at_least"] = functools.reduce(operator.or_, bounds, Bound(0))
            yield (row.member_id, System(row.system)), Rating(**kept)


@many
@given(histories(matches=False))
def test_the_ledger_ends_where_the_engine_alone_ends(files: Books, history: History) -> None:
    with opened(files.copy()) as book:
        as_they_arrive(book, history)
        found = dict(newest(book))
    assert found == chained(history.reports)


@many
@given(histories(), st.data())
def test_a_correction_that_is_undone_leaves_no_trace_in_the_ratings(
    files: Books, history: History, data: st.DataObject
) -> None:
    corrected = data.draw(st.sampled_from(history.reports))
    section = corrected.sections[0]
    seat, turn = data.draw(
        st.sampled_from(
            [
                (entry.seat, number)
                for entry in section.entries
                for number, cell in enumerate(entry.rounds, start=1)
                if cell.rated
            ]
        )
    )
    before = section.entries[seat - 1].rounds[turn - 1].letter
    letter = data.draw(
        st.sampled_from([one for one in ("NSR" if before in "NSR" else "WLD") if one != before])
    )
    with opened(files.copy()) as book:
        in_order(book, history.reports)
        expected = final_state(book)
        at = SectionRef(corrected.event.id, 1)
        decided = correct_result(book, at, GameResult(seat, turn, letter), WHY)
        if data.draw(st.booleans()):
            rerate(book, ACTOR)
            assert final_state(book)["ledger"] != expected["ledger"]
            assert half_done(book) == []
        assert decided.decision is not None
        undo(book, decided.decision, WHY)
        rerate(book, ACTOR)
        found = final_state(book)
        assert half_done(book) == []
    assert {**found, "submissions": []} == {**expected, "submissions": []}
