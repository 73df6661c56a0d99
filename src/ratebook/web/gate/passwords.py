"""Passwords: which may be chosen, and argon2id as OWASP's sheet on storing passwords has it."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ratebook.findings import Finding, Place, finding

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
_NO_LETTERS = re.compile(r"[\W\d_]+")
_OF_THE_TRADE = ("chess", "elo", "gambit", "pawn", "ratebook", "rating", "stockfish", "uschess")
"""Words that count as names: ASVS 5.0, 6.2.11 asks for those of what a server is about."""
_SHORTEST_NAME, _SHORTEST_REST = 3, 4
"""Letters that a name must have to be taken out of a password, and letters that must be left of it then."""
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
    """Return why a password may not be chosen; *near* are names that it may not be made of."""
    text = _normal(password)
    if not SHORTEST <= len(text) <= LONGEST:
        return finding("password-length", Place(input="password"), least=SHORTEST, most=LONGEST)
    plain = text.casefold()
    core = _core(plain)
    if {plain, core} & common_words() or _is_run(plain) or _is_run(core) or _is_made_of(plain, near):
        return finding("password-common", Place(input="password"))
    return None


@cache
def common_words() -> frozenset[str]:
    """Return the passwords, names and words that most people choose.

    docs/decisions/0045-common-passwords-are-those-of-zxcvbn.md says whose lists these are.
    """
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - megabytes, for those who choose a password

    return frozenset(word for words in FREQUENCY_LISTS.values() for word in words)


def _is_made_of(password: str, names: Iterable[str]) -> bool:
    """Return whether too little of a password is left, or a common word, when names are taken out of it.

    >>> [
    ...     _is_made_of(one, ["office1", "Ann Lee"])
    ...     for one in ("office1office1", "ann-lee-2026", "off1ce-dragon")
    ... ]
    [True, True, True]
    >>> _is_made_of("office by the old mill", ["office1"]), _is_made_of("7#x", ["office1"])
    (False, False)
    """
    folded = [one.casefold() for one in (*names, *_OF_THE_TRADE)]
    parts = {part for one in folded for part in _NO_LETTERS.split(one) if part}
    whole = parts | set(filter(None, map(_core, folded)))
    for letters in (_NO_LETTERS.sub("", password), _core(password)):
        if letters in whole:
            return True
        rest = letters
        for part in sorted(parts, key=len, reverse=True):
            rest = rest.replace(part, "") if len(part) >= _SHORTEST_NAME else rest
        if rest != letters and (len(rest) < _SHORTEST_REST or rest in common_words()):
            return True
    return False


def _core(password: str) -> str:
    """Return a password without digits and marks around it, its figures read as letters.

    >>> _core("p4ssw0rd2026!"), _core("!!dragon!!"), _core("correct horse")
    ('password', 'dragon', 'correcthorse')
    """
    return re.sub(r"[\W_]", "", _AROUND.sub("", password).translate(_LIKE_LETTERS))


def _is_run(password: str) -> bool:
    """Return whether a text repeats at most two letters, or runs along the keyboard or the alphabet.

    >>> [_is_run(one) for one in ("abababab", "12345678", "qwer", "87654321", "battery staple")]
    [True, True, True, True, False]
    """
    least, few = 4, 2
    runs = len(set(password)) <= few or any(password in run or password[::-1] in run for run in _RUNS)
    return runs and len(password) >= least


def _normal(password: str) -> str:
    """Return a password in one form, whatever the keyboard made of its accents (RFC 8265, section 4.2.2)."""
    return unicodedata.normalize("NFC", password)
