"""Seals: how far the chain of a book goes, written down outside of it, with a signature if the office has a key.

The signature is Ed25519 over the lines above it, as they stand (RFC 8032); keys are files in PEM.
"""

import base64
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ratebook.book.chain.links import NO_LINK, Head, head_of
from ratebook.book.connection import Book
from ratebook.book.failures import refused
from ratebook.book.profile import read_federation
from ratebook.findings import Place

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

Key = TypeVar("Key")

FIRST_LINE = "ratebook seal 1"
_HEAD_LETTERS = 64
_MOST_DIGITS = 18


class Seal(NamedTuple):
    """A seal of the book of a *federation*, made at a moment in UTC; *signature* is in base64, or empty."""

    federation: str
    head: Head
    made: str
    signature: str = ""

    @property
    def signed(self) -> str:
        """What is signed."""
        return f"{FIRST_LINE}\nfederation: {self.federation}\nmade: {self.made}\nseal: {self.head}\n"

    @property
    def text(self) -> str:
        """The file of the seal."""
        return self.signed + (f"signature: {self.signature}\n" if self.signature else "")


def seal(book: Book, at: str, key: bytes | None = None) -> Seal:
    """Return the seal of a book as it is now, signed with the private *key* where one is given."""
    with book.reading() as connection:
        unsigned = Seal(read_federation(connection).profile.name, head_of(connection), at)
    if key is None:
        return unsigned
    return unsigned._replace(
        signature=base64.b64encode(_private(key).sign(unsigned.signed.encode())).decode()
    )


def read_seal(text: str, where: str) -> Seal:
    """Return the seal in a file, or one that is typed as ``1234:3f2a…``; a `BookError` if it is none."""
    if not text.startswith(FIRST_LINE):
        return Seal("", _head(text.strip(), where), "")
    values = dict(line.partition(": ")[::2] for line in text.splitlines()[1:])
    head = _head(values.get("seal", ""), where)
    return Seal(values.get("federation", ""), head, values.get("made", ""), values.get("signature", ""))


def require_signature(sealed: Seal, key: bytes, where: str) -> None:
    """Refuse a seal that the owner of the public *key* did not sign, by a `BookError`."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - the extra "sign"

    try:
        _public(key).verify(base64.b64decode(sealed.signature, validate=True), sealed.signed.encode())
    except (InvalidSignature, ValueError) as failure:
        raise refused("seal-signature-wrong", Place(subject=where)) from failure


def new_keys() -> Mapping[str, bytes]:
    """Return a new pair of keys: the ``private`` one, which the office keeps, and the ``public`` one."""
    from cryptography.hazmat.primitives import serialization as pem  # noqa: PLC0415 - the extra "sign"
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - as above

    private = Ed25519PrivateKey.generate().private_bytes(
        pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption()
    )
    return {"private": private, "public": public_key_of(private)}


def public_key_of(key: bytes) -> bytes:
    """Return the public key that belongs to a private one; a `BookError` if that cannot be read."""
    from cryptography.hazmat.primitives import serialization as pem  # noqa: PLC0415 - the extra "sign"

    public = _private(key).public_key()
    return public.public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)


def _private(key: bytes) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415 - as above

    kind: type[Ed25519PrivateKey] = Ed25519PrivateKey  # type: ignore[type-abstract] # for isinstance alone
    return _loaded(lambda: load_pem_private_key(key, password=None), kind, "the private key")


def _public(key: bytes) -> "Ed25519PublicKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415 - as above
    from cryptography.hazmat.primitives.serialization import load_pem_public_key  # noqa: PLC0415 - as above

    kind: type[Ed25519PublicKey] = Ed25519PublicKey  # type: ignore[type-abstract] # for isinstance alone
    return _loaded(lambda: load_pem_public_key(key), kind, "the public key")


def _loaded(load: Callable[[], object], kind: type[Key], subject: str) -> Key:
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 - as above

    try:
        key = load()
    except (TypeError, UnsupportedAlgorithm, ValueError) as failure:
        raise refused("seal-key-wrong", Place(subject=subject)) from failure
    if not isinstance(key, kind):
        raise refused("seal-key-wrong", Place(subject=subject))
    return key


def _head(text: str, where: str) -> Head:
    number, _, head = text.partition(":")
    if (
        number.isdecimal()
        and number.isascii()
        and len(head) == _HEAD_LETTERS
        and len(number) <= _MOST_DIGITS
        and int(number) > NO_LINK.number
    ):
        return Head(int(number), head.lower())
    raise refused("seal-unreadable", Place(subject=where))
