"""Two ids are made one person only after a look at both, and can be made two again."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.office.decisions.events import undo
from ratebook.office.decisions.persons import merge, preview_merge
from ratebook.office.decisions.revision import Reason
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from support.book_reports import current_ledger, member_id, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
BECAUSE = Reason(ACTOR, "joined twice", ["all"])


def test_a_preview_shows_both_and_warns_of_what_contradicts(season: Book) -> None:
    with season.writing() as connection:
        facts = MemberFacts(member_id(5), "Other, Name", date(2017, 3, 4), fide_id="1503014")
        write_members(connection, [facts])
    with season.reading() as connection:
        preview = preview_merge(connection, member_id(5), member_id(4))
    assert (preview.old.sections, preview.new.sections, preview.new.last) == (0, 3, "2026-02-14")
    (doubt,) = preview.findings
    assert "the birth dates differ; the names differ: Other, Name, EXAMPLE, PLAYER 4" in doubt.message
    assert "2017" not in doubt.message


def test_a_merge_that_is_undone_leaves_the_ledger_as_it_was(season: Book) -> None:
    send(season, report("2026-01-24", [5, 1], ["W2", "L1"]), ACTOR)
    rate_ready(season, ACTOR)
    rerate(season, ACTOR)
    before = current_ledger(season)
    merged = merge(season, member_id(5), member_id(4), BECAUSE)
    assert "1 rated section" in merged.changes[0]
    rerate(season, ACTOR)
    assert current_ledger(season).keys() != before.keys()
    assert merged.decision is not None
    undo(season, merged.decision, BECAUSE)
    rerate(season, ACTOR)
    assert verify(season).findings == ()
    after = current_ledger(season)
    assert {key: row.rating for key, row in after.items()} == {key: row.rating for key, row in before.items()}
