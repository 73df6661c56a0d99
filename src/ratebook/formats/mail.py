"""Text copied out of an e-mail or a chat: without marks of quotation, and without who wrote to whom and when.

Lines keep their numbers. The subject stays, as the name of the event; who wrote to whom and when is left out.
"""

import re

from ratebook.formats.reading.dates import WEEKDAY
from ratebook.formats.reading.text import decoded_text

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
_MARKS = re.compile(
    rb"^(?:>.*\n>.*\n>|"
    + _CHAT.pattern.encode()
    + rb"|(?:from|von|de|sender)[ \t]*:|(?:date|sent)[ \t]*:.{6,40}[0-9]{1,2}:[0-9]{2})",
    re.IGNORECASE | re.MULTILINE,
)
_SENT = re.compile(r"(?:date|sent)[ \t]*:[ \t]*[a-z]{2,9},? .*\b[0-9]{1,2}:[0-9]{2}.*", re.IGNORECASE)
"""When a letter was sent: a day of the week, a date and a time."""
_LOOKED_AT = 1 << 16
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


def text_of_mail(data: bytes) -> bytes | None:
    r"""Return a letter without quotation marks and headers, as UTF-8; None where *data* is none.

    >>> text_of_mail(b"From: Ann <ann@club.example>\nSubject: Fwd: Quad of May\n\n> # Name\n> 1 A\n> 2 B\n")
    b'\nEvent: Quad of May\n\n# Name\n1 A\n2 B\n'
    >>> text_of_mail(b"[10/3/26, 9:14 AM] Ann: Round 1\n[10/3/26, 9:15 AM] Ann: Cole 1-0 Dean\n")
    b'Round 1\nCole 1-0 Dean\n'
    >>> text_of_mail(b"Event: Quad\nDate: 2026-05-01\n") is None
    True
    """
    if b"\0" in data or _MARKS.search(data[:_LOOKED_AT].replace(b"\r", b"")) is None:
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
