"""Reading stays quick in a large book: what a page or a rating needs is found through indexes."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from benchmarks.book_contents import PLAYERS, Crowd, fill_large_book
from sqlalchemy import text

from ratebook.book.events import EventQuestion, find_events, read_sections, seated_later
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import MemberQuestion, find_members
from ratebook.book.facts.near_members import near_members
from ratebook.book.facts.reported_sections import same_sections, store_sections
from ratebook.book.ledger.changes import first_rated
from ratebook.book.ledger.history import rated_years, rating_series
from ratebook.book.ledger.lists import ListQuestion
from ratebook.book.ledger.official import list_in_effect, rating_for_matches
from ratebook.book.ledger.opponents import played_games
from ratebook.book.ledger.postings import NewPosting, PendingPosting, Postings
from ratebook.book.ledger.read import load_current, load_matches, load_standings, posted_sections
from ratebook.book.profile import Profile, read_federation
from ratebook.model import Shown, System
from ratebook.office.creation import create_book
from ratebook.pages.changes import changes_page, event_changes, what_waits
from ratebook.pages.event import event_page, section_tables
from ratebook.pages.member import history, history_page, member_page
from ratebook.pages.official.lists import list_page, lists_compared, official_months
from ratebook.pages.official.ranking import ranking
from ratebook.pages.opponents import opposition_of
from support.office_round import ACTOR
from support.postgresql import new_database
from support.web.query_plans import scanned, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from ratebook.book.connection import Book

LEDGER_ROWS = 21_000
CROWD = Crowd(1_000)
SOMEBODY = [CROWD.id(number) for number in range(PLAYERS)]
DAY = date(2010, 3, 1)
PLACE = "2010-03-01"
FIRST_EVENT = "201001020001"


def _listed_rating(connection: Connection, day: date) -> Shown | None:
    federation = read_federation(connection)
    in_effect = list_in_effect(connection, federation, day)
    return rating_for_matches(connection, federation, SOMEBODY[3], System.REGULAR, in_effect)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def large_book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    """Give a book with a long history, once in each store."""
    if request.param == "sqlite":
        place = str(tmp_path_factory.mktemp("large") / "large.book")
    else:
        place = new_database(request.getfixturevalue("server"))
    made = create_book(place, Profile(), ACTOR)
    fill_large_book(made, ACTOR, ledger_rows=LEDGER_ROWS, crowd=CROWD)
    yield made
    made.close()


READS: dict[str, Callable[[Connection], object]] = {
    "a member's page": lambda connection: member_page(
        connection, read_federation(connection), SOMEBODY[3], DAY
    ),
    "members by how a word of their name begins": lambda connection: find_members(
        connection, MemberQuestion(SOMEBODY[9][:-1])
    ),
    "members by a part of their id": lambda connection: find_members(
        connection, MemberQuestion(SOMEBODY[9][:-1], id_parts=True)
    ),
    "members whose id is nearly the one that is looked for": lambda connection: near_members(
        connection, f"8{SOMEBODY[9][1:]}"
    ),
    "a member's history": lambda connection: history(connection, read_federation(connection), SOMEBODY[3]),
    "the newest of a member's history": lambda connection: history_page(
        connection, read_federation(connection), SOMEBODY[3], most=10
    ),
    "a graph of a member's ratings": lambda connection: rating_series(connection, SOMEBODY[3]),
    "the years of a member": lambda connection: rated_years(connection, SOMEBODY[3]),
    "what was changed for a member": lambda connection: changes_page(
        connection, read_federation(connection), SOMEBODY[3], most=10
    ),
    "what was changed in an event": lambda connection: event_changes(connection, FIRST_EVENT, most=10),
    "when an event was first rated": lambda connection: first_rated(connection, FIRST_EVENT),
    "what waits for a member": lambda connection: [what_waits(connection, SOMEBODY[3], DAY)],
    "a member's opponents": lambda connection: opposition_of(
        connection, read_federation(connection), SOMEBODY[3], System.REGULAR
    ),
    "two members against each other": lambda connection: played_games(
        connection, SOMEBODY[3], played_games(connection, SOMEBODY[3])[0].opponent
    ),
    "a ranking": lambda connection: ranking(
        connection, read_federation(connection), System.REGULAR, today=DAY, most=10
    ),
    "an official list by rating": lambda connection: list_page(
        connection, "2010-03", ListQuestion(system=System.REGULAR, after=SOMEBODY[3], most=10)
    ),
    "two official lists": lambda connection: lists_compared(connection, "2010-02", "2010-03", System.REGULAR),
    "a member's official ratings": lambda connection: official_months(connection, SOMEBODY[3]),
    "a crosstable": lambda connection: section_tables(connection, read_federation(connection), FIRST_EVENT),
    "an event": lambda connection: event_page(connection, FIRST_EVENT),
    "a page of events": lambda connection: find_events(connection, EventQuestion(most=20)),
    "events of a name": lambda connection: find_events(connection, EventQuestion("open", most=20)),
    "the state before a place": lambda connection: load_standings(connection, SOMEBODY, PLACE),
    "what is known of members": lambda connection: load_member_files(connection, SOMEBODY),
    "earlier matches": lambda connection: load_matches(connection, SOMEBODY, PLACE),
    "who sits in later sections": lambda connection: seated_later(connection, SOMEBODY, PLACE),
    "what of an event is rated": lambda connection: posted_sections(connection, [FIRST_EVENT]),
    "the postings of a section": lambda connection: load_current(connection, [17]),
    "the sections of an event": lambda connection: list(read_sections(connection, event_id=FIRST_EVENT)),
    "the first section from a place on": lambda connection: next(read_sections(connection, since=PLACE)),
    "a rating by the list of a day": lambda connection: _listed_rating(connection, DAY),
    "a rating of a month without a list": lambda connection: _listed_rating(connection, date(2015, 3, 1)),
}


@pytest.mark.long
@pytest.mark.parametrize("read", READS)
def test_a_large_table_is_read_through_an_index(large_book: Book, read: str) -> None:
    with large_book.reading() as connection:
        with statements(large_book) as asked:
            assert READS[read](connection)
        assert asked
        for statement, parameters in asked:
            assert scanned(connection, statement, parameters) == [], statement


def test_rows_that_give_way_are_found_by_their_section(large_book: Book) -> None:
    with large_book.writing() as connection, statements(large_book) as asked:
        known = load_current(connection, [17]).postings[17][System.REGULAR]
        new = NewPosting(known.run, 17, System.REGULAR, known.place, False, known.rules, "")
        postings = Postings(connection)
        postings.add(PendingPosting(new, (), known.id, list(known.rows), all_closed=True))
        postings.write()
        closing = [one for one in asked if one[0].startswith("UPDATE ledger")]
        assert len(closing) == 1
        assert scanned(connection, *closing[0]) == []
        assert not load_current(connection, [17]).postings[17][System.REGULAR].rows
        connection.rollback()


def test_a_section_that_came_before_is_found_by_what_was_played(large_book: Book) -> None:
    with large_book.writing() as connection:
        submission = connection.execute(text("SELECT min(id) FROM submissions")).scalar_one()
        store_sections(connection, submission, {number: f"{number:032}" for number in range(1, 5_000)})
        with statements(large_book) as asked:
            (same,) = same_sections(connection, {1: f"{42:032}", 2: "unknown"})
        assert (same.section, same.number, same.submission) == (1, 42, submission)
        for statement, parameters in asked:
            assert scanned(connection, statement, parameters) == [], statement
        connection.rollback()


def test_a_question_without_an_index_is_found_out(large_book: Book) -> None:
    with large_book.reading() as connection:
        with statements(large_book) as asked:
            connection.execute(text("SELECT count(*) FROM ledger WHERE rating = 1500"))
        assert scanned(connection, *asked[0])
