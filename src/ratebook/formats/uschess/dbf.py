"""The container of upload files and rating lists: tables in dBASE III files (docs/formats/uschess.md#the-container).

Every field is read as text, whatever its type: programs disagree about the types and agree about the characters.
Nothing here knows what a table means.
"""

import io
import struct
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import BinaryIO, NamedTuple

_HEADER = struct.Struct("<BBBBIHH")
_HEADER_LENGTH = 32
_DESCRIPTOR_LENGTH = 32
_NAME_LENGTH = 11
_END_OF_FIELDS = 0x0D
_END_OF_FILE = 0x1A
_KEPT = 0x20
_DELETED = 0x2A
_FLAGS = frozenset({_KEPT, _DELETED})
# Zero bytes are room that a program has reserved and not used.
_ENDS = frozenset({_END_OF_FILE, 0})
_CHUNK = 1 << 16

_DBASE_III = 0x03
# dBASE III to V and FoxPro, with and without memo file; the low bits of the byte are not a reliable version.
_SIGNATURES = frozenset({_DBASE_III, 0x04, 0x05, 0x30, 0x31, 0x43, 0x83, 0x8B, 0xF5})

# Memos are in another file, and binary numbers are not text; both read as empty.
_TEXT_TYPES = frozenset("CNDLF")

# Some programs fill with zero bytes; one tab was seen at the edge of a name.
_PADDING = " \0\t\r\n"

WIDEST_FIELD = 255
"""One byte holds the width of a field."""

LONGEST_NAME = 10
"""Characters in the name of a field."""


class DbfError(ValueError):
    """Bytes that are not a dBASE file, or one too damaged to be read; the text says why, as a sentence."""


class DbfField(NamedTuple):
    """One column: its name in capitals, and its place in a record, counted from the byte that marks deleted ones.

    The type is C for text, N or F for numbers, D for a date, L for a flag, M for a memo; `decimals` is as stated.
    """

    name: str
    type: str
    width: int
    decimals: int
    offset: int


