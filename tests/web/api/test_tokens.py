"""Programs with a token: what each kind of token opens, and what they do: try reports, and send them once."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from ratebook.book.facts.members import load_members
from ratebook.office.queue import submit
from ratebook.pages.member import member_page
from ratebook.web.gate.visitors import COOKIE
from ratebook.web.routing import NEEDS, Needs
from ratebook.web.store.accounts import disable_account, find_account
from ratebook.web.store.log import MOST_OF_HOUR, LogKind, newest_entries
from ratebook.web.store.reports.notes import NoteReader, add_note
from ratebook.web.store.schema import moment
from ratebook.web.store.tokens import Scope, revoke_token
from support.book_reports import member_id
from support.web.accounts import ADDRESS, FROM_THIS_SITE, HOST, Office, bearing, office_in, token_of
from support.web.programs import native
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

PREVIEWS, SUBMISSIONS = "/api/v1/previews", "/api/v1/submissions"
WITH_A_NEWCOMER = "202002250001"
SCOPES = {
    ("POST", PREVIEWS): Scope.PREVIEW,
    ("GET", PREVIEWS + "/{name:str}"): Scope.PREVIEW,
    ("POST", SUBMISSIONS): Scope.SUBMIT,
    ("GET", SUBMISSIONS + "/{number:int}"): Scope.SUBMIT,
    ("GET", "/api/v1/private/players/{member:str}"): Scope.READ_PRIVATE,
    ("GET", "/api/v1/private/queue"): Scope.READ_PRIVATE,
    ("GET", "/api/v1/private/decisions"): Scope.READ_PRIVATE,
    ("GET", "/api/v1/private/players/{member:str}/explanations/{event:str}/{number:int}"): Scope.READ_PRIVATE,
}
"""What each route for programs with a token needs; a new one belongs here."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    made = office_in(tmp_path_factory.mktemp("tokens") / "web")
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def app(written_site: Site, office: Office) -> Litestar:
    return app_of(written_site._replace(gate=office.gate), HOST)


@pytest.fixture(scope="module")
def programs(app: Litestar) -> Iterator[TestClient[Any]]:
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        client.follow_redirects = False
        yield client


def expired(office: Office) -> dict[str, str]:
    token, _ = token_of(office, "director", days=1)
    office.clock.goes_on(days=1, seconds=1)
    return bearing(token)


def revoked(office: Office) -> dict[str, str]:
    token, number = token_of(office, "director")
    with office.gate.store.writing() as connection:
        revoke_token(connection, number, office.clock.now)
    return bearing(token)


def of_disabled(office: Office) -> dict[str, str]:
    token, _ = token_of(office, "other")
    with office.gate.store.writing() as connection:
        other = find_account(connection, "other")
        assert other is not None
        disable_account(connection, other.id, office.clock.now)
    return bearing(token)


def cookie_only(office: Office) -> dict[str, str]:
    return {"cookie": f"{COOKIE}={office.signed_in('director').token}", **FROM_THIS_SITE}


def of(account: str, office: Office) -> dict[str, str]:
    return bearing(token_of(office, account)[0])


def with_others(scope: Scope, office: Office) -> dict[str, str]:
    return bearing(token_of(office, "director", tuple(one for one in Scope if one is not scope))[0])


KINDS: dict[str, tuple[Callable[[Office], dict[str, str]], int]] = {
    "none": (lambda _: {}, 401),
    "one that was made up": (lambda _: bearing("rbk_nothing"), 401),
    "a password": (lambda _: {"authorization": "Basic ZGlyZWN0b3I6cGFzc3dvcmQ="}, 401),
    "only a session": (cookie_only, 401),
    "expired": (expired, 401),
    "revoked": (revoked, 401),
    "of a disabled account": (of_disabled, 401),
    "of an administrator": (partial(of, "administrator"), 403),
    "of the office without a second factor": (partial(of, "new"), 403),
}


def asked(client: TestClient[Any], method: str, route: str, headers: dict[str, str]) -> Any:  # noqa: ANN401 - an answer
    address = route.replace("{name:str}", "nothing").replace("{number:int}", "1")
    address = address.replace("{member:str}", "1")
    client.cookies.clear()
    return client.request(method, address, headers={**headers, "idempotency-key": "one"}, content=b"")


