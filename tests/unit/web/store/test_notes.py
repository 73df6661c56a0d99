"""Notes on reports, and who has them, in each store."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.office.creation import create_book
from ratebook.web.store.accounts import Role, add_account
from ratebook.web.store.opening import open_store, store_beside
from ratebook.web.store.reports.notes import (
    Note,
    NoteReader,
    add_note,
    asked_by_office,
    forget_notes,
    give_back,
    holders,
    read_notes,
    take_report,
    unanswered,
)

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def test_a_report_is_had_by_one_person_and_noted_on_by_several(empty_place: str) -> None:
    create_book(empty_place, Profile(), Actor("office", "2026-11-20T12:00:00Z")).close()
    with closing(open_store(store_beside(empty_place))) as store, store.writing() as connection:
        ann, ben = (add_account(connection, name, Role.OFFICE, "", (), AT) for name in ("Ann", "Ben"))
        assert ann is not None
        assert ben is not None
        take_report(connection, 7, ann.id, AT)
        take_report(connection, 9, ann.id, AT)
        take_report(connection, 7, ben.id, AT)
        assert holders(connection, [7, 8, 9]) == {7: "Ben", 9: "Ann"}
        assert holders(connection, [9]) == {9: "Ann"}
        give_back(connection, 7)
        give_back(connection, 8)
        assert holders(connection, [7, 8, 9]) == {9: "Ann"}
        add_note(connection, 7, ann.id, "The director is ill.", AT)
        add_note(connection, 7, ben.id, "He wrote back.", AT + timedelta(minutes=5))
        add_note(connection, 8, ben.id, "Another report.", AT)
        add_note(connection, 9, ben.id, "Is player 3 new?", AT, reader=NoteReader.SENDER)
        assert read_notes(connection, 7) == [
            Note("Ann", "2026-11-22T12:00:00Z", "The director is ill.", NoteReader.OFFICE),
            Note("Ben", "2026-11-22T12:05:00Z", "He wrote back.", NoteReader.OFFICE),
        ]
        cal = add_account(connection, "Cal", Role.DIRECTOR, "", (), AT)
        assert cal is not None
        assert asked_by_office(connection, cal.id, [7, 8, 9]) == {9}
        assert asked_by_office(connection, cal.id, [7, 8]) == set()
        # What the office notes for itself is no letter, and an answer ends the question.
        add_note(connection, 9, ann.id, "I asked on the telephone.", AT)
        assert asked_by_office(connection, cal.id, [9]) == {9}
        assert unanswered(connection) == []
        add_note(connection, 9, cal.id, "Player 3 is new.", AT)
        assert asked_by_office(connection, cal.id, [9]) == set()
        assert unanswered(connection) == [9]
        assert [note.words for note in read_notes(connection, 9) if note.is_read_by("Cal")] == [
            "Is player 3 new?",
            "Player 3 is new.",
        ]
        assert forget_notes(connection, lambda words: "ill" in words or "3" in words) == 3
        assert [len(read_notes(connection, report)) for report in (7, 8, 9)] == [1, 1, 1]
