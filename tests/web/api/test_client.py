"""The client asks a server that really listens: typed answers, whole listings, frames, copies, reports sent once."""

from __future__ import annotations

import doctest
from typing import TYPE_CHECKING

import httpx
import pytest
from scripts.pages.places import DOCS

from ratebook.book.facts.members import canonical_ids
from ratebook.book.ledger.history import rating_series
from ratebook.client import Client, ServerError
from ratebook.model import System
from ratebook.pages.member import member_page
from ratebook.web.app import create_app
from ratebook.web.gate.limits import limits_of
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import find_account
from ratebook.web.store.tokens import Scope, add_token
from support.web.accounts import Office, office_in
from support.web.programs import native
from support.web.served import app_of, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ratebook.web.site import Site

PAGE, PLAYER, OTHER = "client.md", "90000006", "90000021"
TOKEN = "rbk_client"  # noqa: S105 - of a store that tests make


class Recorded(httpx.HTTPTransport):
    """The network, which remembers how servers answered."""

    def __init__(self) -> None:
        super().__init__()
        self.statuses: list[int] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = super().handle_request(request)
        self.statuses.append(answer.status_code)
        return answer


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    made = office_in(tmp_path_factory.mktemp("client") / "web")
    with made.gate.store.writing() as connection:
        account = find_account(connection, "director")
        assert account is not None
        add_token(connection, digest_of(TOKEN), account.id, "tests", tuple(Scope), made.clock.now, 90)
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def server(written_site: Site, office: Office) -> Iterator[str]:
    with served(app_of(written_site._replace(gate=office.gate))) as address:
        yield address


def test_the_page_of_the_client_can_be_typed_along(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATINGS", address)
    text = (DOCS / PAGE).read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "client.md", "client.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    runner.run(example)
    assert (runner.failures, runner.tries >= 15) == (0, True)


def test_a_listing_reads_every_part_and_what_is_unchanged_is_not_sent_again(server: str, site: Site) -> None:
    network = Recorded()
    with Client(server, transport=network) as client:
        ends = [one.end for one in client.history(PLAYER, System.REGULAR)]
        found = [one.id for one in client.players()]
        first = client.player(PLAYER)
        assert client.player(PLAYER) == first
    with site.reading() as reader:
        series = rating_series(reader.connection, PLAYER).points[System.REGULAR]
        everybody = canonical_ids(reader.connection)
    assert ends == [point.end for point in reversed(series)]
    assert set(everybody) <= set(found)
    assert len(found) == len(set(found))
    assert network.statuses[-2:] == [200, 304]


def test_a_copy_has_the_ratings_of_the_book(server: str, site: Site, tmp_path: Path) -> None:
    with Client(server) as client:
        mirror = client.mirror(tmp_path / "copy.json")
        mirror.update()
        again = client.mirror(tmp_path / "copy.json")
        assert again.kept == mirror.kept
        assert again.update() == []
    with site.reading() as reader:
        pages = [
            member_page(reader.connection, reader.federation, one, reader.today)
            for one in canonical_ids(reader.connection)
        ]
    assert {
        one: [(r.system, r.current) for r in player.ratings] for one, player in mirror.kept.players.items()
    } == {page.id: [(r.system, r.current) for r in page.ratings] for page in pages}
    assert set(mirror.kept.merged.values()) <= set(mirror.kept.players)


def test_who_is_told_to_wait_waits(written_site: Site) -> None:
    seconds, waits = [0.0], []

    def wait(so_many: float) -> None:
        waits.append(so_many)
        seconds[0] += so_many

    limits = limits_of(lambda: seconds[0], 2)
    network = Recorded()
    app = create_app(written_site, limits=limits)
    with served(app) as address, Client(address, transport=network, wait=wait) as client:
        for at in range(4):
            list(client.players(f"q{at}"))
    assert waits
    assert all(one >= 1 for one in waits)
    assert network.statuses.count(429) == len(waits)
    assert network.statuses[-1] == 200


def test_what_a_table_does_not_say_is_said_by_the_program(server: str) -> None:
    table = f"#,ID,Wertung,Rd 1\n1,{PLAYER},1500,W2\n2,{OTHER},1400,L1\n".encode()
    played = {"start": "2021-02-06", "end": "2021-02-06", "time_control": "G/60;d5"}
    with Client(server, TOKEN) as client:
        assert [
            found.code for found in client.preview(table, **played).findings if found.severity == "error"
        ] == ["column-unclear"]
        tried = client.preview(table, **played, column=["Wertung=none"])
        assert {section.section for section in tried.sections} == {1}
        named = client.preview(table, **played, sheet="Reserve", column=["Wertung=none"])
        assert "sheet-unknown" in {found.code for found in named.findings}


def test_a_program_says_what_the_ratings_of_a_fide_report_are(server: str) -> None:
    with Client(server, TOKEN) as client:
        for ratings in ("fide", "pairing"):
            client.preview(native((7, 8)), ratings=ratings)
        with pytest.raises(ServerError, match="fide, pairing"):
            client.preview(native((7, 8)), ratings="blitz")
        with pytest.raises(ServerError, match="at most 20 texts"):
            client.preview(native((7, 8)), column=[f"Title {number}=none" for number in range(21)])


def test_a_report_is_tried_and_sent(server: str) -> None:
    with Client(server, TOKEN) as client:
        tried = client.preview(native((7, 8)))
        assert [one.section for one in tried.sections] == [1]
        sent = client.submit(native((7, 8)), "a key")
        assert client.submit(native((7, 8)), "a key") == sent
        assert client.submission(sent.number).event == sent.event
        with pytest.raises(ServerError, match="no known format") as failure:
            client.submit(b"\x00", "another key")
    assert failure.value.status == 422
    assert failure.value.problem.findings[0].code == failure.value.code