def test_every_route_for_tokens_is_in_the_table(app: Litestar) -> None:
    scopes = {
        (method, route.path)
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(NEEDS) is Needs.PROGRAM
        for method in handler.http_methods - {"OPTIONS", "HEAD"}
    }
    assert scopes == set(SCOPES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_that_opens_nothing(programs: TestClient[Any], office: Office, kind: str) -> None:
    make, status = KINDS[kind]
    headers = make(office)
    for method, route in SCOPES:
        answer = asked(programs, method, route, headers)
        assert answer.status_code == status, (method, route)
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert "set-cookie" not in answer.headers


def test_a_token_opens_only_what_its_scopes_name(programs: TestClient[Any], office: Office) -> None:
    for (method, route), scope in SCOPES.items():
        refused = asked(programs, method, route, with_others(scope, office))
        assert refused.status_code == 403, (method, route)
        assert f'scope="{scope}"' in refused.headers["www-authenticate"]
        for account in ("office",) if scope is Scope.READ_PRIVATE else ("director", "office"):
            one = bearing(token_of(office, account, (scope,))[0])
            assert asked(programs, method, route, one).status_code in {200, 201, 404, 422}, (method, route)


def test_what_a_program_tries_is_its_own_and_says_what_the_book_would_rate(
    programs: TestClient[Any], office: Office, written_site: Site
) -> None:
    mine, office_s = (bearing(token_of(office, one)[0]) for one in ("director", "office"))
    made = programs.post(f"{PREVIEWS}?file=club.json", headers=mine, content=native())
    assert made.status_code == 201, made.text
    tried = made.json()
    assert tried["source"] == "club.json"
    assert programs.get(made.headers["location"], headers=mine).json() == tried
    assert programs.get(made.headers["location"], headers=office_s).status_code == 404
    with written_site.reading() as reader:
        before = {
            member: [
                r.current
                for r in member_page(reader.connection, reader.federation, member, reader.today).ratings
            ]
            for member in (member_id(1), member_id(2))
        }
    shown = {row["seat"]: row for row in tried["sections"][0]["lines"]}
    assert shown[1]["before"]["rating"] in {one.rating for one in before[member_id(1)] if one is not None}
    assert shown[1]["after"]["rating"] >= shown[1]["before"]["rating"] or shown[1]["points"] < 2
    as_form = programs.post(PREVIEWS, headers=mine, files={"file": ("club.json", native())})
    assert as_form.json()["sections"] == tried["sections"]
    office.clock.goes_on(hours=25)
    late = bearing(token_of(office, "director")[0])
    assert programs.get(made.headers["location"], headers=late).status_code == 404


def test_what_is_no_report_is_tried_with_findings_and_not_sent(
    programs: TestClient[Any], office: Office
) -> None:
    mine = bearing(token_of(office, "director")[0])
    tried = programs.post(PREVIEWS, headers=mine, content=b"{")
    assert tried.status_code == 201
    assert tried.json()["sections"] == []
    assert {one["severity"] for one in tried.json()["findings"]} >= {"error"}
    sent = programs.post(SUBMISSIONS, headers={**mine, "idempotency-key": "broken"}, content=b"{")
    assert sent.status_code == 422
    assert sent.json()["code"] == sent.json()["findings"][0]["code"]
    assert sent.json()["remedy"]


def test_a_report_is_sent_once_for_each_key(
    programs: TestClient[Any], office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, office_s = (bearing(token_of(office, one)[0]) for one in ("director", "office"))
    body = native(event="202101160010")
    sent = partial(programs.post, SUBMISSIONS)
    assert sent(headers=mine, content=body).status_code == 400
    first = sent(headers={**mine, "idempotency-key": "k"}, content=body)
    assert first.status_code == 202, first.text
    assert first.json()["event"] == "202101160010"
    again = sent(headers={**mine, "idempotency-key": "k"}, content=body)
    assert (again.status_code, again.content) == (202, first.content)
    assert again.headers["location"] == first.headers["location"]
    other = sent(headers={**mine, "idempotency-key": "k"}, content=native((5, 6)))
    assert (other.status_code, other.json()["code"]) == (422, "api-key-used")
    twice = sent(headers={**mine, "idempotency-key": "other"}, content=body)
    assert twice.status_code == 422
    assert twice.json()["findings"]
    assert programs.get(first.headers["location"], headers=mine).json() == first.json()
    assert programs.get(first.headers["location"], headers=office_s).status_code == 404
    number = int(first.headers["location"].rpartition("/")[2])
    assert first.json()["notes"] == []
    with office.gate.store.writing() as connection:
        clerk = find_account(connection, "office")
        assert clerk is not None
        for words, reader in (("Who is seat 3?", NoteReader.SENDER), ("Look twice.", NoteReader.OFFICE)):
            add_note(connection, number, clerk.id, words, office.gate.now(), reader=reader)
    status = programs.get(first.headers["location"], headers=mine).json()
    assert [(note["from_office"], note["words"]) for note in status["notes"]] == [(True, "Who is seat 3?")]
    assert status["state"] in {"held back", "ready: the office rates it next"}
    with monkeypatch.context() as patch:
        patch.setattr(submit, "check_against_book", broken)
        key = {**mine, "idempotency-key": "after a failure"}
        assert sent(headers=key, content=native((3, 4))).status_code == 500
    assert sent(headers=key, content=native((3, 4))).status_code == 202


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a test")


def test_the_log_has_each_use_and_refusal_of_a_token(programs: TestClient[Any], office: Office) -> None:
    token, number = token_of(office, "director", (Scope.PREVIEW,))
    asked(programs, "GET", PREVIEWS + "/{name:str}", bearing(token))
    asked(programs, "POST", SUBMISSIONS, bearing(token))
    with office.gate.store.reading() as connection:
        refused, used = newest_entries(connection, 2)
    assert (used.kind, used.account, used.details) == (
        "token used",
        "director",
        f"token {number}: GET {PREVIEWS}/nothing",
    )
    assert refused.kind == "refused"
    assert token not in used.details + refused.details


def test_private_facts_are_for_the_office_and_each_look_is_in_the_log(
    programs: TestClient[Any], office: Office, written_site: Site
) -> None:
    mine, office_s = (bearing(token_of(office, one)[0]) for one in ("director", "office"))
    address = f"/api/v1/private/players/{member_id(1)}"
    assert programs.get(address, headers=mine).status_code == 403
    answer = programs.get(address, headers=office_s).json()
    with written_site.reading() as reader:
        facts = load_members(reader.connection, [member_id(1)])[member_id(1)].facts
    assert answer["birth_date"] == str(facts.birth_date)
    with office.gate.store.reading() as connection:
        (looked,) = newest_entries(connection, 1)
    assert (looked.kind, looked.details) == ("private facts viewed", f"member {member_id(1)}")


def test_the_office_s_programs_read_the_figures_that_others_read_as_ranges(
    programs: TestClient[Any], office: Office
) -> None:
    office_s = bearing(token_of(office, "office")[0])
    part = f"players/{member_id(30)}/explanations/{WITH_A_NEWCOMER}/1"
    figures = programs.get(f"/api/v1/{part}").json()["items"]
    whole = programs.get(f"/api/v1/private/{part}", headers=office_s).json()["items"]
    assert all(one["games"] for one in figures)
    read = [game["opponent_rating"] for one in figures for step in one["steps"] for game in step["games"]]
    ranges = [one for one in read if isinstance(one, dict)]
    assert ranges, "one of them was a newcomer"
    assert all(one["least"] < one["most"] for one in ranges)
    assert [(one["system"], one["exact"]) for one in whole] == [("regular", True), ("quick", True)]
    own = whole[0]["steps"][0]["figures"]["rating before (R0)"]
    assert own != round(own)
    last = [step["games"] for step in whole[0]["steps"] if step["games"]][-1]
    assert last
    for game in last:
        expected = 1 / (1 + 10 ** ((game["opponent_rating"] - own) / 400))
        assert math.isclose(game["expected"], expected, rel_tol=1e-12)
    with office.gate.store.reading() as connection:
        (looked,) = newest_entries(connection, 1)
    details = f"member {member_id(30)}, event {WITH_A_NEWCOMER}, section 1"
    assert (looked.kind, looked.details) == ("private facts viewed", details)


def test_the_log_has_tokens_that_do_not_hold_and_not_without_end(
    programs: TestClient[Any], office: Office
) -> None:
    office.clock.goes_on(hours=1)
    since = moment(office.clock.now)
    _, number = token_of(office, "director")
    kinds = {"no such token": bearing("rbk_unknown"), "director": revoked(office)}
    for account, headers in kinds.items():
        assert programs.get(f"{PREVIEWS}/any", headers=headers).status_code == 401
        with office.gate.store.reading() as connection:
            (entry,) = newest_entries(connection, 1)
        assert (entry.account, entry.kind) == (account, "token refused")
        known = f"token {number + 1}: " if account == "director" else ""
        assert entry.details == f"{known}GET {PREVIEWS}/any"
        assert headers["authorization"].split()[1] not in str(entry)
    # Whoever brings none is only told that one is needed.
    for headers in ({}, *[bearing("rbk_unknown")] * MOST_OF_HOUR):
        assert programs.get(f"{PREVIEWS}/any", headers=headers).status_code == 401
    with office.gate.store.reading() as connection:
        refused = newest_entries(connection, 1000, kind=LogKind.TOKEN_REFUSED)
    assert sum(entry.at >= since for entry in refused) == MOST_OF_HOUR
