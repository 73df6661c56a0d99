r"""Letters: saved messages (.eml) and pages saved as one file (.mhtml), and text copied out of an e-mail or a chat.

What is attached to a message, and what it says, become files. Text that was copied keeps the numbers of its lines, and
loses marks of quotation. Who wrote to whom and when is never read; the subject may become the name of the event.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ratebook.formats.archive import MOST_FILES, Room, SourceFile, too_large
from ratebook.formats.reading.dates import WEEKDAY
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

_QUOTED = re.compile(r"(?:> ?)+")
_LEAST_QUOTED = 3
_HEADER = re.compile(
    r"(?:(?P<subject>subject|betreff|objet|asunto|oggetto)"
    r"|from|to|cc|bcc|sent|date|reply-to|sender|importance|attachments?"
    r"|von|an|gesendet|datum|de|para|fecha|enviado|envoyé|à"
    r"|received|return-path|delivered-to|message-id|in-reply-to|references|mime-version|user-agent"
    r"|(?:content|x|arc|dkim|list|authentication)-[a-z0-9-]+)[ \t]*:[ \t]*(?P<text>.*)",
    re.IGNORECASE,
)
_SENDER = re.compile(r"(?:from|von|de|sender)[ \t]*:", re.IGNORECASE)
_CHAT = re.compile(
    r"\[?(?:[0-9./-]{3,10}|[a-z]{3,9}\.? [0-9]{1,2},? [0-9]{4}),?[ T]"
    r"[0-9]{1,2}[:.][0-9]{2}[^\]\n-]{0,12}(?:\]| -) (?!r(?:oun)?d)"
    r"(?P<sender>[^:\n]{1,60}:[ \t])?",
    re.IGNORECASE,
)
"""Who wrote when, in front of each line of an exported chat."""
_MARKS_OF_MAIL = re.compile(
    rb"^(?:>.*\n>.*\n>|"
    + _CHAT.pattern.encode()
    + rb"|(?:from|von|de|sender)[ \t]*:|(?:date|sent)[ \t]*:.{6,40}[0-9]{1,2}:[0-9]{2})",
    re.IGNORECASE | re.MULTILINE,
)
_SENT = re.compile(r"(?:date|sent)[ \t]*:[ \t]*[a-z]{2,9},? .*\b[0-9]{1,2}:[0-9]{2}.*", re.IGNORECASE)
"""When a letter was sent: a day of the week, a date and a time."""
_LEAST_HEADERS = 2
_BEFORE_TITLE = re.compile(
    r"\s*(?:(?:re|fwd?|aw|wg|tr|rv|sv)(?:\[[0-9]+\])?[ \t]*:[ \t]*)*"
    r"(?:(?:(?:the|our|my|final|rating)\s)*(?:results?|reports?|crosstables?|standings)\s(?:of|from|for)\s(?:the\s)?"
    rf"(?!{WEEKDAY}$))?",
    re.IGNORECASE,
)
"""That the letter is an answer or was sent on, and what it has of the event."""
_NO_TITLE = re.compile(
    r"(?:(?:the|our|my|for|rating|tournament|event|final|results?|reports?|crosstables?|standings|pairings)\b\W*)+",
    re.IGNORECASE,
)
"""A subject that says what the letter has, and not of which event."""
_WHO_WROTE = re.compile(
    r".{0,200}\b(?:wrote|writes|schrieb|a écrit|escribió)\s*:|-{2,} ?(?:original|forwarded) message ?-{2,}",
    re.IGNORECASE,
)


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


def text_of_mail(data: bytes) -> bytes | None:
    r"""Return a letter without quotation marks and headers, as UTF-8; None where *data* is none.

    >>> text_of_mail(b"From: Ann <ann@club.example>\nSubject: Fwd: Quad of May\n\n> # Name\n> 1 A\n> 2 B\n")
    b'\nEvent: Quad of May\n\n# Name\n1 A\n2 B\n'
    >>> text_of_mail(b"[10/3/26, 9:14 AM] Ann: Round 1\n[10/3/26, 9:15 AM] Ann: Cole 1-0 Dean\n")
    b'Round 1\nCole 1-0 Dean\n'
    >>> text_of_mail(b"Event: Quad\nDate: 2026-05-01\n") is None
    True
    """
    if b"\0" in data or _MARKS_OF_MAIL.search(data[:_HEAD].replace(b"\r", b"")) is None:
        return None
    lines = decoded_text(data)[0].split("\n")
    is_quoted = sum(line.startswith(">") for line in lines) >= _LEAST_QUOTED
    if is_quoted:
        lines = [_QUOTED.sub("", line, count=1) if line.startswith(">") else line for line in lines]
    headers = _headers_of(lines)
    is_chat = len([line for line in lines if _CHAT.match(line)]) > 1
    if not (is_quoted or headers or is_chat):
        return None
    if is_chat:
        # What no one wrote is of the chat itself.
        lines = [
            line if found is None else line[found.end() :] if found["sender"] else ""
            for line, found in zip(lines, map(_CHAT.match, lines), strict=True)
        ]
    for at, line in enumerate(lines):
        if at in headers:
            lines[at] = headers[at]
        elif _WHO_WROTE.fullmatch(line.strip()):
            lines[at] = ""
    return "\n".join(lines).encode()


def title_in(subject: str) -> str:
    """Return the subject of the first letter, which was answered or sent on; nothing where it names no event.

    >>> title_in("Re: Fwd: Quad of May"), title_in("Fwd: rating report"), title_in("Results of the Quad")
    ('Quad of May', '', 'Quad')
    >>> title_in("Results from Saturday")
    'Results from Saturday'
    """
    title = _BEFORE_TITLE.sub("", subject, count=1).strip()
    return "" if _NO_TITLE.fullmatch(title) else title


def _headers_of(lines: list[str]) -> dict[int, str]:
    """Return the lines of headers by their place, each with what stays of it: the subject of the letter."""
    headers: dict[int, str] = {}
    block: dict[int, str] = {}
    sender = sent = False
    for at, line in enumerate([*lines, ""]):
        sent |= _SENT.fullmatch(line.rstrip()) is not None
        if header := _HEADER.fullmatch(line.rstrip()):
            subject = title_in(header["text"]) if header["subject"] else ""
            block[at] = f"Event: {subject}" if subject else ""
            sender |= _SENDER.match(line) is not None
        elif block and line[:1].isspace() and line.strip():
            # A long header goes on in the next line.
            block[at] = ""
        else:
            if sent or (sender and len(block) >= _LEAST_HEADERS):
                headers |= block
            block, sender = {}, False
    return headers
