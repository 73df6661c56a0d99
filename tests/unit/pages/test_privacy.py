"""No page has a field from which an age could be read."""

from __future__ import annotations

import sys
import typing
from datetime import date

from ratebook.book import events
from ratebook.book.facts import members
from ratebook.book.ledger import careers
from ratebook.model import Shown, System
from ratebook.pages import changes, event, member, section
from ratebook.pages.official import lists, ranking

PAGES = (
    members.FoundMember,
    member.MemberPage,
    member.HistoryLine,
    event.EventPage,
    section.SectionTable,
    ranking.RankingLine,
    lists.ListRow,
    changes.PublicChange,
    changes.EventChanges,
)
NAMES = {name: value for room in (careers, events) for name, value in vars(room).items()} | {
    "date": date,
    "System": System,
}


def with_its_parts(view: type) -> set[type]:
    """Return a content with all contents that its fields hold."""
    found = {view}
    for kind in typing.get_type_hints(view, vars(sys.modules[view.__module__]) | NAMES).values():
        for part in typing.get_args(kind):
            if hasattr(part, "_fields"):
                found |= with_its_parts(part)
    return found


def test_no_public_view_has_a_field_for_a_birth_date_or_an_initial_rating() -> None:
    views = set[type]().union(*map(with_its_parts, PAGES))
    assert len(views) >= 11
    dates = set()
    for view in views:
        for name, kind in typing.get_type_hints(view, vars(sys.modules[view.__module__]) | NAMES).items():
            assert not {"birth", "born", "age", "initial", "adult"} & set(name.split("_")), (view, name)
            # A rating before a section is one that was published; of a newcomer there is none.
            assert not ("before" in name and kind != Shown | None), (view, name)
            if kind in {date, date | None}:
                dates.add(name)
    assert dates <= {"as_of", "earned", "end", "start"}
