"""The key that seals secrets of second factors, so that no code can be made of what the store alone holds.

docs/decisions/0046-secrets-of-second-factors-are-sealed.md says where it lies and why.
"""

import base64
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ratebook.book.failures import failure_of_file, refused
from ratebook.bounded_files import bounded_bytes
from ratebook.findings import Place
from ratebook.unfinished_files import PARTIAL, rename_durably, unfinished_file, write_durably
from ratebook.web.store.accounts import Account

KEY_BYTES, NONCE_BYTES = 32, 12
"""AES-256-GCM, with a nonce of 96 bits by chance for each secret (NIST SP 800-38D, 8.2.2)."""
GIVEN = "the key in the environment"
"""Where a key is that is in no file, for people."""


class Vault:
    """Seals secrets and opens them again.

    Args:
        random: gives so many bytes that no one can guess.
        place: the file of the key, which is made when it is needed first; None where there can be none.
        key: the key itself, in base 64, instead of a file.
    """

    def __init__(self, random: Callable[[int], bytes], place: str | None = None, key: str = "") -> None:
        self._random = random
        self._place = place
        self._key = key.strip()
        self._cipher: AESGCM | None = None
        self._lock = Lock()

    @property
    def where(self) -> str:
        """Return where the key is, for people."""
        return GIVEN if self._key or self._place is None else self._place

    def seal(self, secret: str, account: int) -> str:
        """Return a secret as the store keeps it: it opens for this account alone.

        Raises:
            BookError: the key cannot be read or made.
        """
        with self._lock:
            cipher = self._found() or self._made()
        nonce = self._random(NONCE_BYTES)
        sealed = cipher.encrypt(nonce, secret.encode(), _whose(account))
        return base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, sealed: str, account: int) -> str:
        """Return the secret of an account.

        Raises:
            BookError: the key is not there, cannot be read, or is another one.
        """
        secret = self._opened(sealed, account)
        if secret is None:
            raise refused("web-key-wrong", Place(file=self.where), accounts=f"account {account}")
        return secret

    def require(self, accounts: Sequence[Account]) -> None:
        """Make the key if no account has a secret so far; else refuse one that does not open all of them.

        Raises:
            BookError: the key is not there, cannot be read, or is another one.
        """
        sealed = [(one.name, one.secret, one.id) for one in accounts if one.secret is not None]
        with self._lock:
            cipher = self._found()
            if cipher is None and not sealed:
                self._made()
        if cipher is None and sealed:
            raise refused(
                "web-key-missing.lost",
                Place(file=self.where),
                accounts=", ".join(name for name, *_ in sealed),
            )
        shut = [name for name, secret, number in sealed if self._opened(secret, number) is None]
        if shut:
            raise refused("web-key-wrong", Place(file=self.where), accounts=", ".join(shut))

    def _opened(self, sealed: str, account: int) -> str | None:
        with self._lock:
            cipher = self._found()
        if cipher is None:
            raise refused("web-key-missing.lost", Place(file=self.where), accounts=f"account {account}")
        try:
            content = base64.urlsafe_b64decode(sealed)
            return cipher.decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], _whose(account)).decode()
        except (InvalidTag, ValueError):
            return None

    def _found(self) -> AESGCM | None:
        """Return what seals with the key, or None where there is no key."""
        if self._cipher is None:
            text = self._key or self._in_file()
            self._cipher = None if text is None else AESGCM(_bytes(text, self.where))
        return self._cipher

    def _in_file(self) -> str | None:
        if self._place is None:
            return None
        try:
            return bounded_bytes(self._place).decode("latin-1").strip()
        except FileNotFoundError:
            return None
        except OSError as failure:
            raise failure_of_file(failure, self._place) from failure

    def _made(self) -> AESGCM:
        """Make the file of a new key; where another program has just made one, that is taken."""
        if self._place is None:
            raise refused("web-key-missing.nowhere", Place(subject=GIVEN))
        text = base64.urlsafe_b64encode(self._random(KEY_BYTES))
        try:
            with unfinished_file(self._place, PARTIAL) as partial, suppress(FileExistsError):
                write_durably(partial, text + b"\n")
                rename_durably(str(partial), self._place)
        except OSError as failure:
            raise failure_of_file(failure, self._place) from failure
        key = self._found()
        if key is None:
            raise refused("web-key-missing.nowhere", Place(file=self.where))
        return key


def _whose(account: int) -> bytes:
    return f"second factor of account {account}".encode()


def _bytes(text: str, where: str) -> bytes:
    try:
        key = base64.b64decode(text, altchars=b"-_", validate=True)
        if len(key) == KEY_BYTES:
            return key
    except ValueError:
        pass
    raise refused("web-key-not-read", Place(file=where), bytes=KEY_BYTES)
