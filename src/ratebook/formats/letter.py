r"""Saved messages (.eml) and pages saved as one file (.mhtml): what is attached, and what the letter says, as files.

Senders, addresses and days of the headers are never read; the subject may become the name of the event.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ratebook.formats.archive import MOST_FILES, Room, SourceFile, too_large
from ratebook.formats.mail import title_in
from ratebook.formats.reading.text import BYTE_ORDER_MARK, decoded_text

if TYPE_CHECKING:
    from email.message import Message

_HEAD = 1 << 16
_FIRST = re.compile(rb"(?:From [^\r\n]*\r?\n)?[A-Za-z][A-Za-z0-9-]*:[ \t\r]")
_MARK = re.compile(rb"^(?:mime-version|content-type):", re.IGNORECASE | re.MULTILINE)
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n|\r\r")
_MOST_LINES = 600_000
"""As many as 40 MB of an attachment have."""
_MOST_NESTED = 60
_NESTING = re.compile(rb"boundary|message/", re.IGNORECASE)
_PAGE = "message.html"
_PAGE_MARK = b"<!doctype html>\n"
_BODIES = {"text/plain": "message.txt", "text/html": _PAGE}
_SLOW = frozenset({"idna", "punycode"})
"""Encodings of addresses, not of texts, whose time grows with the square of the text."""
_LONGEST_HEADER = 1_000


class Letter(NamedTuple):
    """The files of a saved message, those attached first, and its subject, which may be empty."""

    files: tuple[SourceFile, ...]
    subject: str


def is_letter(data: bytes) -> bool:
    r"""Return whether *data* is a message as programs for mail save it, with headers that say how it is packed.

    >>> is_letter(b"Subject: Quad\nMIME-Version: 1.0\n\nHello"), is_letter(b"Event: Quad\nDate: 2026-05-01\n")
    (True, False)
    """
    head = data[:_HEAD].removeprefix(BYTE_ORDER_MARK).lstrip(b"\r\n")
    if b"\0" in head or not _FIRST.match(head):
        return False
    return _MARK.search(_END_OF_HEAD.split(head, maxsplit=1)[0].replace(b"\r", b"\n")) is not None


def letter_of(data: bytes, name: str, room: Room) -> Letter:
    r"""Return the files of the message in *data*; *name* is that of its source.

    What the letter says is marked as such where something else is in the message, since it counts only if that has no
    report.

    Raises:
        SourceError: it has more lines, parts or bytes than any report.

    >>> letter_of(b"Subject: Re: Quad\nMIME-Version: 1.0\n\n1 A W2\n", "mail.eml", Room("mail.eml"))
    Letter(files=(SourceFile(name='message.txt', data=b'1 A W2\n', fault=None, is_said=False),), subject='Quad')
    """
    from email import message_from_bytes  # noqa: PLC0415 - start-up: only letters need it

    text = data.removeprefix(BYTE_ORDER_MARK).lstrip(b"\r\n")
    # The parser's time grows with both.
    if text.count(b"\n") + text.count(b"\r") > 2 * _MOST_LINES or len(_NESTING.findall(text)) > _MOST_NESTED:
        raise too_large(name)
    message = message_from_bytes(text)
    attached: list[SourceFile] = []
    bodies: list[SourceFile] = []
    for part in message.walk():
        if part.is_multipart():
            continue
        if len(attached) + len(bodies) == MOST_FILES:
            raise too_large(name)
        content = part.get_payload(decode=True)
        content = content if isinstance(content, bytes) else b""
        room.take(len(content))
        body = _BODIES.get(part.get_content_type())
        if file := _decoded(part.get_filename() or "").replace("\\", "/").rpartition("/")[2]:
            attached.append(SourceFile(file, content))
        elif body is None or part.get_content_disposition() == "attachment":
            attached.append(SourceFile(f"attachment {len(attached) + 1}", content))
        elif content.strip():
            bodies.append(SourceFile(body, _PAGE_MARK * (body == _PAGE) + _as_utf8(content, part)))
    is_said = len(attached) + len(bodies) > 1
    # Where a letter says the same twice, only the text of a page keeps the cells of a table apart.
    said = sorted((file._replace(is_said=is_said) for file in bodies), key=lambda file: file.name)
    return Letter((*attached, *said), title_in(_decoded(message.get("subject", ""))))


def variants(files: tuple[SourceFile, ...]) -> Iterator[tuple[SourceFile, ...]]:
    """Yield what may be the report: all *files* that are attached, then each that only a letter says."""
    attached = tuple(file for file in files if not file.is_said)
    if attached or not files:
        yield attached
    yield from ((file,) for file in files if file.is_said)


def _decoded(header: object) -> str:
    """Return the text of a header on one line, whatever letters it was packed in; empty where it is broken."""
    from email.errors import HeaderParseError  # noqa: PLC0415 - as above
    from email.header import decode_header, make_header  # noqa: PLC0415 - as above

    try:
        text = str(make_header(decode_header(str(header)[:_LONGEST_HEADER])))
    except (HeaderParseError, LookupError, ValueError):
        return ""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _as_utf8(content: bytes, part: "Message") -> bytes:
    """Return the text of a *part* in UTF-8, from the letters that its header names if it is written in these."""
    charset = part.get_content_charset() or "utf-8"
    try:
        if charset in _SLOW:
            return content
        return content.decode(charset).encode()
    except (LookupError, UnicodeError):
        return decoded_text(content)[0].encode()
