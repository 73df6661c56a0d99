"""Files that the user gives, read within bounds: the only way in which this program reads files that are not its own.

What is read as a whole has a bound, since a device or a pipe never ends; what is read in parts is opened by
`opened_stream`, and its lines and rows have bounds where they are read.
"""

import io
import os
from typing import BinaryIO, TextIO

MEGABYTE = 1024 * 1024
MOST_BYTES = 64 * MEGABYTE
"""Of what is read as a whole, such as a report."""

MOST_OF_SETTINGS = 4 * MEGABYTE
"""Of rules, a profile, a study, a world, a seal, a key, a manifest."""

MOST_TYPED = 64 * 1024
"""Letters of a line that is typed, or read from standard input instead."""

StrPath = str | os.PathLike[str]


class FileTooLargeError(OSError):
    """A file that has more than may be read; it is handled like any file that cannot be read."""

    def __init__(self, name: str, most: int, unit: str = "MB") -> None:
        super().__init__(0, f"it has more than {most // MEGABYTE if unit == 'MB' else most} {unit}", name)


def bounded_bytes(path: StrPath, most: int = MOST_OF_SETTINGS) -> bytes:
    """Return the bytes of the file at *path*.

    Raises:
        FileTooLargeError: there are more than *most*.
        OSError: it cannot be read.
    """
    with opened_stream(path) as stream:
        return bounded_rest(stream, os.fspath(path), most)


def bounded_text(path: StrPath, most: int = MOST_OF_SETTINGS) -> str:
    """Return the text of the file at *path*, in UTF-8 with or without a byte order mark.

    Raises:
        FileTooLargeError: it has more than *most* bytes.
        OSError: it cannot be read.
        UnicodeDecodeError: it is not UTF-8.
    """
    return bounded_bytes(path, most).decode("utf-8-sig")


def bounded_rest(stream: BinaryIO, name: str, most: int) -> bytes:
    """Return what is left of a *stream*, such as standard input.

    Raises:
        FileTooLargeError: there are more than *most* bytes.
    """
    data = stream.read(most + 1)
    if len(data) > most:
        raise FileTooLargeError(name, most)
    return data


def opened_stream(path: StrPath, buffer: int = io.DEFAULT_BUFFER_SIZE) -> io.BufferedReader:
    """Open the file at *path*, to be read in parts that have bounds; as many bytes as a *buffer* holds at once."""
    return io.BufferedReader(io.FileIO(path), buffer)


def sha256_of(path: StrPath) -> str:
    """Return the SHA-256 of a file; empty where there is none.

    Raises:
        OSError: it cannot be read.
    """
    import hashlib  # noqa: PLC0415 - start-up: few need it

    if not os.path.isfile(path):  # noqa: PTH113 - of any kind of path
        return ""
    with opened_stream(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class BoundedLines(io.TextIOWrapper):
    """A standard input of which no line may be longer than what is typed."""

    @classmethod
    def of(cls, stream: TextIO) -> "BoundedLines":
        """Return the rest of a text *stream*, in its encoding."""
        return cls(stream.buffer, stream.encoding, stream.errors, line_buffering=True)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # the stub of io has two names for it
        """Return the next line.

        Raises:
            FileTooLargeError: it is too long.
        """
        if size >= 0:
            return super().readline(size)
        line = super().readline(MOST_TYPED + 1)
        if len(line) > MOST_TYPED:
            raise FileTooLargeError("standard input", MOST_TYPED, "letters in a line")
        return line
