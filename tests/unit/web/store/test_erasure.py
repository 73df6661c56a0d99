"""Whoever is erased is gone from the web store, in each store: from tables and from the bytes of its files."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlencode

from sqlalchemy import inspect, text

from ratebook.book.connection import Actor
from ratebook.book.profile import Profile
from ratebook.model import Shown, System
from ratebook.office.creation import create_book
from ratebook.office.erasure.erase import Erasure
from ratebook.office.erasure.spellings import Spellings
from ratebook.records.events import Crosstable, CrosstableLine
from ratebook.web.director.ratings import ShownRatings, packed
from ratebook.web.store.accounts import Role, add_account
from ratebook.web.store.erasure import erase_from_store
from ratebook.web.store.interrupted import keep_interrupted
from ratebook.web.store.jobs import JobState, add_job, end_job
from ratebook.web.store.opening import Store, has_store, open_store, store_beside
from ratebook.web.store.reports.notes import add_note
from ratebook.web.store.reports.previews import keep_preview
from ratebook.web.store.sendings import begin_sending, end_sending, keep_ratings, note_sent

AT = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
PERSON = Erasure(("90000003",), Spellings(["Drimkléxo, Stedreq"]))
OTHER = "a report of Stedreq Vorlix"


def contents(store: Store) -> list[bytes]:
    """Return what every column holds, and the bytes of the files."""
    found = []
    with store.engine.connect() as connection:
        for table in inspect(connection).get_table_names():
            rows = connection.execute(text(f"SELECT * FROM {table}")).all()  # noqa: S608 - names of the schema
            found += [
                value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row
            ]
    if not store.on_server:
        place = Path(store.url)
        found += [file.read_bytes() for file in place.parent.glob(f"{place.name}*")]
    return found


def form_of(**texts: str) -> str:
    """Return a form as it is kept while it waits for its account."""
    return json.dumps(list(texts.items()), ensure_ascii=False)


def ratings_of_preview(player: str, name: str) -> bytes:
    """Return the ratings of a preview as they are kept with what was sent."""
    line = CrosstableLine(
        system=System.QUICK,
        seat=1,
        player=player,
        name=name,
        before=Shown(1500),
        after=Shown(1512),
        points=1.0,
        rounds=(),
    )
    table = Crosstable(
        event="",
        event_name="EXAMPLE NIGHT",
        section=1,
        section_name="OPEN",
        end=date(2026, 11, 20),
        system=System.QUICK,
        lines=(line,),
    )
    return packed(ShownRatings(3, (table,), ()))


def test_what_names_the_person_by_id_or_name_is_forgotten(empty_place: str) -> None:
    create_book(empty_place, Profile(), Actor("office", "2026-11-20T12:00:00Z")).close()
    assert not has_store(store_beside(empty_place))
    with closing(open_store(store_beside(empty_place))) as store:
        assert has_store(store_beside(empty_place))
        with store.writing() as connection:
            account = add_account(connection, "office", Role.OFFICE, "", (), AT)
            assert account is not None
            for name, content in {
                "a": "by name: STEDREQ DRIMKLEXO",
                "b": "by the id 90000003",
                "c": OTHER,
            }.items():
                keep_preview(connection, name, account.id, content.encode(), AT, "A REPORT")
            keep_preview(connection, "d", account.id, b"of", AT, "Match of Drimklexo, Stedreq")
            keep_preview(connection, "import-e", account.id, b"PK\x03\x04 packed", AT)
            for state in (JobState.DONE, JobState.FAILED):
                number = add_job(connection, "import", {}, account.id, 1, AT)
                end_job(connection, number, state, '{"changes":["90000003 Drimkléxo, Stedreq"]}', AT)
            begin_sending(connection, account.id, "key", AT)
            end_sending(connection, account.id, "key", "/office/members?q=stedreq+drimklexo")
            for form in (
                form_of(**{"p1-name": "Stedreq Drimkléxo"}),
                form_of(**{"p1-name": "", "seen": urlencode({"p1-name": "Drimkléxo, Stedreq"})}),
                form_of(who="90000003"),
                form_of(who=OTHER),
            ):
                keep_interrupted(connection, account.id, "/director/type/a/1", "", form, AT)
            for words in ("Ask Stedreq Drimklexo.", "90000003 wrote", OTHER):
                add_note(connection, 7, account.id, words, AT)
            for number, (player, name) in enumerate(
                [("90000003", "DRIMKLEXO, STEDREQ"), ("90000004", "VORLIX, STEDREQ")], start=1
            ):
                note_sent(connection, account.id, number, AT)
                keep_ratings(connection, number, ratings_of_preview(player, name))
        done = erase_from_store(store, PERSON, AT)
        assert done.findings == ()
        assert done.changes == (
            "reports and files that were tried: 4",
            "ratings of previews: 1",
            "notes on reports: 2",
            "forms that wait for their account: 3",
            "results of jobs: 2",
            "forms that were sent: 1",
        )
        left = contents(store)
        assert any(OTHER.encode() in one for one in left)
        assert any(form_of(who=OTHER).encode() == one for one in left)
        assert any(ratings_of_preview("90000004", "VORLIX, STEDREQ") == one for one in left)
        for word in (b"drimkl", b"90000003", b"packed"):
            assert not [one for one in left if word in one.lower()], word
        assert erase_from_store(store, PERSON, AT).changes == ()
