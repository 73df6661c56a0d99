"""The head of a file, the same for every reader: byte order mark, encoding, zero bytes."""

from ratebook.findings import Findings, Place

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WINDOWS = ("cp1252", "latin-1")
"""The usual Windows letters: all printable ones of Latin-1, and what programs for Windows add to them."""


def first_character(data: bytes) -> bytes:
    r"""Return the first byte of *data* that is no blank, behind a byte order mark; empty where there is none.

    >>> first_character(b"\xef\xbb\xbf\n {}")
    b'{'
    """
    return data.removeprefix(BYTE_ORDER_MARK).lstrip()[:1]


def decoded_text(data: bytes, encodings: tuple[str, ...] = WINDOWS) -> tuple[str, bool]:
    r"""Return the text of a file with ``\n`` at the ends of lines, and whether it was UTF-8.

    A byte order mark is dropped. What is not UTF-8 is read by the first of *encodings* that can; the last always can.

    >>> decoded_text(b"012 \xc9t\xe9\r022 Exampleville\r\n")
    ('012 Été\n022 Exampleville\n', False)
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    for encoding in ("utf-8", *encodings[:-1]):
        try:
            return with_line_feeds(data.decode(encoding)), encoding == "utf-8"
        except UnicodeDecodeError:
            continue
    return with_line_feeds(data.decode(encodings[-1])), False


def with_line_feeds(text: str) -> str:
    r"""Return *text* with ``\n`` at the end of each line, whatever system it was written on."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def is_binary(findings: Findings, name: str, *, zeros: bool) -> bool:
    """Return *zeros*, whether the file *name* holds zero bytes; report it, since no text does."""
    if zeros:
        findings.add("file-binary.text", Place(file=name))
    return zeros


def same_letters(text: str, other: str) -> bool:
    """Return whether two names have the same letters, in any order: "Last, First" and "FIRST LAST" do.

    >>> same_letters("Example, Adams", "ADAMS EXAMPLE"), same_letters("Adams", "Baker")
    (True, False)
    """
    return sorted(filter(str.isalnum, text.casefold())) == sorted(filter(str.isalnum, other.casefold()))
