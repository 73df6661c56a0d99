"""What the director of the tests tries, types and has sent: the matrix of rights asks for it under its names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from ratebook.reports.draft import Draft, DraftPlayer, DraftSection
from ratebook.reports.load import load_bytes
from ratebook.web.store.accounts import find_account
from ratebook.web.store.reports.previews import forget_preview, keep_preview
from ratebook.web.store.sendings import note_sent, sent_by
from ratebook.web.trial.kept import Trial
from ratebook.web.trial.task import plain
from support.web.federation import OTHER, PLAYER, WRONG

if TYPE_CHECKING:
    from datetime import datetime

    from ratebook.book.connection import Connection

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
