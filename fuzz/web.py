"""What programs send to a server, and what a server answers to programs."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import httpx
from litestar.testing import TestClient

from fuzz.readers import Fuzzed
from fuzz.reports import CUT
from ratebook.book.connection import open_book
from ratebook.client.connection import ServerConnection, ServerError
from ratebook.records.events import WholeEvent
from ratebook.records.players import Player
from ratebook.reports.load import load_bytes
from ratebook.web.app import create_app
from ratebook.web.gate.visitors import digest_of
from ratebook.web.site import Served, Site
from ratebook.web.store.accounts import find_account
from ratebook.web.store.tokens import Scope, add_token
from ratebook.wire import Problem
from support.web.accounts import ADDRESS, FROM_THIS_SITE, HOST, office_in
from support.web.federation import EVENT, PLAYER, TODAY, federation_book
from support.web.programs import native

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "rbk_fuzzed"  # noqa: S105 - of a book that is taken away
FAILED = 500
STATUS = re.compile(rb"[2-5][0-9][0-9]")
FORM = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n%s\r\n--x--\r\n'
ASKED = (
    f"/players/{PLAYER}",
    f"/players/{PLAYER}/ratings?system=regular&limit=3",
    "/players?name=adams&limit=2",
    f"/events/{EVENT}",
    "/events?from=2020-05-01&to=2020-06-01&limit=2&cursor=1",
    "/lists/2021-01?limit=5",
    "/rankings?system=quick&age=u16&limit=5",
    "/changes?since=3",
    "/private/players/90000001",
    "/estimate",
)
SENT = (
    ("/previews?file=a.json&start=2021-01-16&day_order=dmy&online=true", "application/octet-stream"),
    ("/previews?time_control=G%2F60%3Bd5&type=swiss&name=Club&event=1", "multipart/form-data; boundary=x"),
    ("/submissions?file=b.csv", "application/octet-stream"),
    ("/submissions", "application/x-www-form-urlencoded; charset=latin-1"),
)


KINDS = {"Player": Player, "Event": WholeEvent, "Problem": Problem}


def readers(folder: Path) -> tuple[Fuzzed, ...]:
    """Return the readers of requests and answers; book and accounts are in *folder*."""
    logging.disable()
    book = open_book(str(federation_book(folder)))
    office = office_in(folder / "web")
    with office.gate.store.writing() as connection:
        director = find_account(connection, "office")
        assert director is not None
        add_token(connection, digest_of(TOKEN), director.id, "fuzzing", tuple(Scope), office.clock.now, 90)
    app = create_app(Site(book, Served.ALL, lambda: TODAY, office.gate), names=(HOST,))
    # It raises what a handler raises.
    client: TestClient[Any] = TestClient(app, base_url=ADDRESS)
    client.__enter__()
    patch("ratebook.web.api.with_token.reports.read_in_child", load_bytes).start()
    keys = iter(range(10**9))

    def request(data: bytes) -> None:
        method, path, kind, body = (*data.split(CUT, 3), b"", b"", b"")[:4]
        headers = {
            b"authorization": f"Bearer {TOKEN}".encode(),
            b"content-type": kind.replace(b"\r", b"").replace(b"\n", b""),
            b"idempotency-key": str(next(keys)).encode(),
            **{name.encode(): value.encode() for name, value in FROM_THIS_SITE.items()},
        }
        address = "/api/v1" + path.decode("latin-1")
        try:
            built = client.build_request(
                "POST" if method == b"POST" else "GET", address, headers=headers, content=body
            )
        except (httpx.InvalidURL, ValueError):
            return
        client.cookies.clear()
        answer = client.send(built, follow_redirects=False)
        assert answer.status_code < FAILED, answer.text

    seeds = (
        *(CUT.join((b"GET", path.encode())) for path in ASKED),
        *(
            CUT.join(
                (b"POST", path.encode(), kind.encode(), FORM % native() if "boundary" in kind else native())
            )
            for path, kind in SENT
        ),
    )
    return (
        Fuzzed("requests to the API", request, seeds),
        Fuzzed("answers of a server", answer_of_server, tuple(_answers(client))),
    )


def answer_of_server(data: bytes) -> None:
    """Read an answer: which it should be and the status are its first line."""
    first, _, body = data.partition(b"\n")
    name, _, status = first.partition(b" ")
    kind = KINDS.get(name.decode("latin-1"), Problem)
    code = int(status) if STATUS.fullmatch(status) else 200
    sent = httpx.MockTransport(
        lambda _: httpx.Response(code, stream=httpx.ByteStream(body), headers={"retry-after": "1"})
    )
    server = ServerConnection("https://ratings.example", None, sent, wait=lambda _: None)
    try:
        server.get(kind, "/x")
    except ServerError:
        pass
    finally:
        server.close()


def _answers(client: TestClient[Any]) -> Iterator[bytes]:
    headers = {"authorization": f"Bearer {TOKEN}"}
    for name, path in (("Player", ASKED[0]), ("Event", ASKED[3]), ("Problem", "/nothing")):
        answer = client.get("/api/v1" + path, headers=headers)
        yield f"{name} {answer.status_code}\n".encode() + answer.content
