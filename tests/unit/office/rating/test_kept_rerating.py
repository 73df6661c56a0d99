"""A re-rating that was tried is done as it was seen, to the last bit, and computed no more."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import open_book
from ratebook.model import SectionType
from ratebook.office.rating import rerate as rerating
from ratebook.office.rating.rerate import KeptRerating, rerate
from ratebook.office.rating.verify import verify
from support.book_federation import ACTOR
from unit.office.rating.test_rerate_engines import (
    CASES,
    OTHERS,
    Asked,
    a_late_result_was_corrected,
    flip_a_result,
    sections_of,
    tables_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ratebook.book.connection import Book

pytestmark = pytest.mark.usefixtures("compiled_engine")


@pytest.mark.parametrize("way", ["in parts", "compiled as needed"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_what_was_tried_is_done_as_it_was_seen(
    settled_place: Path,
    case: Callable[[Book], Asked],
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place, copy = tmp_path / "waiting.book", tmp_path / "copy.book"
    shutil.copyfile(settled_place, place)
    with closing(open_book(str(place))) as book:
        asked = case(book)._asdict()
    shutil.copyfile(place, copy)
    with closing(open_book(str(place))) as book:
        computed = rerate(book, ACTOR, **asked, thresholds=OTHERS[way])
        expected = tables_of(book)
        findings = set(verify(book).findings)
    with closing(open_book(str(copy))) as book, closing(KeptRerating()) as preview:
        tried = rerate(book, ACTOR, **asked, dry_run=True, thresholds=OTHERS[way], preview=preview)
        # What only the audit log notes changes nothing of it.
        with book.logging() as connection:
            note_audit(connection, ACTOR, "backup-book", BOOK, "before.book")
        with monkeypatch.context() as patched:
            for name in ("rate_from", "read_sections"):
                patched.setattr(rerating, name, lambda *_, **__: pytest.fail("this was computed before"))
            done = rerate(book, ACTOR, **asked, preview=preview)
        assert tried == done == computed
        found = tables_of(book)
        assert set(verify(book).findings) == findings
    for name, rows in expected.items():
        if name not in {"audit", "chain"}:
            assert found[name] == rows, name
    assert len(found["audit"]) == len(expected["audit"]) + 1
    noted = {f"('audit', '{len(found['audit'])}')": 1}
    assert Counter(found["chain"]) - Counter(expected["chain"]) == Counter(noted)


def test_what_was_tried_before_the_book_changed_is_computed_anew(settled_place: Path, tmp_path: Path) -> None:
    found = []
    for name in ("tried.book", "alone.book"):
        copy = tmp_path / name
        shutil.copyfile(settled_place, copy)
        with closing(open_book(str(copy))) as book, closing(KeptRerating()) as preview:
            a_late_result_was_corrected(book)
            if name == "tried.book":
                rerate(book, ACTOR, dry_run=True, preview=preview)
            flip_a_result(
                book, next(stored for stored in sections_of(book) if stored.section.type is SectionType.SWISS)
            )
            found.append((rerate(book, ACTOR, preview=preview), tables_of(book)))
            assert not any(finding.severity == "error" for finding in verify(book).findings)
    assert found[0] == found[1]