class DbfRecords:
    """The records of a table, read as they are iterated over, once.

    Attributes:
        declared: how many records the file says it has, including deleted ones.
        deleted: how many deleted records were skipped so far.
        missing: how many declared records were not there, known at the end.
        cut: whether the file ends within a record; its complete fields were kept, the others are empty.
        surplus: whether more records follow than declared; they are not read.
    """

    def __init__(self, stream: BinaryIO, fields: tuple[DbfField, ...], length: int, declared: int) -> None:
        self._stream = stream
        self._spans = [
            (field.offset, field.offset + field.width) if field.type in _TEXT_TYPES else (0, 0)
            for field in fields
        ]
        self._length = length
        self.declared = declared
        self.deleted = 0
        self.missing = 0
        self.cut = False
        self.surplus = False

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield each record that is not deleted, its values stripped on both sides.

        Raises:
            DbfError: a record begins with neither a blank nor an asterisk, so that the records are misplaced.
        """
        length = self._length
        at_once = max(1, _CHUNK // length)
        count = 0
        while count < self.declared:
            wanted = min(at_once, self.declared - count) * length
            chunk = self._stream.read(wanted)
            # Latin-1 maps bytes to characters one by one, so that offsets hold.
            text = chunk.decode("latin-1")
            ascii_only = chunk.isascii()
            whole = len(chunk) - len(chunk) % length
            for start in range(0, whole, length):
                flag = chunk[start]
                if flag in _ENDS:
                    self.missing = self.declared - count
                    return
                if flag not in _FLAGS:
                    raise DbfError(
                        f"Record {count + 1} begins with byte 0x{flag:02X}, not with a blank or an asterisk."
                    )
                count += 1
                if flag == _DELETED:
                    self.deleted += 1
                elif ascii_only:
                    yield tuple([text[start + a : start + b].strip(_PADDING) for a, b in self._spans])
                else:
                    yield tuple([decoded(chunk[start + a : start + b]) for a, b in self._spans])
            if len(chunk) < wanted:
                part = chunk[whole:]
                self.cut = part[:1] == b" " and any(0 < end <= len(part) for _, end in self._spans)
                if self.cut:
                    yield tuple([decoded(part[a:b]) if b <= len(part) else "" for a, b in self._spans])
                self.missing = self.declared - count - self.cut
                return
        following = self._stream.read(length)
        self.surplus = (
            len(following) == length and following[0] == _KEPT and bool(following.strip(b" \0\x1a"))
        )


class DbfTable(NamedTuple):
    """A table: its columns, and its records as far as they have been read."""

    fields: tuple[DbfField, ...]
    records: DbfRecords

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(field.name for field in self.fields)


def decoded(value: bytes) -> str:
    r"""Return a value as text: UTF-8 where it is valid, else Latin-1; without the padding.

    The byte for the code page cannot be trusted.

    >>> decoded(b"JOS\xc3\x89  "), decoded(b"JOS\xc9 ")
    ('JOSÉ', 'JOSÉ')
    """
    try:
        return value.decode().strip(_PADDING)
    except UnicodeDecodeError:
        return value.decode("latin-1").strip(_PADDING)


def read_dbf(data: bytes, name: str) -> DbfTable:
    """Return the table in *data*, the contents of the file *name*.

    Raises:
        DbfError: it is not a dBASE file.

    >>> from datetime import date
    >>> table = read_dbf(write_dbf([("D_NAME", 30)], [["ADAMS EXAMPLE"]], date(2026, 11, 14)), "list.dbf")
    >>> table.names, list(table.records)
    (('D_NAME',), [('ADAMS EXAMPLE',)])
    """
    return iter_dbf(io.BytesIO(data), name)


def iter_dbf(stream: BinaryIO, name: str) -> DbfTable:
    """Return the table in *stream*, the file *name*; its records are read while they are iterated over.

    The stream need not be seekable, but must stay open for the records.

    Raises:
        DbfError: it is not a dBASE file.
    """
    start = stream.read(_HEADER_LENGTH)
    if len(start) < _HEADER_LENGTH:
        raise DbfError(f"{name} has {len(start)} bytes, fewer than the header of a dBASE file.")
    signature, _, _, _, declared, header_length, record_length = _HEADER.unpack_from(start)
    if signature not in _SIGNATURES:
        raise DbfError(f"{name} begins with byte 0x{signature:02X}, not with 0x03 as a dBASE III file does.")
    if header_length <= _HEADER_LENGTH + _DESCRIPTOR_LENGTH:
        raise DbfError(f"The header of {name} has {header_length} bytes: there is no room for a field.")
    # The length word decides, not the mark 0x0D: some programs write one byte more after it
    # (docs/formats/uschess.md#the-container).
    descriptors = stream.read(header_length - _HEADER_LENGTH)
    if len(descriptors) < header_length - _HEADER_LENGTH:
        raise DbfError(f"{name} ends within its header, which should have {header_length} bytes.")
    fields = _fields(descriptors, name)
    widths = 1 + sum(field.width for field in fields)
    if widths > record_length:
        raise DbfError(
            f"The fields of {name} take {widths} bytes, but its records are said to have {record_length}."
        )
    return DbfTable(fields, DbfRecords(stream, fields, record_length, declared))


def _fields(descriptors: bytes, name: str) -> tuple[DbfField, ...]:
    """Return the columns that *descriptors*, the header after its first 32 bytes, describe."""
    fields: list[DbfField] = []
    offset = 1
    for at in range(0, len(descriptors) - _DESCRIPTOR_LENGTH + 1, _DESCRIPTOR_LENGTH):
        if descriptors[at] == _END_OF_FIELDS:
            break
        # What follows the first zero byte is often left over from another name.
        title = descriptors[at : at + _NAME_LENGTH].split(b"\0", 1)[0].strip().decode("latin-1")
        kind, width, decimals = descriptors[at + 11], descriptors[at + 16], descriptors[at + 17]
        if not title or not title.isascii() or not title.isprintable():
            raise DbfError(f"The name of field {len(fields) + 1} of {name} cannot be read.")
        if width == 0:
            raise DbfError(f"Field {len(fields) + 1} of {name} has the width 0.")
        fields.append(DbfField(title.upper(), chr(kind), width, decimals, offset))
        offset += width
    if not fields:
        raise DbfError(f"{name} describes no field.")
    return tuple(fields)


def write_dbf(fields: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]], day: date) -> bytes:
    """Return a dBASE III file of text fields, left-justified and filled with blanks, last updated on *day*.

    The *fields* are names (at most 10 characters) and widths (at most 255); each row has an ASCII value for each.

    Raises:
        ValueError: a name or a value that does not fit, or is not ASCII.
    """
    descriptors = []
    for name, width in fields:
        if not 0 < len(name) <= LONGEST_NAME or not 0 < width <= WIDEST_FIELD:
            raise ValueError(f"A dBASE field cannot be named {name!r} with width {width}.")
        descriptors.append(struct.pack("<11sc4xBB14x", name.encode("ascii"), b"C", width, 0))
    records = []
    for row in rows:
        values = [b" "]
        for (name, width), value in zip(fields, row, strict=True):
            if len(value) > width:
                raise ValueError(f"{value!r} does not fit into {name}, which is {width} wide.")
            values.append(value.encode("ascii").ljust(width))
        records.append(b"".join(values))
    header = _HEADER.pack(
        _DBASE_III,
        (day.year - 1900) % 256,
        day.month,
        day.day,
        len(records),
        _HEADER_LENGTH + _DESCRIPTOR_LENGTH * len(descriptors) + 1,
        1 + sum(width for _, width in fields),
    )
    fields_end, file_end = bytes([_END_OF_FIELDS]), bytes([_END_OF_FILE])
    return b"".join((header.ljust(_HEADER_LENGTH, b"\0"), *descriptors, fields_end, *records, file_end))
