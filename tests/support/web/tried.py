"""What the director of the tests tries, types and has sent, and a director who asks for pages without a browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec

from ratebook.reports.draft import Draft, DraftPlayer, DraftSection
from ratebook.reports.load import load_bytes
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.store.accounts import find_account
from ratebook.web.store.previews import forget_preview, keep_preview
from ratebook.web.store.sendings import note_sent, sent_by
from ratebook.web.trial.kept import Trial
from ratebook.web.trial.task import plain
from support.web.accounts import FROM_THIS_SITE
from support.web.federation import OTHER, PLAYER, WRONG

if TYPE_CHECKING:
    from datetime import datetime

    from litestar import Litestar
    from litestar.testing import TestClient

    from ratebook.book.connection import Connection
    from support.web.accounts import Office

TRIED, TYPED, LACKING, DELETED = "tried", "typed", "lacking", "deleted"
"""Names of a preview that was uploaded, of one that is typed, of one that lacks its day, and of one to be deleted."""


def match_of_two(end: str = "2021-02-06", second: str = OTHER) -> bytes:
    """Return a native report of two members who met twice."""
    section = {
        "number": 1,
        "name": "OPEN",
        "start": end,
        "end": end,
        "time_control": "G/60;d5",
        "type": "swiss",
        "entries": [
            {"seat": 1, "player": PLAYER, "rounds": ["W2w", "D2b"]},
            {"seat": 2, "player": second, "rounds": ["L1b", "D1w"]},
        ],
    }
    event = {"name": "EXAMPLE EVENING", "start": end, "end": end}
    players = [{"id": PLAYER}, {"id": second}]
    report = {"format": "ratebook-report/1", "event": event, "players": players, "sections": [section]}
    return json.dumps(report).encode()


def table_of_two(second: str = OTHER) -> bytes:
    """Return a spreadsheet of the match of two, which does not say when and how fast it was played."""
    return f"#,Name,ID,Rd 1,Rd 2\n1,,{PLAYER},W2w,D2b\n2,,{second},L1b,D1w\n".encode()


def typed_draft() -> Draft:
    """Return a report that is half typed, with mistakes."""
    players = (DraftPlayer(1, PLAYER, "", ("W2w", "Q")), DraftPlayer(2, "", "an", ("D1b", "H")))
    texts = {"name": "OPEN", "time_control": "soon", "type": "swiss"}
    event = {"name": "EXAMPLE NIGHT"}
    return Draft(event, (DraftSection(1, texts, 2, players),))


def keep_all(connection: Connection, at: datetime) -> None:
    """Let the director try a report, type one, and have sent one that is held back."""
    director = find_account(connection, "director")
    assert director is not None
    tried = Trial("evening.json", load_bytes(match_of_two(), "evening.json"))
    table = table_of_two()
    loaded = load_bytes(table, "evening.csv", stand_in=at.date())
    trials = {
        TRIED: tried,
        TYPED: Trial("typed.json", draft=typed_draft()),
        LACKING: Trial("evening.csv", loaded, data=table),
        DELETED: tried,
    }
    for name, trial in trials.items():
        content = msgspec.msgpack.encode(trial, enc_hook=plain)
        forget_preview(connection, name, director.id)
        keep_preview(connection, name, director.id, content, at, trial.title)
    if WRONG not in sent_by(connection, director.id):
        note_sent(connection, director.id, WRONG, at)


PREVIEWS, SENT = "/director/previews", "/director/submissions"
KEY = re.compile(r'name="key" value="([^"]+)"')


class Director:
    """Asks for pages and sends forms as an account."""

    def __init__(self, client: TestClient[Litestar], office: Office, name: str) -> None:
        self.client = client
        self.visitor = office.signed_in(name)
        self.headers = {**FROM_THIS_SITE, "cookie": f"{COOKIE}={self.visitor.token}"}

    def get(self, path: str, status: int = 200) -> str:
        answer = self.client.get(path, headers=self.headers)
        assert answer.status_code == status, path
        return answer.text

    def post(self, path: str, file: bytes | None = None, /, **form: str) -> str:
        """Send a form and return where it leads, or else the page that comes back."""
        files = None if file is None else {"file": ("report.json", file)}
        answer = self.client.post(
            path, data={"csrf": self.visitor.csrf, **form}, files=files, headers=self.headers
        )
        return answer.headers["location"] if answer.is_redirect else answer.text


def key_in(page: str) -> str:
    found = KEY.search(page)
    assert found is not None
    return found[1]


def number_in(address: str) -> int:
    return int(page_of(address).rpartition("/")[2])


def page_of(address: str) -> str:
    return address.partition("?")[0]
