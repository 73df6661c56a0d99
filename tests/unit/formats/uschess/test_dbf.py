"""dBASE files: bytes typed by hand, what programs do differently, damage, and two other libraries that read ours."""

from __future__ import annotations

import contextlib
import io
from datetime import date
from typing import TYPE_CHECKING

import dbf
import dbfread
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.formats.uschess.dbf import DbfError, iter_dbf, read_dbf, write_dbf
from support.whole_run import examples
from unit.formats.uschess.upload_bytes import record, table

if TYPE_CHECKING:
    from pathlib import Path

    from unit.formats.uschess.upload_bytes import Columns

# Two fields and two records, typed from docs/formats/uschess.md#the-container: 32 bytes of header, 32 for each field,
# 0x0D, records, 0x1A.
TYPED = (
    b"\x03\x7e\x0b\x0f" + b"\x02\x00\x00\x00" + b"\x61\x00" + b"\x0d\x00" + b"\x00" * 20
    + b"D_SEC_NUM\x00\x00" + b"C" + b"\x00\x00\x00\x00" + b"\x02" + b"\x00" + b"\x00" * 14
    + b"D_NAME\x00\x00\x00\x00\x00" + b"C" + b"\x00\x00\x00\x00" + b"\x0a" + b"\x00" + b"\x00" * 14
    + b"\x0d"
    + b" 1 ADAMS     "
    + b" 2 BAKER     "
    + b"\x1a"
)  # fmt: skip

COLUMNS: Columns = (("D_SEC_NUM", "C", 2), ("D_NAME", "C", 10))
ADAMS = {"D_SEC_NUM": "1", "D_NAME": "ADAMS"}
BAKER = {"D_SEC_NUM": "2", "D_NAME": "BAKER"}
BOTH = [("1", "ADAMS"), ("2", "BAKER")]
RECORDS = [record(COLUMNS, ADAMS), record(COLUMNS, BAKER)]


def values(data: bytes) -> list[tuple[str, ...]]:
    return list(read_dbf(data, "list.dbf").records)


class TestReading:
    def test_hand_typed_bytes_give_columns_and_records(self) -> None:
        read = read_dbf(TYPED, "list.dbf")
        assert [tuple(field) for field in read.fields] == [
            ("D_SEC_NUM", "C", 2, 0, 1),
            ("D_NAME", "C", 10, 0, 3),
        ]
        assert list(read.records) == BOTH
        records = read.records
        assert (records.declared, records.deleted, records.missing) == (2, 0, 0)
        assert not records.cut
        assert not records.surplus

    @pytest.mark.parametrize(
        ("variant", "data"),
        [
            ("WinTD's zero byte behind the fields", table(COLUMNS, RECORDS, behind_fields=b"\x0d\0")),
            ("no end-of-file mark", table(COLUMNS, RECORDS, end=b"")),
            ("the year 1926", table(COLUMNS, RECORDS, year=26)),
            ("garbage in reserved bytes", table(COLUMNS, RECORDS, reserved=bytes(range(200, 220)))),
            ("dBASE III with a memo file", table(COLUMNS, RECORDS, signature=0x83)),
            ("no mark behind the fields", table(COLUMNS, RECORDS, behind_fields=b"")),
            ("zero bytes at the end", table(COLUMNS, RECORDS, end=b"\0" * 512)),
        ],
    )
    def test_habits_of_programs_do_not_matter(self, variant: str, data: bytes) -> None:
        assert values(data) == BOTH, variant

    def test_text_numbers_dates_flags_and_floats_are_read_alike(self) -> None:
        columns = [("A", "C", 4), ("B", "N", 4), ("C", "D", 8), ("D", "L", 1), ("E", "F", 5)]
        data = table(columns, [record(columns, {"A": "9", "B": "9", "C": "20261114", "D": "T", "E": "1.5"})])
        assert values(data) == [("9", "9", "20261114", "T", "1.5")]

    def test_a_memo_without_its_file_is_empty(self) -> None:
        columns = [("H_NAME", "C", 5), ("H_OTHER_TD", "M", 10)]
        data = table(
            columns, [record(columns, {"H_NAME": "OPEN", "H_OTHER_TD": "0000000001"})], signature=0x83
        )
        assert values(data) == [("OPEN", "")]

    def test_values_are_stripped_on_both_sides_of_blanks_zero_bytes_and_tabs(self) -> None:
        columns = [("S_SEC_NUM", "C", 4)]
        data = table(columns, [record(columns, {"S_SEC_NUM": raw}) for raw in (b"  12", b"12\0\0", b"\t12 ")])
        assert values(data) == [("12",)] * 3

    def test_deleted_records_are_skipped_and_counted(self) -> None:
        read = read_dbf(table(COLUMNS, [record(COLUMNS, ADAMS, mark=b"*"), RECORDS[1]]), "list.dbf")
        assert list(read.records) == BOTH[1:]
        assert read.records.deleted == 1

    @pytest.mark.parametrize("raw", ["MUÑOZ".encode(), "MUÑOZ".encode("latin-1")])
    def test_accents_are_read_in_utf8_and_in_latin_1(self, raw: bytes) -> None:
        data = table(COLUMNS, [record(COLUMNS, {"D_SEC_NUM": "1", "D_NAME": raw}), RECORDS[1]])
        assert values(data) == [("1", "MUÑOZ"), BOTH[1]]

    @pytest.mark.parametrize("width", [254, 255])
    def test_the_widest_fields_are_read(self, width: int) -> None:
        columns = [("H_OTHER_TD", "C", width), ("Z", "C", 1)]
        data = table(columns, [record(columns, {"H_OTHER_TD": "A" * width, "Z": "z"})])
        assert values(data) == [("A" * width, "z")]

    def test_names_lose_what_follows_their_zero_byte(self) -> None:
        data = TYPED.replace(b"D_NAME\x00\x00\x00\x00\x00", b"d_name\x00LEFT")
        assert read_dbf(data, "list.dbf").names == ("D_SEC_NUM", "D_NAME")

    def test_many_records_are_read_from_a_stream_that_cannot_seek(self) -> None:
        class Pipe(io.BytesIO):
            def seek(self, *_: object) -> int:
                raise io.UnsupportedOperation

        # More than one of the portions in which the file is read.
        numbers = [str(number) for number in range(20_000)]
        data = table(COLUMNS, [record(COLUMNS, {"D_NAME": number}) for number in numbers])
        assert [name for _, name in iter_dbf(Pipe(data), "list.dbf").records] == numbers


