"""Whatever is typed into the forms of the rooms, no page fails and the book stays right."""

from __future__ import annotations

import os
import sys
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from ratebook.book.chain.checking import is_intact
from ratebook.findings import Severity
from ratebook.office.rating.rerate import rerate
from ratebook.office.rating.verify import verify
from ratebook.web.imports.kept import KINDS as IMPORTS
from ratebook.web.office.corrections.pages import BY_WORD
from support.book_federation import ACTOR
from support.hang_guard import HANG_GUARD
from support.web.accounts import office_in
from support.web.federation import EVENT, OTHER, PLAYER
from support.web.persons import Person
from support.web.programs import native
from support.web.served import asked
from support.web.wandering import Wanderer

if TYPE_CHECKING:
    from pathlib import Path

    from ratebook.web.site import Site

RIGHT = {200, 303, 308, 400, 403, 404, 405, 409, 413, 414, 422, 429, 503}
"""Answers to what people do; 429 to who tries more than 50 reports a day, 503 where a re-rating waits."""
STEPS = int(os.environ.get("RATEBOOK_STEPS", "100"))
SEEDS = [int(one) for one in os.environ.get("RATEBOOK_SEEDS", "1").split()]
"""`make wander` goes further, along other ways."""
OFFICE = (
    "/office",
    "/office/queue",
    "/office/queue/32",
    "/office/queue/33",
    "/office/rate",
    "/office/rerate",
    "/office/verify",
    "/office/lists",
    "/office/lists/2021-03",
    "/office/decisions",
    "/office/members/new",
    f"/office/members/{PLAYER}",
    f"/office/members/{PLAYER}/merge?into={OTHER}",
    f"/office/members/{OTHER}/erase",
    *(f"/office/imports/{one}" for one in IMPORTS),
    *(f"/office/corrections/{word}" for word in BY_WORD),
)
DIRECTOR = ("/director", "/director/previews/new", "/director/type")
ADMINISTRATOR = (
    "/admin",
    "/admin/accounts",
    "/admin/accounts/new",
    "/admin/tokens/new",
    "/admin/sessions",
    "/admin/log",
    "/admin/profile",
    "/admin/rules",
    "/admin/copies",
    "/office/decisions",
)
STARTS = {"office": OFFICE, "director": DIRECTOR, "administrator": ADMINISTRATOR}
KNOWN = {
    "member": (PLAYER, OTHER, "90000001", "90000009", "99999999", "90000003"),
    "other": (OTHER, "90000020"),
    "event": (EVENT, "202009220001", "202101030001"),
    "section": ("1", "2"),
    "seat": ("1", "2", "3", "4"),
    "round": ("1", "2", "3"),
    "reason": ("Looked at.", "A slip of the pen."),
    "rating": ("100", "1500", "1800", "2400"),
    "day": ("2020-06-01", "2020-12-31", "2021-02-01"),
    "date": ("2005-01-01", "2020-05-26"),
    "since": ("2020-01-01",),
    "start": ("2020-05-01",),
    "end": ("2020-05-31", "2020-06-30"),
    "control": ("G/60;d5", "G/25;d5", "G/3;+2"),
    "prize": ("2500", "4000"),
    "decision": ("1", "37", "39", "41", "43"),
    "name": ("EXAMPLE, ANOTHER", "a"),
}
FILES = (
    native(),
    b"",
    b"\x00\xff",
    b'member_id,name\n90000050,"EXAMPLE, NEW"\n',
    b"member_id,starts,expires\n90000001,2020-01-01,2022-01-01\n",
    b"member_id,system,rating,games,as_of\n90000001,regular,1500,30,2019-12-31\n",
)


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_is_typed_no_page_fails_and_the_book_stays_right(
    own_site: Site, tmp_path: Path, name: str, seed: int
) -> None:
    office = office_in(tmp_path / "web")
    answers: Counter[int] = Counter()
    with asked(own_site._replace(gate=office.gate)) as client:
        person = Person(client, office, name)
        wanderer = Wanderer(person, Random(seed), KNOWN, FILES)  # noqa: S311 - the same way for the same seed
        for number, (address, answer) in enumerate(wanderer.steps(STARTS[name], STEPS)):
            assert client.app.state.jobs.idle.wait(HANG_GUARD)
            assert answer.status_code in RIGHT, f"seed {seed}, step {number}: {address}\n{answer.text}"
            answers[answer.status_code] += 1
            office.clock.goes_on(seconds=40)
    sys.stdout.write(
        f"{name}, seed {seed}: {wanderer.sent} forms sent; answers {dict(sorted(answers.items()))}\n"
    )
    assert {200, 303, 422} <= answers.keys()
    office.gate.store.close()
    rerate(own_site.book, ACTOR)
    assert [one for one in verify(own_site.book, deep=True).findings if one.severity is Severity.ERROR] == []
    with own_site.reading() as reader:
        assert is_intact(reader.connection)
