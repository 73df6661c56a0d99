"""Whatever goes wrong for a program is a problem with a code, a remedy and, where one is wrong, the parameter."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest
from litestar.testing import TestClient

from ratebook.findings import texts
from ratebook.web.api import federation
from ratebook.web.api.description import described
from ratebook.web.api.with_token.reports import KEYS
from ratebook.web.app import create_app
from ratebook.web.gate.bodies import MOST_BODY_BYTES
from ratebook.web.gate.guard import LONGEST_QUERY
from ratebook.web.gate.limits import limits_of
from ratebook.web.gate.visitors import digest_of
from ratebook.web.store.accounts import find_account
from ratebook.web.store.sendings import begin_sending
from ratebook.web.store.tokens import Scope, add_token
from support.web.accounts import ADDRESS, HOST, Office, office_in
from support.web.federation import EVENT, LISTS, PLAYER
from support.web.programs import native
from support.web.served import app_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Litestar

    from ratebook.web.site import Site

CODES = {name.partition(".")[0] for name in texts()}
TOKEN = "rbk_problems"  # noqa: S105 - of a store that tests make
BEARING = {"authorization": f"Bearer {TOKEN}", "idempotency-key": "problems"}
SUBMISSIONS = "/api/v1/submissions"

THERE = {
    "member": PLAYER,
    "other": PLAYER,
    "event_id": EVENT,
    "event": EVENT,
    "number": "1",
    "month": LISTS[0],
    "file": "csv",
    "data_file": "history-2026-0123456789abcdef.csv.gz",
    "system": "regular",
    "name": "nothing",
}
"""A value for each part of a path."""
NOT_THERE = {"number": "x", "system": "bullet", "file": "pdf"}
"""A wrong value for parts of a path that are not just texts."""
NO_LETTER = "\0"
"""In an address: not every store can hold it."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    made = office_in(tmp_path_factory.mktemp("problems") / "web")
    with made.gate.store.writing() as connection:
        account = find_account(connection, "office")
        assert account is not None
        add_token(connection, digest_of(TOKEN), account.id, "tests", tuple(Scope), made.clock.now, 90)
    yield made
    made.gate.store.close()


@pytest.fixture(scope="module")
def app(written_site: Site, office: Office) -> Litestar:
    return app_of(written_site._replace(gate=office.gate), HOST)


@pytest.fixture(scope="module")
def programs(app: Litestar) -> Iterator[TestClient[Any]]:
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


def problem_of(answer: Any, *statuses: int) -> dict[str, Any]:  # noqa: ANN401 - an answer
    """Return the problem of an answer of one of these statuses, which is whole."""
    assert answer.status_code in statuses, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["code"] in CODES
    assert problem["remedy"]
    assert problem["type"] == f"/docs/findings#{problem['code']}"
    assert problem["findings"][0]["code"] == problem["code"]
    assert "None" not in answer.text
    return problem


def wrong_values(schema: dict[str, Any]) -> Iterator[str]:
    """Yield values that a schema of the description does not allow."""
    if "oneOf" in schema:
        schema = schema["oneOf"][0]
    if "$ref" in schema or schema.get("format") == "date" or schema["type"] == "boolean":
        yield "x"
        yield "2026-02-30"
    elif schema["type"] == "integer":
        yield "x"
        yield str(int(schema["minimum"]) - 1)
        yield str(int(schema["maximum"]) + 1)
    elif "maxLength" in schema:
        yield "1" * (schema["maxLength"] + 1)
    elif "pattern" in schema:
        yield "," * 101 if "," in schema["pattern"] else "x"


def test_a_wrong_value_of_each_parameter_is_a_problem_that_says_what_is_allowed(
    programs: TestClient[Any],
) -> None:
    tried = 0
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            those = operation.get("parameters", [])
            usual = {one["name"]: THERE[one["name"]] for one in those if one["in"] == "path"}
            for parameter in those:
                name, at = parameter["name"], parameter["in"]
                if at == "path":
                    address = path.format_map({**usual, name: NOT_THERE.get(name, "1")})
                    problem = problem_of(programs.request(method, address, headers=BEARING), 400, 404)
                    assert problem.get("parameter", name) == name
                    tried += 1
                    continue
                for value in wrong_values(parameter["schema"]):
                    given = {name: value}
                    headers = BEARING | given if at == "header" else BEARING
                    answer = programs.request(
                        method, path.format_map(usual), params=given if at == "query" else {}, headers=headers
                    )
                    problem = problem_of(answer, 400)
                    assert (problem["code"], problem["parameter"]) == ("api-parameter-wrong", name), path
                    assert problem["allowed"] in problem["remedy"]
                    tried += 1
                if at == "query":
                    answer = programs.request(
                        method, path.format_map(usual), params={name: NO_LETTER}, headers=BEARING
                    )
                    problem_of(answer, 400)
                    tried += 1
    assert tried > 150


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("/api/v1/players?limit=99999", "a whole number from 1 to 200"),
        ("/api/v1/changes?since_revision=-1", "a whole number from 0 to 1000000000000000"),
        ("/api/v1/changes?since_revision=abc", "a whole number from 0 to 1000000000000000"),
        ("/api/v1/rules?on=today", "a day, such as 2026-11-22"),
        ("/api/v1/rated-events/1/sections/1/standings?Size=0", "a whole number from 1 to 200"),
        (
            "/api/v1/rankings/bullet",
            "one of regular, quick, blitz, online-regular, online-quick, online-blitz",
        ),
    ],
)
def test_what_is_allowed_is_said_in_words(programs: TestClient[Any], address: str, allowed: str) -> None:
    assert problem_of(programs.get(address), 400)["allowed"] == allowed


