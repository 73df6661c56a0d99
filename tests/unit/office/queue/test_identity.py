"""The players of a report are the members whose ids they have, or a warning holds the report back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.reports import stored_report
from ratebook.book.submissions import Status, read_submission
from ratebook.checks import ReportedFacts
from ratebook.model import PlayerFacts, Rating, System
from ratebook.office.decisions.persons import merge
from ratebook.office.decisions.revision import Reason
from ratebook.office.queue.submit import Incoming, accept_warnings, recheck, submit
from ratebook.reports.load import LoadedReport
from support.book_reports import add_members, member_id, report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratebook.book.connection import Book
    from ratebook.office.queue.submit import Submitted

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
NAMES = {1: "Okafor, Zoë", 2: "Hassan, Ravi", 3: "Garcia, Zoltan"}


def with_names(book: Book) -> None:
    add_members(book, 3)
    with book.writing() as connection:
        write_members(connection, [MemberFacts(member_id(at), name) for at, name in NAMES.items()])


def sent(
    book: Book,
    names: tuple[str, str],
    ratings: Mapping[System, float] | None = None,
    pairing: Mapping[str, float] | None = None,
) -> Submitted:
    sheet = report("2026-06-15", [1, 2], ["W2", "L1"])
    stated = {system: Rating(rating) for system, rating in (ratings or {}).items()}
    players = {
        member_id(at): PlayerFacts(
            member_id(at),
            name,
            adult=True,
            ratings=stated if at == 1 else {},
            pairing_rating=(pairing or {}).get(member_id(at)),
        )
        for at, name in enumerate(names, start=1)
    }
    loaded = LoadedReport(sheet._replace(players=players), (), {}, ReportedFacts())
    return submit(book, Incoming(loaded, "a.json", sheet.sections[0].end), ACTOR)


def of_code(submitted: Submitted, code: str) -> list[str]:
    return [one.message + one.remedy for one in submitted.findings if one.code == code]


def test_a_wrong_id_that_exists_holds_the_report_and_names_the_member_meant(book: Book) -> None:
    with_names(book)
    submitted = sent(book, ("Garcia, Zoltan", "R. Hassan"))
    (said,) = of_code(submitted, "member-name-differs")
    assert submitted.status is Status.HELD
    assert said.startswith(
        "The report calls 90000001 Garcia, Zoltan, but the book calls this id Okafor, Zoë."
    )
    assert "90000003 (Garcia, Zoltan)" in said
    assert submitted.number is not None
    again = recheck(book, submitted.number, ACTOR)
    assert len(of_code(again, "member-name-differs")) == 1
    accepted = accept_warnings(book, {submitted.number: ["member-name-differs"]}, ACTOR, "married")
    assert list(accepted.statuses) == [submitted.number]


def test_a_merged_member_may_have_either_name(book: Book) -> None:
    with_names(book)
    merge(book, member_id(3), member_id(1), Reason(ACTOR, "married", ["merge-doubtful"]))
    assert of_code(sent(book, ("Zoltan Garcia", "Hassan")), "member-name-differs") == []


@pytest.mark.parametrize(
    ("ratings", "pairing", "said"),
    [
        ({}, {member_id(1): 1800.0}, "seat 1, Okafor: 1800 (pairing), book unrated"),
        ({System.QUICK: 1750.4}, {}, "seat 1, Okafor: 1750 (quick), book unrated"),
        ({}, {}, ""),
    ],
)
def test_a_rating_before_that_the_book_does_not_have_is_said_and_said_again(
    book: Book, ratings: Mapping[System, float], pairing: Mapping[str, float], said: str
) -> None:
    with_names(book)
    submitted = sent(book, ("Okafor", "Hassan"), ratings, pairing)
    assert submitted.number is not None
    for found in (submitted, recheck(book, submitted.number, ACTOR)):
        messages = of_code(found, "rating-before-not-in-book")
        assert len(messages) == bool(said)
        assert all(said in message for message in messages)


def test_a_player_is_found_by_the_fide_id_and_another_fide_id_is_a_warning(book: Book) -> None:
    add_members(book, 3)
    with book.writing() as connection:
        facts = [MemberFacts(member_id(at), name, fide_id=f"150301{at}") for at, name in NAMES.items()]
        write_members(connection, facts)
    sheet = report("2026-06-15", [1, 2], ["W2", "L1"])
    (section,) = sheet.sections
    entries = (section.entries[0]._replace(player="seat-1"), section.entries[1])
    players = {
        "seat-1": PlayerFacts("seat-1", NAMES[1], fide_id="1503011"),
        member_id(2): PlayerFacts(member_id(2), NAMES[2], fide_id="1503013"),
    }
    sent_in = sheet._replace(players=players, sections=(section._replace(entries=entries),))
    loaded = LoadedReport(sent_in, (), {}, ReportedFacts())
    submitted = submit(book, Incoming(loaded, "a.txt", section.end), ACTOR)
    codes = {one.code for one in submitted.findings}
    assert {"member-by-fide-id", "fide-id-differs"} <= codes
    assert not {"member-unknown", "member-name-differs"} & codes
    with book.reading() as connection:
        assert submitted.number is not None
        row = read_submission(connection, submitted.number)
        assert row is not None
        assert stored_report(row)[0].players.keys() == {member_id(1), member_id(2)}


@pytest.mark.parametrize(
    ("typed", "message", "remedy"),
    [
        ("9OOOOOOl", "does not have the form", "Perhaps 90000001 (Okafor, Zoë) is meant"),
        ("seat-1", "has no member id", "Perhaps 90000001 (Okafor, Zoë) is meant; write the id"),
        ("new", "has no member id", "Perhaps 90000001 (Okafor, Zoë) is meant; write the id"),
        ("90000051", "no member with this id.", "Perhaps 90000001 (Okafor, Zoë) is meant"),
    ],
)
def test_an_id_that_is_mistyped_or_missing_is_named_as_such(
    book: Book, typed: str, message: str, remedy: str
) -> None:
    with_names(book)
    sheet = report("2026-06-15", [1, 2], ["W2", "L1"])
    (section,) = sheet.sections
    players = {typed: PlayerFacts(typed, NAMES[1]), member_id(2): PlayerFacts(member_id(2), NAMES[2])}
    entries = (section.entries[0]._replace(player=typed), section.entries[1])
    sent_in = sheet._replace(players=players, sections=(section._replace(entries=entries),))
    submitted = submit(
        book, Incoming(LoadedReport(sent_in, (), {}, ReportedFacts()), "a.txt", section.end), ACTOR
    )
    (found,) = [one for one in submitted.findings if one.code == "member-unknown"]
    assert message in found.message
    assert remedy in found.remedy
