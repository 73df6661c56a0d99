"""Passwords: which may be chosen, and argon2id as OWASP's sheet on storing passwords has it."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ratebook.findings import Finding, finding

SHORTEST, LONGEST = 8, 128
SALT_BYTES = 16
HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=SALT_BYTES)
"""19 MiB, two passes, one lane."""
OF_NO_ONE = (
    "$argon2id$v=19$m=19456,t=2,p=1$F5bvx5NU18aJ20yYKtWMdg$IwLIkCG5YDGNIDFF3hEUYP+v71i30qSbarqobLFKegY"
)
"""Checked where there is no such account, so that the answer takes the same work."""
_TWO_AT_ONCE = BoundedSemaphore(2)
"""Else attempts to sign in would be a way to stop the machine."""

_LIKE_LETTERS = str.maketrans("013457@$!", "oieastasi")
_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "1q2w3e4r5t6y7u8i9o0p",
)


def hashed(password: str, salt: bytes) -> str:
    """Return the hash of a password that a store keeps."""
    with _TWO_AT_ONCE:
        return HASHER.hash(_normal(password), salt=salt)


def is_password(password: str, stored: str | None) -> bool:
    """Return whether a password is the one of a stored hash; never without one, after the same work."""
    with _TWO_AT_ONCE:
        try:
            HASHER.verify(stored or OF_NO_ONE, _normal(password))
        except (VerificationError, InvalidHashError):
            return False
    return stored is not None


def refusal(password: str, near: Iterable[str]) -> Finding | None:
    """Return why a password may not be chosen; *near* are names that it may not be, such as the federation's."""
    text = _normal(password)
    if not SHORTEST <= len(text) <= LONGEST:
        return finding("password-length", "password", least=SHORTEST, most=LONGEST)
    plain = text.casefold()
    parts = {one for name in near for one in (name, *name.split()) if one}
    if _core(plain) in common_words() | {_core(one.casefold()) for one in parts} or _is_run(plain):
        return finding("password-common", "password")
    return None


@cache
def common_words() -> frozenset[str]:
    """Return words that many passwords are made of; what is around them, and figures for letters, is left out."""
    text = resources.files("ratebook.web.gate").joinpath("common_passwords.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def _core(password: str) -> str:
    """Return a password without digits and marks around it, its figures read as letters.

    >>> _core("p4ssw0rd2026!"), _core("!!dragon!!"), _core("correct horse")
    ('password', 'dragon', 'correcthorse')
    """
    return re.sub(r"[\W_]", "", _AROUND.sub("", password).translate(_LIKE_LETTERS))


def _is_run(password: str) -> bool:
    """Return whether a password repeats at most two letters, or runs along the keyboard or the alphabet.

    >>> [_is_run(one) for one in ("abababab", "12345678", "qwertyuiop", "87654321", "battery staple")]
    [True, True, True, True, False]
    """
    few = 2
    return len(set(password)) <= few or any(password in run or password[::-1] in run for run in _RUNS)


def _normal(password: str) -> str:
    """Return a password in one form, whatever the keyboard made of its accents (RFC 8265, section 4.2.2)."""
    return unicodedata.normalize("NFC", password)
