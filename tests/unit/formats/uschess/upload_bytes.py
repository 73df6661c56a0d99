"""Upload files byte by byte, packed from docs/formats/uschess.md#the-container and without the code under test."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from ratebook.formats.archive import SourceFile
from ratebook.formats.source import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Columns = Sequence[tuple[str, str, int]]

HEADER_2C: Columns = (
    ("H_FORMAT", "C", 5),
    ("H_PROGRAM", "C", 10),
    ("H_EVENT_ID", "C", 12),
    ("H_NAME", "C", 35),
    ("H_TOT_SECT", "C", 2),
    ("H_BEG_DATE", "C", 8),
    ("H_END_DATE", "C", 8),
    ("H_AFF_ID", "C", 8),
    ("H_CITY", "C", 21),
    ("H_STATE", "C", 2),
    ("H_ZIPCODE", "C", 10),
    ("H_COUNTRY", "C", 21),
    ("H_SENDCROS", "C", 1),
    ("H_CTD_ID", "C", 8),
    ("H_ATD_ID", "C", 8),
    ("H_OTHER_TD", "C", 254),
)

SECTION_2C: Columns = (
    ("S_EVENT_ID", "C", 12),
    ("S_SEC_NUM", "C", 2),
    ("S_SEC_NAME", "C", 30),
    ("S_R_SYSTEM", "C", 1),
    ("S_TIMECTL", "C", 40),
    ("S_CTD_ID", "C", 8),
    ("S_ATD_ID", "C", 8),
    ("S_TRN_TYPE", "C", 1),
    ("S_TOT_RNDS", "C", 2),
    ("S_LST_PAIR", "C", 4),
    ("S_BEG_DATE", "C", 8),
    ("S_END_DATE", "C", 8),
    ("S_SCH_LVL", "C", 1),
    ("S_GR_PRIX", "C", 1),
    ("S_GP_PTS", "C", 3),
    ("S_FIDE", "C", 1),
)

PLAYER_2C: Columns = (
    ("D_EVENT_ID", "C", 12),
    ("D_SEC_NUM", "C", 2),
    ("D_PAIR_NUM", "C", 4),
    ("D_MEM_ID", "C", 8),
    ("D_NAME", "C", 30),
    ("D_STATE", "C", 2),
    ("D_RATING", "C", 4),
)

HEADER_1991: Columns = (
    ("H_EVENT_ID", "C", 9),
    ("H_NAME", "C", 35),
    ("H_TOT_SECT", "N", 2),
    ("H_BEG_DATE", "D", 8),
    ("H_END_DATE", "D", 8),
    ("H_RCV_DATE", "D", 8),
    ("H_ENT_DATE", "D", 8),
    ("H_AFF_ID", "C", 8),
    ("H_CITY", "C", 21),
    ("H_STATE", "C", 2),
    ("H_ZIPCODE", "C", 10),
    ("H_COUNTRY", "C", 21),
    ("H_SENDCROS", "C", 1),
    ("H_SCHOLAST", "C", 1),
    ("H_SECREC01", "N", 7),
)

SECTION_1991: Columns = (
    ("S_EVENT_ID", "C", 9),
    ("S_SEC_NUM", "C", 2),
    ("S_SEC_NAME", "C", 10),
    ("S_K_FACTOR", "C", 1),
    ("S_R_SYSTEM", "C", 1),
    ("S_CTD_ID", "C", 8),
    ("S_ATD_ID", "C", 8),
    ("S_TRN_TYPE", "C", 1),
    ("S_TOT_RNDS", "N", 2),
    ("S_LST_PAIR", "N", 4),
    ("S_DTLREC01", "N", 7),
    ("S_OPER", "C", 2),
    ("S_STATUS", "C", 1),
)

PLAYER_1991: Columns = (
    ("D_EVENT_ID", "C", 9),
    ("D_SEC_NUM", "C", 2),
    ("D_PAIR_NUM", "C", 4),
    ("D_REC_SEQ", "C", 1),
    ("D_MEM_ID", "C", 8),
    *((f"D_RND{number:02}", "C", 5) for number in range(1, 11)),
)


def round_columns(rounds: int) -> Columns:
    """The columns of so many rounds."""
    return [(f"D_RND{number:02}", "C", 7) for number in range(1, rounds + 1)]


def record(columns: Columns, values: Mapping[str, str | bytes], mark: bytes = b" ") -> bytes:
    """One record: numbers right-justified, all else left-justified, blanks for what is not given."""
    parts = [mark]
    for name, kind, width in columns:
        value = values.get(name, "")
        raw = value if isinstance(value, bytes) else value.encode("ascii")
        assert len(raw) <= width, f"{name} takes {len(raw)} bytes of {width}"
        parts.append(raw.rjust(width) if kind == "N" else raw.ljust(width))
    return b"".join(parts)


def table(  # noqa: PLR0913 - each argument is another byte of the header
    columns: Columns,
    records: Sequence[bytes],
    *,
    signature: int = 0x03,
    year: int = 126,
    reserved: bytes = b"\0" * 20,
    behind_fields: bytes = b"\x0d",
    declared: int | None = None,
    end: bytes = b"\x1a",
) -> bytes:
    """A dBASE file around *records*."""
    header = struct.pack(
        "<4BIHH20s",
        signature,
        year,
        11,
        15,
        len(records) if declared is None else declared,
        32 + 32 * len(columns) + len(behind_fields),
        1 + sum(width for _, _, width in columns),
        reserved,
    )
    fields = b"".join(
        struct.pack("<11s1s4xBB14x", name.encode("ascii"), kind.encode("ascii"), width, 0)
        for name, kind, width in columns
    )
    return header + fields + behind_fields + b"".join(records) + end


def rows(columns: Columns, values: Sequence[Mapping[str, str | bytes]]) -> bytes:
    """A dBASE file of records given by column."""
    return table(columns, [record(columns, one) for one in values])


def source(*files: bytes, names: Sequence[str] = ("THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF")) -> Source:
    """A source of *files* under the usual names."""
    return Source("upload", tuple(SourceFile(name, data) for name, data in zip(names, files, strict=False)))
