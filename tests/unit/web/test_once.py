"""What is decided by a page holds for the revision that it showed."""

from __future__ import annotations

from contextlib import closing

import pytest
from litestar.exceptions import ClientException

from ratebook.book.connection import Actor
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile, raise_revision, revision
from ratebook.office.creation import create_book
from ratebook.web.forms.once import book_as_seen
from ratebook.web.forms.sent import Sent


def test_a_decision_about_another_revision_is_refused(empty_place: str) -> None:
    with closing(create_book(empty_place, Profile(), Actor("office", "2026-11-20T12:00:00Z"))) as book:
        with book.reading() as connection:
            seen = revision(connection)
        as_seen, late = (book_as_seen(book, Sent({"revision": (str(seen),)}, {})) for _ in range(2))
        for _ in range(2):
            # What it does itself moves the book, and does not stop it.
            with as_seen.writing() as connection:
                raise_revision(connection)
        with pytest.raises(BookError) as refused, late.writing():
            pass
        assert refused.value.finding.code == "book-moved"
        with book.reading() as connection:
            assert revision(connection) == seen + 2
        with pytest.raises(ClientException):
            book_as_seen(book, Sent({}, {}))


def test_a_trial_beside_others_leaves_their_book_alone(empty_place: str) -> None:
    with closing(create_book(empty_place, Profile(), Actor("office", "2026-11-20T12:00:00Z"))) as book:
        with book.sibling(dry_run=True).writing() as connection:
            tried = raise_revision(connection)
        with book.writing() as connection:
            assert raise_revision(connection) == tried
        with book.reading() as connection:
            assert revision(connection) == tried
