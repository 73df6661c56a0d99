"""Signing in as a person does it, and what stops others: wrong guesses, old codes, old sessions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from httpx import Cookies
from litestar.testing import TestClient
from pyotp import TOTP
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from ratebook.web.gate.visitors import COOKIE, digest_of
from ratebook.web.store.accounts import Role, add_account, add_link, change_account, find_account
from ratebook.web.store.log import LEFT_OUT, MOST_OF_HOUR, LogEntry, LogKind, newest_entries
from ratebook.web.store.sessions import LONGEST
from ratebook.web.store.throttle import OF_ADDRESS
from support.web.accounts import AT, FROM_THIS_SITE, HOST, PASSWORD, Office
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from httpx import Response
    from litestar import Litestar

    from ratebook.web.site import Site

ANOTHER = "seven ducks on a grey pond"
COMMON = "password1"
MINE = "A" * 32
"""A secret that someone at a browser would like to bring along."""
RECOVERY_CODE = re.compile(r"\b(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}\b")


class Person:
    """Someone at a browser of an own address, which keeps cookies and sends the token of the last form."""

    def __init__(self, client: TestClient[Litestar], address: str) -> None:
        self._client = client
        self._address = address
        self.cookies = Cookies()

    @property
    def client(self) -> TestClient[Litestar]:
        """The client that all share, as this browser."""
        self._client._cookies = self.cookies
        self._client.headers["x-forwarded-for"] = self._address
        return self._client

    def opens(self, path: str) -> Response:
        return self.client.get(path)

    def sends(self, path: str, form_of: str = "/account", **form: str) -> Response:
        """Send a form; its token is that of the page *form_of*."""
        found = re.search(r'name="csrf" value="(\w+)"', self.client.get(form_of).text)
        csrf = {} if found is None else {"csrf": found[1]}
        return self.client.post(path, data={**form, **csrf}, headers=FROM_THIS_SITE)

    def sets_up(self, path: str = "/account/second-factor", **form: str) -> Response:
        """Send a form of the page of the second factor, with a key by which it is done once."""
        page = "/account/second-factor"
        keys = re.findall(r'name="key" value="([^"]+)"', self.opens(page).text)
        return self.sends(path, page, **form, key=keys[-1])

    def signs_in(self, name: str, password: str = PASSWORD, code: str = "", to: str = "") -> Response:
        form = {"name": name, "password": password, "code": code, "onward_to": to}
        return self.client.post("/sign-in", data=form, headers=FROM_THIS_SITE)

    @property
    def token(self) -> str | None:
        return self.cookies.get(COOKIE)


@pytest.fixture
def browsers(site: Site, office: Office) -> Iterator[Callable[[str], Person]]:
    """Give a maker of browsers, each at an address of its own."""
    with asked(site._replace(gate=office.gate)) as client, pytest.MonkeyPatch.context() as patch:
        # As the server does behind a proxy that it believes.
        behind_proxy = ProxyHeadersMiddleware(client.app.asgi_handler, "testclient")
        patch.setattr(client.app, "asgi_handler", behind_proxy)
        yield lambda address: Person(client, address)


@pytest.fixture
def person(browsers: Callable[[str], Person]) -> Person:
    """Give someone at a browser."""
    return browsers("192.0.2.7")


def offered(person: Person) -> str:
    """Return the secret that the page of the second factor shows, in groups of four."""
    found = re.search(
        r"<code>((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})</code>", person.opens("/account/second-factor").text
    )
    assert found is not None
    return found[1].replace(" ", "")


def log_of(office: Office) -> list[tuple[str, str]]:
    with office.gate.store.reading() as connection:
        return [(one.account, one.kind) for one in newest_entries(connection, 20)]


def test_one_signs_in_goes_on_and_signs_out(person: Person, office: Office) -> None:
    refused = person.opens("/director")
    assert refused.headers["location"] == "/sign-in?to=/director"
    answer = person.signs_in("Director", to="/director")
    assert (answer.status_code, answer.headers["location"]) == (303, "/director")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-session=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert "Max-Age" not in cookie
    assert person.opens("/director").status_code == 200
    token = person.token
    gone = person.sends("/sign-out")
    # A browser takes no cookie of such a name without all of these (RFC 6265bis, 4.1.3.2), not even to delete it.
    deletion = set(gone.headers["set-cookie"].split("; "))
    assert {'__Host-session=""', "Max-Age=0", "Secure", "HttpOnly", "Path=/", "SameSite=lax"} <= deletion
    assert not any(one.startswith("Domain") for one in deletion)
    assert gone.headers["clear-site-data"] == '"cache", "cookies", "storage"'
    person.cookies.set(COOKIE, str(token), domain=HOST)
    over = person.opens("/director").headers["location"]
    assert over == "/sign-in?ended=idle&to=/director"
    assert "Your session ended: it ends after 30 minutes without a click" in person.opens(over).text
    assert log_of(office)[:2] == [("director", "signed out"), ("director", "signed in")]


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example"])
def test_signing_in_never_leads_elsewhere(person: Person, to: str) -> None:
    assert person.signs_in("director", to=to).headers["location"] == "/director"


def test_what_is_wrong_is_not_said(person: Person, office: Office) -> None:
    """A name that is unknown, a wrong password, a missing and a wrong code get the same words."""
    pages = {
        re.sub(r'value="[^"]*"', "", person.signs_in(*tried).text)
        for tried in (("nobody",), ("director", "wrong"), ("office",), ("office", PASSWORD, "000000"))
    }
    assert len(pages) == 1
    assert "The name, password or code is wrong." in pages.pop()
    assert person.token is None
    assert log_of(office)[0] == ("office", "sign-in refused")


def test_each_sign_in_has_a_new_token_and_ends_the_session_of_its_browser(person: Person) -> None:
    tokens = []
    for _ in range(2):
        assert person.signs_in("director").status_code == 303
        tokens.append(person.token)
    assert len(str(tokens[0])) == 43
    assert tokens[0] != tokens[1]
    person.cookies.set(COOKIE, str(tokens[0]), domain=HOST)
    assert person.opens("/director").status_code == 303


def test_a_code_counts_once(person: Person, office: Office) -> None:
    code = office.code()
    assert person.signs_in("office", code=code).headers["location"] == "/office"
    assert person.signs_in("office", code=code).status_code == 403
    office.clock.goes_on(seconds=30)
    assert person.signs_in("office", code=f"{office.code()[:3]} {office.code()[3:]}").status_code == 303


def test_after_five_failures_an_account_waits_longer_and_longer(
    browsers: Callable[[str], Person], office: Office
) -> None:
    guesser = browsers("192.0.2.8")
    for number in range(5):
        assert guesser.signs_in("director", f"guess {number}").status_code == 403
    waits = []
    for _ in range(3):
        answer = guesser.signs_in("director")
        assert answer.status_code == 429
        waits.append(int(answer.headers["retry-after"]))
        # What is not heard prolongs nothing.
        office.clock.goes_on(seconds=waits[-1])
        assert guesser.signs_in("director", "a guess").status_code == 403
    assert waits == [10, 20, 40]
    office.clock.goes_on(seconds=80)
    assert guesser.signs_in("director").status_code == 303
    assert guesser.signs_in("director", "a guess").status_code == 403
    assert guesser.signs_in("director").status_code == 303


def test_whoever_signed_in_from_an_address_is_not_kept_out_by_others(
    browsers: Callable[[str], Person],
) -> None:
    owner, guesser = browsers("192.0.2.7"), browsers("192.0.2.8")
    assert owner.signs_in("director").status_code == 303
    for number in range(5):
        assert guesser.signs_in("director", f"guess {number}").status_code == 403
    assert guesser.signs_in("director", "a sixth").status_code == 429
    assert owner.signs_in("director").status_code == 303


def test_an_address_has_twenty_failures_an_hour(browsers: Callable[[str], Person], office: Office) -> None:
    guesser = browsers("2001:db8::1")
    for number in range(20):
        assert guesser.signs_in(f"name {number}", "a guess").status_code == 403
    # Another address of the same network is the same home.
    neighbour = browsers("2001:db8::2")
    answer = neighbour.signs_in("director")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "3600")
    assert browsers("192.0.2.7").signs_in("director").status_code == 303
    office.clock.goes_on(hours=1)
    assert neighbour.signs_in("director").status_code == 303


@pytest.mark.parametrize(("pause", "times"), [({"minutes": 31}, 1), ({"minutes": 29}, 25)])
def test_a_session_ends_after_half_an_hour_without_a_request_and_after_twelve_hours(
    person: Person, office: Office, pause: dict[str, float], times: int
) -> None:
    assert person.signs_in("director").status_code == 303
    for _ in range(times - 1):
        office.clock.goes_on(**pause)
        assert person.opens("/director").status_code == (200 if office.clock.now - AT <= LONGEST else 303)
    office.clock.goes_on(**pause)
    assert person.opens("/director").status_code == 303


def test_rights_are_those_of_the_account_at_each_request(person: Person, office: Office) -> None:
    assert person.signs_in("director").status_code == 303
    with office.gate.store.writing() as connection:
        account = find_account(connection, "director")
        assert account is not None
        change_account(connection, account.id, Role.OFFICE, "", ())
    assert person.opens("/director").status_code == 303


def test_a_changed_password_ends_other_sessions_and_renews_this_one(
    browsers: Callable[[str], Person],
) -> None:
    here, there = browsers("192.0.2.7"), browsers("192.0.2.8")
    assert {one.signs_in("director").status_code for one in (here, there)} == {303}
    before = here.token
    assert here.sends("/account/password", current="wrong", password=ANOTHER).status_code == 422
    assert here.sends("/account/password", current=PASSWORD, password=COMMON).status_code == 422
    assert here.sends("/account/password", current=PASSWORD, password=ANOTHER).status_code == 303
    assert here.token != before
    assert here.opens("/director").status_code == 200
    assert there.opens("/director").status_code == 303
    assert here.signs_in("director", ANOTHER).status_code == 303


def test_sessions_are_listed_and_ended(browsers: Callable[[str], Person]) -> None:
    here, there = browsers("192.0.2.7"), browsers("192.0.2.8")
    for one in (there, here):
        assert one.signs_in("director").status_code == 303
    numbers = re.findall(r"/account/sessions/(\d+)/end", here.opens("/account").text)
    assert len(numbers) == 2
    assert here.sends(f"/account/sessions/{min(numbers)}/end").status_code == 303
    assert there.opens("/account").status_code == 303
    assert here.opens("/account").status_code == 200


def test_the_second_factor_is_set_up_before_anything_else(person: Person, office: Office) -> None:
    assert person.signs_in("new").headers["location"] == "/office"
    assert person.opens("/office").headers["location"] == "/account/second-factor"
    page = person.opens("/account/second-factor").text
    secret = offered(person)
    assert f"otpauth://totp/Example%20Federation:new?secret={secret}" in page
    assert "<svg" in page
    wrong = person.sets_up(code="000000")
    assert wrong.status_code == 422
    # Nobody brings a secret along: the one that was shown goes on holding.
    assert person.sets_up(secret=MINE, code=TOTP(MINE).at(office.clock.now)).status_code == 422
    assert offered(person) == secret
    # Whoever saw it on an open browser has nothing of it when the owner comes back.
    assert person.sends("/account/again", password=PASSWORD).status_code == 303
    assert offered(person) != secret
    secret = offered(person)
    before, code = person.token, TOTP(secret).at(office.clock.now)
    done = person.sets_up(code=code)
    assert len(RECOVERY_CODE.findall(done.text)) == 8
    assert person.token != before
    assert person.opens("/office").status_code == 200
    # The code that proved the app is used up, too.
    assert person.signs_in("new", code=code).status_code == 403


def test_the_second_factor_is_replaced_with_a_code_of_the_present_one(person: Person, office: Office) -> None:
    """OWASP ASVS 5.0, 7.5.1: a session and the password are not enough."""
    assert person.signs_in("office", code=office.code()).status_code == 303
    new = TOTP(offered(person))
    # The code of signing in counts no second time.
    for present in ("", "000000", office.code()):
        refused = person.sets_up(code=new.at(office.clock.now), present=present)
        assert refused.status_code in {403, 422}
    office.clock.goes_on(seconds=30)
    assert person.signs_in("office", code=office.code()).status_code == 303
    assert offered(person) != new.secret
    office.clock.goes_on(seconds=30)
    new = TOTP(offered(person))
    codes = RECOVERY_CODE.findall(person.sets_up(code=new.at(office.clock.now), present=office.code()).text)
    assert len(codes) == 8
    office.clock.goes_on(seconds=30)
    assert person.signs_in("office", code=office.code()).status_code == 403
    assert person.signs_in("office", code=new.at(office.clock.now)).status_code == 303
    # Whoever has lost the device proves the next app by a recovery code.
    newest = TOTP(offered(person))
    assert person.sets_up(code=newest.at(office.clock.now), present=codes[0]).status_code == 200
    office.clock.goes_on(seconds=30)
    assert person.signs_in("office", code=newest.at(office.clock.now)).status_code == 303
    assert ("office", "second factor set") in log_of(office)


def test_guesses_at_the_present_code_must_wait(browsers: Callable[[str], Person], office: Office) -> None:
    owner, thief = browsers("192.0.2.7"), browsers("192.0.2.8")
    assert owner.signs_in("office", code=office.code()).status_code == 303
    thief.cookies.set(COOKIE, str(owner.token), domain=HOST)
    code = TOTP(offered(thief)).at(office.clock.now)
    answers = [thief.sets_up(code=code, present=f"{guess:06}").status_code for guess in range(6)]
    assert answers == [403, 403, 403, 403, 403, 429]


def test_a_recovery_code_signs_in_once_in_place_of_the_code(person: Person, office: Office) -> None:
    assert person.signs_in("new").status_code == 303
    first, second, *_ = RECOVERY_CODE.findall(
        person.sets_up(code=TOTP(offered(person)).at(office.clock.now)).text
    )
    assert person.signs_in("new", code=first.lower().replace("-", " ")).status_code == 303
    with office.gate.store.reading() as connection:
        assert newest_entries(connection, 1)[0].details == "with a recovery code; 7 codes left"
    assert person.signs_in("new", code=first).status_code == 403
    # It is the account's own.
    assert person.signs_in("office", code=second).status_code == 403
    assert person.signs_in("new", code=second).status_code == 303
    assert "6 recovery codes are left" in person.opens("/account/second-factor").text


def test_new_recovery_codes_need_a_code_and_make_earlier_ones_void(person: Person, office: Office) -> None:
    assert person.signs_in("new").status_code == 303
    app = TOTP(offered(person))
    before = RECOVERY_CODE.findall(person.sets_up(code=app.at(office.clock.now)).text)
    refused = person.sets_up("/account/recovery-codes", present="000000")
    assert refused.status_code == 403
    office.clock.goes_on(seconds=30)
    code = app.at(office.clock.now)
    answer = person.sets_up("/account/recovery-codes", present=code)
    codes = RECOVERY_CODE.findall(answer.text)
    assert len(codes) == 8
    assert not set(codes) & set(before)
    assert person.signs_in("new", code=before[0]).status_code == 403
    assert person.signs_in("new", code=codes[0]).status_code == 303


def test_the_store_has_no_secret_of_a_second_factor(person: Person, office: Office, tmp_path: Path) -> None:
    assert person.signs_in("new").status_code == 303
    secret = offered(person)
    shown = person.sets_up(code=TOTP(secret).at(office.clock.now)).text
    offered(person)
    files = [one.read_bytes() for one in tmp_path.glob("web*")]
    assert files
    for text in (secret, offered(person), *RECOVERY_CODE.findall(shown)):
        assert not any(text.encode() in one or text.replace("-", "").encode() in one for one in files)


def test_a_link_gives_a_password_once_within_a_day(person: Person, office: Office) -> None:
    with office.gate.store.writing() as connection:
        account = add_account(connection, "Ann Lee", Role.DIRECTOR, "", (), office.clock.now)
        assert account is not None
        add_link(connection, digest_of("link"), account.id, office.clock.now)
    assert person.signs_in("ann lee", "").status_code == 403
    refusals = {
        "short": "8 to 128",
        "annlee2026": "first that anyone would try",
        "p4ssw0rd!": "first that anyone would try",
        "examplefederation1": "first that anyone would try",
        "Federation2026": "first that anyone would try",
        "87654321": "first that anyone would try",
    }
    for password, words in refusals.items():
        answer = person.sends("/first-password/link", "/sign-in", password=password)
        assert answer.status_code == 422
        assert words in answer.text
    chosen = person.sends("/first-password/link", "/sign-in", password=ANOTHER)
    assert "Your password is set." in person.opens(chosen.headers["location"]).text
    assert person.signs_in("ann  LEE", ANOTHER).status_code == 303
    used = person.opens("/first-password/link")
    assert used.status_code == 404
    assert "This link is no longer valid" in used.text
    with office.gate.store.writing() as connection:
        add_link(connection, digest_of("late"), account.id, office.clock.now)
    office.clock.goes_on(hours=24)
    late = person.sends("/first-password/late", "/sign-in", password=ANOTHER)
    assert late.status_code == 404
    assert "This link is no longer valid" in late.text


def test_the_log_has_who_is_told_to_wait_and_who_comes_from_another_site(
    browsers: Callable[[str], Person], office: Office
) -> None:
    guesser = browsers("192.0.2.8")
    for number in range(6):
        guesser.signs_in("director", f"guess {number}")
    assert log_of(office)[:2] == [("director", "sign-in told to wait"), ("director", "sign-in refused")]
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        assert guesser.client.post("/sign-in", data={"name": "director"}, headers=headers).status_code == 403
    with office.gate.store.reading() as connection:
        first, second, *_ = newest_entries(connection, 5)
    assert first[2:] == second[2:]
    assert first[2:] == ("nobody", "refused", "192.0.2.8", "POST /sign-in: from another site")


def test_no_wave_of_refusals_fills_the_store(browsers: Callable[[str], Person], office: Office) -> None:
    """Guesses, posts from other sites and refusals of those signed in: each kind, for each address and hour."""
    guesser, director, neighbour = (browsers(f"192.0.2.{number}") for number in (8, 9, 10))
    assert director.signs_in("director").status_code == 303
    foreign = {"sec-fetch-site": "cross-site"}

    def entries(kind: LogKind) -> list[LogEntry]:
        with office.gate.store.reading() as connection:
            return newest_entries(connection, 1000, kind=kind)

    for number in range(OF_ADDRESS + MOST_OF_HOUR + 2):
        guesser.signs_in(f"name {number}", "a guess")
        director.client.post("/director/previews", headers=foreign)
    assert len(entries(LogKind.SIGN_IN_REFUSED)) == OF_ADDRESS
    for kind in (LogKind.SIGN_IN_WAITS, LogKind.REFUSED):
        newest, *others = entries(kind)
        assert len(others) == MOST_OF_HOUR - 1
        assert newest.details.endswith(LEFT_OUT)
        assert not any(LEFT_OUT in one.details for one in others)
    # Others, and the next hour, are heard.
    neighbour.client.post("/sign-in", headers=foreign)
    office.clock.goes_on(hours=1)
    guesser.client.post("/sign-in", headers=foreign)
    director.client.post("/sign-in", headers=foreign)
    assert [one.address for one in entries(LogKind.REFUSED)[:4]] == [
        "192.0.2.9",
        "192.0.2.8",
        "192.0.2.10",
        "192.0.2.9",
    ]
