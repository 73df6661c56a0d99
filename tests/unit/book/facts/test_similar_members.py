"""Members who may be meant by an id that is not theirs: what the question costs is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from ratebook.book.facts.members import similar_members

if TYPE_CHECKING:
    from ratebook.book.connection import Book


def test_a_text_that_is_no_id_is_not_looked_for_letter_by_letter(book: Book) -> None:
    """A file had a cell of five thousand letters, and the question had fifty thousand texts as long as it."""
    asked: list[int] = []

    def note(*call: Any) -> None:  # noqa: ANN401 - the library's signature
        asked.append(len(call[3]))

    with book.reading() as connection:
        event.listen(book.engine, "before_cursor_execute", note)
        assert similar_members(connection, "9" * 5_000, "x" * 100_000) == []
        event.remove(book.engine, "before_cursor_execute", note)
    assert asked
    assert max(asked) < 10