def test_each_wrong_parameter_is_named(programs: TestClient[Any]) -> None:
    problem = problem_of(programs.get("/api/v1/changes?limit=0&cursor=x"), 400)
    assert [one["where"] for one in problem["findings"]] == ["limit", "cursor"]
    problem = problem_of(programs.get("/api/v1/players?colour=white&shape=round"), 422)
    assert problem["code"] == "api-parameter-unknown"
    assert [one["where"] for one in problem["findings"]] == ["colour", "shape"]
    assert "cursor, ids, limit, q" in problem["remedy"]


def test_each_status_has_its_codes(
    programs: TestClient[Any], office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def codes(answer: Any, status: int) -> str:  # noqa: ANN401 - an answer
        code: str = problem_of(answer, status)["code"]
        return code

    without_key = {"authorization": BEARING["authorization"]}
    missing = problem_of(programs.post(SUBMISSIONS, headers=without_key, content=native()), 400)
    assert (missing["code"], missing["parameter"]) == ("api-parameter-missing", "Idempotency-Key")
    assert missing["allowed"] == "a text of 1 to 100 characters"
    assert codes(programs.get("/api/v1/book", headers={"host": "another.example"}), 400) == "api-host-unknown"
    assert codes(programs.post(SUBMISSIONS, content=b""), 401) == "api-token-missing"
    bad = {"authorization": "Bearer rbk_other"}
    assert codes(programs.post(SUBMISSIONS, headers=bad, content=b""), 401) == "api-token-refused"
    with office.gate.store.writing() as connection:
        for name, token, scopes in (("director", "rbk_1", (Scope.PREVIEW,)), ("new", "rbk_2", tuple(Scope))):
            account = find_account(connection, name)
            assert account is not None
            add_token(connection, digest_of(token), account.id, "tests", scopes, office.clock.now, 90)
    for token, code in (("rbk_1", "api-scope-missing"), ("rbk_2", "api-account-refused")):
        refused = programs.get(f"{SUBMISSIONS}/1", headers={"authorization": f"Bearer {token}"})
        assert codes(refused, 403) == code
    assert codes(programs.get("/api/v1/nothing"), 404) == "api-address-unknown"
    assert codes(programs.get(f"{SUBMISSIONS}/1", headers=BEARING), 404) == "api-address-unknown"
    assert codes(programs.get("/api/v1/rules?on=1999-12-31"), 404) == "rules-not-known"
    refused = programs.delete("/api/v1/players")
    assert codes(refused, 405) == "api-method-refused"
    assert "GET" in refused.json()["remedy"]
    accepting = {"accept": "image/png"}
    assert codes(programs.get("/api/v1/lists", headers=accepting), 406) == "api-format-refused"
    too_large = programs.post(SUBMISSIONS, headers=BEARING, content=b"x" * (MOST_BODY_BYTES + 1))
    assert codes(too_large, 413) == "api-body-too-large"
    assert codes(programs.get(f"/api/v1/players?q={'x' * LONGEST_QUERY}"), 414) == "api-address-too-long"
    packed = programs.post(SUBMISSIONS, headers={**BEARING, "content-encoding": "gzip"}, content=b"")
    assert codes(packed, 415) == "api-body-encoded"
    assert programs.post(SUBMISSIONS, headers=BEARING, content=native((7, 8))).status_code == 202
    assert codes(programs.post(SUBMISSIONS, headers=BEARING, content=native()), 422) == "api-key-used"
    with office.gate.store.writing() as connection:
        account = find_account(connection, "office")
        assert account is not None
        begin_sending(connection, account.id, f"{KEYS}at work", office.clock.now)
    at_work = {**BEARING, "idempotency-key": "at work"}
    assert codes(programs.post(SUBMISSIONS, headers=at_work, content=b""), 409) == "api-report-being-sent"
    with monkeypatch.context() as patch:
        patch.setattr(federation, "all_lists", None)
        failed = programs.get("/api/v1/lists?", headers={"accept": "text/csv"})
    assert codes(failed, 500) == "server-failed"


def test_who_asks_too_often_is_told_in_how_many_seconds_to_come_again(site: Site) -> None:
    app = create_app(site, names=(HOST,), limits=limits_of(lambda: 0.0, 1))
    with TestClient(app, base_url=ADDRESS) as client:
        assert client.get("/api/v1/book").status_code == 200
        refused = client.get("/api/v1/lists")
    assert problem_of(refused, 429)["code"] == "api-requests-too-many"
    assert f"in {refused.headers['retry-after']} seconds" in refused.json()["detail"]


def test_no_cell_of_a_crosstable_is_json(programs: TestClient[Any]) -> None:
    address = f"/api/v1/events/{EVENT}/sections/1/standings"
    items = programs.get(address).json()["items"]
    rows = list(csv.DictReader(io.StringIO(programs.get(f"{address}.csv").text)))
    assert [row["rounds"].split(" ") for row in rows] == [one["rounds"] for one in items]
    assert any(len(one["rounds"]) > 1 for one in items)
