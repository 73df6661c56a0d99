"""Titles in public: who has one and by which sections, and who is on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from litestar.testing import TestClient

from ratebook.book.ledger.careers import earned_norms, write_titles
from ratebook.book.ledger.history import read_history
from ratebook.model import System
from ratebook.pages.official.titles import title_page
from ratebook.titles.title_rules import title_rules
from ratebook.web.layout.words import person_name
from support.web.federation import PLAYER
from support.web.served import app_of

if TYPE_CHECKING:
    from ratebook.book.connection import Connection
    from ratebook.web.site import Site

TITLES = {one.code: one for one in title_rules().titles}
FOURTH, MASTER = TITLES["4"], TITLES["NM"]


def norms_by_member(connection: Connection, level: int) -> dict[str, list[tuple[str, int]]]:
    """Return the sections of norms of a level, asked of one member after another."""
    found = {}
    for number in range(1, 50):
        member = f"{90000000 + number}"
        made = [(one.event, one.section) for one in earned_norms(connection, member) if one.level >= level]
        if made:
            found[member] = made
    return found


def test_holders_are_shown_with_the_sections_that_counted_and_others_on_the_way(written_site: Site) -> None:
    level = FOURTH.norm_level
    assert level is not None
    with written_site.book.writing() as connection:
        norms = norms_by_member(connection, level)
        holder, *others = sorted(norms)
        last = earned_norms(connection, holder)[-1].end
        newest = [one for one in read_history(connection, PLAYER, [System.REGULAR]) if one.section][-1]
        write_titles(connection, {holder: {"4": last}, PLAYER: {"NM": newest.end}})
        of_norms = title_page(connection, FOURTH, most=10, number=1)
        of_rating = title_page(connection, MASTER, most=10, number=1)
        second = title_page(connection, FOURTH, most=1, number=2)
    (holding,) = of_norms.holdings
    assert (holding.holder.member, holding.holder.earned) == (holder, last)
    assert [(one.event_id, one.number) for one in holding.sections] == norms[holder][: FOURTH.norms]
    assert {one.member: one.norms for one in of_norms.candidates} == {one: len(norms[one]) for one in others}
    counts = [one.norms for one in of_norms.candidates]
    assert counts == sorted(counts, reverse=True)
    assert [
        (one.holder.member, [(each.event_id, each.number) for each in one.sections])
        for one in of_rating.holdings
        if one.sections
    ] == [(PLAYER, [(newest.event_id, newest.section)])]
    assert second.holdings == ()
    with TestClient(app_of(written_site), base_url="http://127.0.0.1") as client:
        page = client.get("/titles?level=4").text
    *earlier, (event, number) = norms[holder][: FOURTH.norms]
    assert f'href="/events/{event}/{number}"' in page
    assert not [one for one in earlier if f'href="/events/{one[0]}/{one[1]}"' in page]
    assert f">{person_name(of_norms.candidates[0].name)}<" in page
