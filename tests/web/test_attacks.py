"""Requests that no browser and no honest program would send: they are refused, and others see nothing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from litestar.testing import TestClient

from ratebook.web.gate.bodies import MOST_BYTES, MOST_FIELDS, SMALL_BODY
from ratebook.web.gate.visitors import COOKIE
from support.web.accounts import FROM_THIS_SITE, HOST, Office, office_in
from support.web.federation import PLAYER
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

OF_FORMS = {**FROM_THIS_SITE, "content-type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    made = office_in(tmp_path_factory.mktemp("attacks") / "web")
    yield made
    made.gate.store.close()


@pytest.fixture
def attacker(site: Site, office: Office) -> Iterator[TestClient[Litestar]]:
    """Give a client of a server that keeps no page yet."""
    with asked(site._replace(gate=office.gate)) as client:
        yield client


@pytest.mark.parametrize(
    "accept", ["text/csv, */*;q=0.1", "application/json;q=0.1, text/csv", "application/x-ndjson, text/html"]
)
def test_who_prefers_another_format_does_not_change_what_others_get(
    attacker: TestClient[Litestar], accept: str
) -> None:
    assert (
        "json" not in attacker.get("/api/v1/lists", headers={"accept": accept}).headers["content-type"][:16]
    )
    assert attacker.get("/api/v1/lists").headers["content-type"] == "application/json"


def test_a_weight_without_end_is_not_accepted(attacker: TestClient[Litestar]) -> None:
    assert attacker.get("/api/v1/lists", headers={"accept": "text/csv;q=inf"}).status_code == 406


def test_forms_of_anyone_are_small(attacker: TestClient[Litestar]) -> None:
    body = b"name=" + b"x" * SMALL_BODY
    assert attacker.post("/sign-in", content=body, headers=OF_FORMS).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/x-www-form-urlencoded", b"a&" * MOST_FIELDS, 413),
        ("application/x-www-form-urlencoded", b"a=" + b"%41" * (MOST_BYTES // 3), 413),
        ("application/x-www-form-urlencoded", b"a=\xff", 400),
        (
            "multipart/form-data; boundary=x",
            (
                b'--x\r\ncontent-disposition: form-data; name="csrf"\r\n'
                b"content-type: text/plain; charset=none\r\n\r\n1\r\n--x--"
            ),
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n\xff\r\n--x--',
            400,
        ),
    ],
)
def test_forms_that_cannot_be_read_are_refused(
    attacker: TestClient[Litestar], office: Office, kind: str, body: bytes, status: int
) -> None:
    visitor = office.signed_in("director")
    headers = {**FROM_THIS_SITE, "content-type": kind, "cookie": f"{COOKIE}={visitor.token}"}
    assert attacker.post("/director/previews", content=body, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/events?page=99999999999999999999", 400),
        ("/players?q=an&page=99999999999999999999", 400),
        (f"/players/{PLAYER}/opponents?page=99999999999999999999", 400),
        (f"/players/{PLAYER}/changes?before=99999999999999999999", 400),
        ("/players?q=" + "+a" * 2_500, 414),
        ("/players?q=%00", 400),
        ("/players/%00", 400),
        ("/api/v1/changes?cursor=%0A", 200),
        ("/office/lists/0001-01", 404),
    ],
)
def test_addresses_out_of_reach_are_no_mistake_of_the_program(
    attacker: TestClient[Litestar], office: Office, address: str, status: int
) -> None:
    cookie = {"cookie": f"{COOKIE}={office.signed_in('office').token}"}
    assert attacker.get(address, headers=cookie).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (HOST.upper(), 200),
        (f"{HOST}:443", 200),
        (f"{HOST}:65535", 200),
        (f"{HOST}:65536", 400),
        (f"{HOST}:99999", 400),
        (f"{HOST}:999999", 400),
        (f"{HOST}:abc", 400),
        (f"{HOST}:-1", 400),
        ("elsewhere.example", 400),
    ],
)
def test_a_name_counts_without_its_case_and_with_a_port_that_there_is(
    attacker: TestClient[Litestar], host: str, status: int
) -> None:
    """A feed has the whole address of the server in it, port and all."""
    assert attacker.get("/events/feed.atom", headers={"host": host}).status_code == status
