"""A preview says what submitting and rating would: nothing of it is kept."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.failures import BookError
from ratebook.book.ledger.rows import rows_of
from ratebook.book.reports import stored_report
from ratebook.book.submissions import read_submission, waiting
from ratebook.checks import ReportedFacts
from ratebook.model import Cell, PlayerFacts, Rating, System
from ratebook.office.queue import preview as of_preview
from ratebook.office.queue.preview import preview
from ratebook.office.queue.submit import Incoming
from ratebook.office.rating.explain import explain_rating
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.reports.load import LoadedReport
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook
from support.book_reports import add_members, current_ledger, member_id, open_at, report, send

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book
    from ratebook.model import Report
    from ratebook.office.queue.preview import Preview

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
ROUNDS = ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]


def previewed(book: Book, report: Report) -> Preview:
    with book.reading() as connection:
        end = report.sections[-1].end
        return preview(
            connection, Incoming(LoadedReport(report, (), {}, ReportedFacts()), "report.json", end)
        )


def two_sections() -> Report:
    first = report("2025-03-08", [1, 2, 3, 4], ROUNDS)
    second = report("2025-03-09", [4, 3, 2, 1], ROUNDS, number=2, time_control="G/30;d5")
    event = first.event._replace(end=second.event.end)
    return first._replace(event=event, sections=first.sections + second.sections)


def test_the_ratings_of_a_preview_are_those_that_are_posted(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    send(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS), ACTOR)
    rate_ready(book, ACTOR)
    before = current_ledger(book)
    shown = previewed(book, two_sections())
    with book.reading() as connection:
        assert waiting(connection) == []
    assert current_ledger(book) == before
    sent = send(book, two_sections(), ACTOR)
    assert (sent.event_id, sent.findings) == (shown.examined.event_id, shown.findings)
    rate_ready(book, ACTOR)
    posted = {key: row for key, row in current_ledger(book).items() if key[2] == sent.event_id}
    assert len(shown.sections) == 3
    by_preview = {
        (one.section.number, member, one.system): row
        for one in shown.sections
        for member, row in rows_of(one).items()
    }
    last = {(member, system): row for (_, member, system), row in sorted(by_preview.items())}
    assert {(member, system): row for (member, system, _), row in posted.items()} == last


def test_a_preview_names_the_id_that_the_book_does_not_know(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 3)
    shown = previewed(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS))
    assert [one.code for one in shown.findings if one.severity == "error"] == ["member-unknown"]
    assert member_id(4) in next(one.where for one in shown.findings if one.code == "member-unknown")


def test_no_figure_of_a_preview_depends_on_an_age(new_book: Callable[[], Book]) -> None:
    """Members 1 and 2 are rated; 3 and 4 are not, and 4 is of another age in each book."""
    shown, computed = [], []
    for born in (1960, 2014):
        book = new_book()
        add_members(book, 5)
        open_at(book, 1, 1500, ACTOR)
        open_at(book, 2, 1600, ACTOR)
        with book.writing() as connection:
            write_members(connection, [MemberFacts(member_id(4), "EXAMPLE, PLAYER 4", date(born, 1, 1))])
        made = [
            previewed(book, report("2026-03-01", seats, rounds, time_control="G/90;d5"))
            for seats, rounds in (
                ([3, 4], ["D2", "D1"]),
                ([1, 2, 3, 4], ["W2 D3", "L1 W4", "W4 D1", "L3 L2"]),
            )
        ]
        shown.append([[one.tables(), one.withheld] for one in made])
        assert made[0].withheld == {(1, "regular", 1), (1, "regular", 2)}
        assert {(row.after, row.withheld) for row in made[0].tables()[0].lines} == {(None, True)}
        computed.append([entry.after for entry in made[0].sections[0].entries])
        rated = {row.seat: row.withheld for row in made[1].tables()[0].lines}
        assert not rated[1]
    assert shown[0] == shown[1]
    assert computed[0] != computed[1]


def test_a_member_without_a_game_is_shown_with_the_rating_that_stays(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 3)
    for at, points in enumerate((1500, 1600, 1400), start=1):
        open_at(book, at, points, ACTOR)
    own = report("2026-03-01", [1, 2, 3], ["W2", "L1", "B"], time_control="G/90;d5")
    (table,) = previewed(book, own).tables()
    shown = {row.seat: (row.before, row.after) for row in table.lines}
    assert [rating and rating.rating for rating in shown[3]] == [1400, 1400]
    sent = send(book, own, ACTOR)
    rate_ready(book, ACTOR)
    assert {member for member, _, event in current_ledger(book) if event == sent.event_id} == {
        member_id(1),
        member_id(2),
    }
    with pytest.raises(BookError) as refused:
        explain_rating(book, member_id(3), sent.event_id)
    assert refused.value.finding.code == "nothing-to-explain"


def test_a_report_that_takes_too_long_is_checked_and_not_rated(
    new_book: Callable[[], Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = new_book()
    add_members(book, 4)
    monkeypatch.setattr(of_preview, "MOST_RESULTS", 7)
    shown = previewed(book, report("2025-03-01", [1, 2, 3, 4], ROUNDS))
    assert shown.examined.report is not None
    assert shown.sections == ()
    assert "preview-without-ratings" in {one.code for one in shown.findings}


def test_a_preview_of_what_was_sent_before_says_so(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 4)
    sent = send(book, two_sections(), ACTOR)
    shown = previewed(book, two_sections())
    assert shown.examined.known is not None
    assert shown.examined.known.id == sent.number
    assert [one.code for one in shown.findings] == ["report-submitted-already"]


NEWCOMER = PlayerFacts("")


def with_newcomer(key: str, facts: PlayerFacts = NEWCOMER) -> Report:
    """Return a report of members 1 to 3 and of a player at seat 4 whom the book does not know."""
    first = report("2025-03-01", [1, 2, 3, 4], ROUNDS)
    stranger = facts._replace(id=key, name="NEWMAN, ZOE")
    players = {player: known for player, known in first.players.items() if player != member_id(4)}
    entries = [seat._replace(player=key) if seat.seat == 4 else seat for seat in first.sections[0].entries]
    section = first.sections[0]._replace(entries=tuple(entries))
    return first._replace(players={**players, key: stranger}, sections=(section,))


@pytest.mark.parametrize("key", ["seat-4", "99999999"])
def test_a_newcomer_is_rated_as_a_person_of_its_own_and_holds_the_report_back(
    new_book: Callable[[], Book], key: str
) -> None:
    book = new_book()
    add_members(book, 3)
    shown = previewed(book, with_newcomer(key))
    lines = shown.tables()[0].lines
    assert {line.seat for line in lines} == {1, 2, 3, 4}
    assert all(line.after is not None or line.withheld for line in lines)
    assert [line.name for line in lines if line.seat == 4] == ["NEWMAN, ZOE"]
    assert shown.newcomers == {key}
    assert {one.code for one in shown.findings if one.severity == "error"} == {"member-unknown"}


def test_the_command_line_gives_a_newcomer_the_rating_of_the_preview(new_book: Callable[[], Book]) -> None:
    """In a book whose members were never rated, the report says all there is to know."""
    book = new_book()
    add_members(book, 3)
    for facts in (
        NEWCOMER,
        PlayerFacts("", birth_date=date(2012, 1, 1)),
        PlayerFacts("", ratings={System.REGULAR: Rating(1500, 12)}),
    ):
        sent = with_newcomer("seat-4", facts)
        # The book has the birth dates of the members (`add_members`).
        dated = {
            member_id(number): sent.players[member_id(number)]._replace(birth_date=date(1960 + number, 1, 1))
            for number in (1, 2, 3)
        }
        at_prompt = sent._replace(players={**sent.players, **dated})
        rated = rate_report(at_prompt, load_rulebook()).sections[0]
        by_preview = previewed(book, sent).sections[0]
        assert [entry.after for entry in by_preview.entries] == [entry.after for entry in rated.entries]


def test_a_newcomer_in_two_sections_carries_the_first_rating_into_the_second(
    new_book: Callable[[], Book],
) -> None:
    book = new_book()
    add_members(book, 3)
    first = with_newcomer("99999999")
    later = first.sections[0]._replace(number=2, start=date(2025, 3, 2), end=date(2025, 3, 2))
    event = first.event._replace(end=date(2025, 3, 2))
    shown = previewed(book, first._replace(event=event, sections=(*first.sections, later)))
    after_first = next(entry.after for entry in shown.sections[0].entries if entry.seat == 4)
    before_second = next(entry.before for entry in shown.sections[1].entries if entry.seat == 4)
    assert after_first is not None
    assert (before_second.source, before_second.rating) == ("rated", after_first.rating)


def test_another_error_keeps_a_newcomers_report_from_being_rated(new_book: Callable[[], Book]) -> None:
    book = new_book()
    add_members(book, 3)
    sent = with_newcomer("seat-4")
    wrong = sent.sections[0].entries[0]._replace(rounds=(Cell("L", 2), Cell("D", 3)))
    section = sent.sections[0]._replace(entries=(wrong, *sent.sections[0].entries[1:]))
    shown = previewed(book, sent._replace(sections=(section,)))
    assert shown.sections == ()


@pytest.mark.parametrize(
    "newcomer",
    [
        PlayerFacts(member_id(4), "NEW, PLAYER", birth_date=date(1991, 3, 2)),
        PlayerFacts(member_id(4), "NEW, PLAYER", adult=True),
    ],
)
def test_the_age_that_a_report_says_of_a_newcomer_is_used_and_not_asked_for(
    new_book: Callable[[], Book], newcomer: PlayerFacts
) -> None:
    book = new_book()
    add_members(book, 3)
    for number in (1, 2, 3):
        open_at(book, number, 1500, ACTOR)
    untold = report("2026-03-01", [1, 2, 3, 4], ROUNDS, time_control="G/90;d5")
    with_age = untold._replace(players={**untold.players, newcomer.id: newcomer})
    asked = "unrated-without-birth-date"
    assert asked in {one.code for one in previewed(book, untold).findings}
    shown = previewed(book, with_age)
    assert asked not in {one.code for one in shown.findings}
    assert shown.sections[0].entries[3].after != previewed(book, untold).sections[0].entries[3].after
    sent = send(book, with_age, ACTOR)
    assert asked not in {one.code for one in sent.findings}
    assert sent.number is not None
    with book.reading() as connection:
        row = read_submission(connection, sent.number)
    assert row is not None
    kept = stored_report(row)[0].players
    assert kept[newcomer.id] == newcomer
    known = member_id(1)
    assert kept[known] == PlayerFacts(known, kept[known].name)