class TestDamage:
    def test_a_cut_record_keeps_its_complete_fields_only(self) -> None:
        read = read_dbf(TYPED[:-4], "list.dbf")
        assert list(read.records) == [BOTH[0], ("2", "")]
        assert read.records.cut
        assert read.records.missing == 0

    def test_nothing_is_made_of_a_record_cut_within_its_first_field(self) -> None:
        read = read_dbf(TYPED[:-12], "list.dbf")
        assert list(read.records) == BOTH[:1]
        assert (read.records.cut, read.records.missing) == (False, 1)

    @pytest.mark.parametrize("end", [b"\x1a", b""])
    def test_a_count_beyond_the_file_is_bounded_by_the_file(self, end: bytes) -> None:
        read = read_dbf(table(COLUMNS, RECORDS, declared=0xFFFFFFFF, end=end), "list.dbf")
        assert list(read.records) == BOTH
        assert read.records.missing == 0xFFFFFFFF - 2

    def test_records_beyond_the_count_are_told(self) -> None:
        read = read_dbf(table(COLUMNS, RECORDS, declared=1), "list.dbf")
        assert list(read.records) == BOTH[:1]
        assert read.records.surplus

    def test_misplaced_records_are_refused_and_not_read_as_nonsense(self) -> None:
        data = bytearray(table(COLUMNS, RECORDS * 2))
        data[10] = 14
        with pytest.raises(DbfError, match="Record 2 begins with byte 0x32"):
            values(bytes(data))

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "has 0 bytes"),
            (b"\x03" * 31, "has 31 bytes"),
            (b"PK\x03\x04" + b"\0" * 60, "begins with byte 0x50"),
            (TYPED[:80], "ends within its header"),
            (TYPED[:8] + b"\x21\x00" + TYPED[10:], "no room for a field"),
            (TYPED[:10] + b"\x0c\x00" + TYPED[12:], "take 13 bytes, but its records are said to have 12"),
            (TYPED[:48] + b"\x00" + TYPED[49:], "Field 1 of list.dbf has the width 0"),
            (TYPED[:32] + b"\xff" + TYPED[33:], "The name of field 1"),
            (TYPED[:32] + b"\x0d" + TYPED[33:], "describes no field"),
        ],
    )
    def test_what_is_no_dbase_file_is_refused_with_a_reason(self, data: bytes, reason: str) -> None:
        with pytest.raises(DbfError, match=reason):
            read_dbf(data, "list.dbf")

    @examples(240)
    @given(st.data())
    def test_mutated_files_give_records_or_a_reason(self, data: st.DataObject) -> None:
        mutated = bytearray(TYPED)
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(mutated)))
            match data.draw(st.sampled_from(("cut", "set", "insert", "double"))):
                case "cut":
                    del mutated[at : at + data.draw(st.integers(1, 40))]
                case "set":
                    mutated[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
                case "insert":
                    mutated[at:at] = data.draw(st.binary(max_size=8))
                case _:
                    mutated[at:at] = mutated[at : at + 40]
        with contextlib.suppress(DbfError):
            read = read_dbf(bytes(mutated), "list.dbf")
            assert all(len(one) == len(read.fields) for one in read.records)


class TestWriting:
    def test_written_bytes_are_the_hand_typed_ones(self) -> None:
        fields = [("D_SEC_NUM", 2), ("D_NAME", 10)]
        assert write_dbf(fields, BOTH, date(2026, 11, 15)) == TYPED

    @pytest.mark.parametrize(
        ("fields", "row"),
        [
            ([("D_NAME", 4)], ["ADAMS"]),
            ([("D_NAME", 5)], ["ADÁMS"]),
            ([("D_NAME", 5)], ["ADAMS", "1"]),
            ([("D_NAME_TOO_LONG", 5)], ["ADAMS"]),
            ([("D_NAME", 256)], ["ADAMS"]),
        ],
    )
    def test_what_does_not_fit_is_refused_and_not_cut(
        self, fields: list[tuple[str, int]], row: list[str]
    ) -> None:
        with pytest.raises(ValueError, match=r"."):
            write_dbf(fields, [row], date(2026, 11, 15))

    def test_other_libraries_read_what_is_written(self, tmp_path: Path) -> None:
        path = tmp_path / "list.dbf"
        rows = [("1", "ADAMS EXAMPLE", "A" * 254), ("2", "BAKER EXAMPLE", "")]
        path.write_bytes(write_dbf([("D_SEC", 2), ("D_NAME", 30), ("D_LONG", 254)], rows, date(2026, 11, 15)))
        read = dbfread.DBF(str(path), encoding="ascii")
        assert [tuple(one.values()) for one in read] == rows
        assert read.date == date(2026, 11, 15)
        with dbf.Table(str(path)) as opened:
            assert [tuple(value.strip() for value in one) for one in opened] == rows
            assert opened.field_names == ["D_SEC", "D_NAME", "D_LONG"]
