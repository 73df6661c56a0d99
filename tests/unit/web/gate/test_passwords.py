"""Passwords and codes, against the documents that describe them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from threading import Barrier, Thread

import pytest
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from ratebook.web.gate import passwords
from ratebook.web.gate.passwords import LONGEST, OF_NO_ONE, SHORTEST, hashed, is_password, refusal
from ratebook.web.gate.second_factor import step_of

# RFC 6238, appendix B: SHA-1, of whose eight digits the last six are a code of six.
RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # noqa: S105 - the RFC's own
RFC_CODES = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    20000000000: "353130",
}


def test_hashes_are_what_owasp_recommends() -> None:
    """OWASP, Password Storage: argon2id, 19 MiB, two passes, one lane; the hash of no one takes the same work."""
    made = hashed("correct horse battery staple", b"0123456789abcdef")
    assert made.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert re.sub(r"\w|[+/]", "x", made) == re.sub(r"\w|[+/]", "x", OF_NO_ONE)
    assert is_password("correct horse battery staple", made)
    assert not is_password("correct horse battery stapler", made)
    assert not is_password("anything", None)


def test_two_are_verified_at_once_and_not_three(monkeypatch: pytest.MonkeyPatch) -> None:
    both = Barrier(2)
    at_once: list[int] = []
    running: list[int] = []

    class Verifier:
        def verify(self, _stored: str, password: str) -> bool:
            running.append(1)
            at_once.append(len(running))
            if password == "two":  # noqa: S105 - a word of this test
                both.wait()
            running.pop()
            return True

    monkeypatch.setattr(passwords, "HASHER", Verifier())
    people = [Thread(target=is_password, args=("two", OF_NO_ONE)) for _ in range(6)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    assert max(at_once) == 2


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "Passw0rd!",
        "qwertyuiop",
        "abcdefgh",
        "zzzzzzzz",
        "12345678",
        "Chess2026",
        "dragon!!1",
        "ann lee 1",
        "examplefederation",
        # Among the 3,000 most common ones of 8 letters or more, none of which a list of words has.
        "1qaz2wsx",
        "q1w2e3r4",
        "asdfasdf",
        "11223344",
        "metallica",
        "babygirl",
        "789456123",
        # Made of names, whatever is around and between them.
        "office1office1",
        "Office-Office!7",
        "Ann.Example.2026",
        "2026federation-ann",
        "ann lee dragon",
        "chesschess64",
        "queen-chess-1",
        "Rat3book!!",
    ],
)
def test_what_anyone_would_try_is_refused(password: str) -> None:
    found = refusal(password, ("Ann Lee", "office1", "Example Federation"))
    assert found is not None
    assert found.code == "password-common"


def test_the_most_common_passwords_that_may_be_typed_are_refused() -> None:
    """OWASP ASVS 5.0, 6.2.4: at least 3,000 that fit the policy; every seventh of them is tried."""
    typed = [one for words in FREQUENCY_LISTS.values() for one in words if len(one) >= SHORTEST]
    assert len(typed) >= 10_000
    assert [one for one in typed[::7] if refusal(one, ()) is None] == []


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery staple",
        "cannonball at the mill",
        "7!492$1x9Q#8",
        "Office by the old mill",
        "kd8#vbqx",
    ],
)
def test_a_name_in_a_long_password_does_no_harm(password: str) -> None:
    assert refusal(password, ("office1", "Ann", "A", "7", "Example Federation")) is None


@pytest.mark.parametrize(
    ("password", "taken"), [("kd8#vbq", False), ("kd8#vbqx", True), ("ü" * 3 + "kd8#vbq" * 18, False)]
)
def test_a_password_has_from_8_to_128_characters(password: str, taken: bool) -> None:  # noqa: FBT001 - of the table
    assert (refusal(password, ()) is None) == taken
    assert len(password) <= LONGEST + 1


def test_accents_may_be_typed_in_either_way() -> None:
    made = hashed("cafe\u0301 cafe\u0301", b"0123456789abcdef")
    assert is_password("caf\u00e9 caf\u00e9", made)


@pytest.mark.parametrize("at", RFC_CODES)
def test_codes_are_those_of_the_rfc_and_count_once(at: int) -> None:
    now, code = datetime.fromtimestamp(at, UTC), RFC_CODES[at]
    assert step_of(code, RFC_SECRET, now) == at // 30
    assert step_of(code, RFC_SECRET, now, after=at // 30) is None
    assert step_of(code, RFC_SECRET, datetime.fromtimestamp(at + 30, UTC)) == at // 30
    assert step_of(code, RFC_SECRET, datetime.fromtimestamp(at + 60, UTC)) is None
