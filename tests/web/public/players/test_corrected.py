"""Between the correction of a result and its re-rating, a player reads how the published rating came about."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from ratebook.book.connection import Actor
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.reports.load import load_bytes
from ratebook.web.public.links import WHY_PAGE
from support.web.federation import OTHER, PLAYER
from support.web.served import asked
from support.web.tried import match_of_two

if TYPE_CHECKING:
    from ratebook.web.site import Site

ACTOR = Actor("office", "2026-11-22T12:00:00Z")
SCORE = re.compile(r"([0-9]+) rated games?")


def test_a_game_of_two_systems_is_one_game_and_a_corrected_one_is_still_explained(own_site: Site) -> None:
    against, book = f"/players/{PLAYER}/against/{OTHER}", own_site.book
    with asked(own_site) as client:
        met = SCORE.search(client.get(against).text)
        games = int(met[1]) if met is not None else 0
        incoming = Incoming(
            load_bytes(match_of_two(), "a.json"), "a.json", date(2026, 11, 21), accepted=["all"]
        )
        event = submit(book, incoming, ACTOR).event_id
        rate_ready(book, ACTOR)
        together = SCORE.search(client.get(against).text)
        assert together is not None
        assert int(together[1]) == games + 2
        himself = client.get(f"/players/{PLAYER}/against/{PLAYER}")
        assert himself.headers["location"] == f"/players/{PLAYER}"

        address = WHY_PAGE(PLAYER, event, 1)
        published = client.get(address)
        assert "how the published rating came about" not in published.text
        correct_result(
            book, SectionRef(event, 1), GameResult(1, 1, "L"), Reason(ACTOR, "the score sheet", ["all"])
        )
        waiting = client.get(address)
        assert waiting.status_code == 200
        assert "This is how the published rating came about; it will be computed again" in waiting.text
        moved = re.compile(r"\d+ →\s\d+, \w+")
        assert moved.findall(waiting.text) == moved.findall(published.text)
        rerate(book, ACTOR)
        again = client.get(address).text
        assert "how the published rating came about" not in again
        assert moved.findall(again) != moved.findall(published.text)
