"""A book as portable files, and back: whole, the same bytes, in either store."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, insert, select, text

from ratebook.book import schema
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import VERSION, open_book
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile
from ratebook.office.copies.export import MANIFEST, export_book, import_book
from ratebook.office.creation import create_book
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.verify import verify
from support.book_rounds import ACTOR, send_one, work_a_round

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratebook.book.connection import Book


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a worked book, exported from SQLite."""
    folder = tmp_path_factory.mktemp("exported")
    book = create_book(str(folder / "worked.book"), Profile(name="Föderation"), ACTOR)
    work_a_round(book)
    export_book(book, str(folder / "files"))
    book.close()
    return folder / "files"


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows_in(folder: Path, table: str) -> list[list[object]]:
    return [json.loads(line) for line in (folder / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_an_imported_book_exports_the_same_bytes(exported: Path, empty_place: str, tmp_path: Path) -> None:
    import_book(str(exported), empty_place)
    book = open_book(empty_place)
    export_book(book, str(tmp_path / "again"))
    book.close()
    assert content(tmp_path / "again") == content(exported)


def test_a_way_through_both_stores_and_back_changes_no_byte(
    exported: Path, empty_database: Callable[[], str], tmp_path: Path
) -> None:
    source = exported
    for number, place in enumerate((empty_database(), str(tmp_path / "back.book"), empty_database())):
        import_book(str(source), place)
        book = open_book(place)
        source = tmp_path / f"files{number}"
        export_book(book, str(source))
        assert verify(book).findings == ()
        book.close()
        assert content(source) == content(exported)


def test_the_manifest_names_every_table_with_its_rows_and_digest(exported: Path) -> None:
    manifest = json.loads((exported / MANIFEST).read_text(encoding="utf-8"))
    tables = {one["name"]: one for one in manifest["tables"]}
    assert tables.keys() == schema.metadata.tables.keys()
    assert {path.name for path in exported.iterdir()} == {f"{name}.jsonl" for name in tables} | {MANIFEST}
    for name, table in tables.items():
        data = (exported / f"{name}.jsonl").read_bytes()
        assert table["sha256"] == hashlib.sha256(data).hexdigest()
        assert table["rows"] == data.count(b"\n")
        assert table["columns"] == [column.name for column in schema.metadata.tables[name].columns]
    assert tables["ledger"]["rows"] > 30
    assert tables["published_ratings"]["rows"] > 0


def test_the_files_say_what_the_book_holds(book: Book, tmp_path: Path) -> None:
    work_a_round(book)
    export_book(book, str(tmp_path / "files"))
    with book.reading() as connection:
        ledger = [
            [value.isoformat() if hasattr(value, "isoformat") else value for value in row]
            for row in connection.execute(select(schema.ledger).order_by(schema.ledger.c.id))
        ]
        members = connection.execute(select(schema.members.c.id)).scalars().all()
    written = rows_in(tmp_path / "files", "ledger")
    assert [list(map(repr, row)) for row in written] == [list(map(repr, row)) for row in ledger]
    assert [row[0] for row in rows_in(tmp_path / "files", "members")] == sorted(members)


@pytest.mark.parametrize(
    "value", [0.1 + 0.2, 5e-324, 1.7976931348623157e308, 1500.0, math.nextafter(1500, 0)]
)
def test_figures_come_back_bit_for_bit(book: Book, value: float, tmp_path: Path) -> None:
    with book.writing() as connection:
        connection.execute(
            insert(schema.decisions).values(
                kind="floor",
                decided_by="x",
                decided_at="x",
                reason='tab\t, "quote", \\N, ½',
                details="{}",
                value=value,
            )
        )
    export_book(book, str(tmp_path / "files"))
    import_book(str(tmp_path / "files"), str(tmp_path / "again.book"))
    again = open_book(str(tmp_path / "again.book"))
    with again.reading() as connection:
        row = connection.execute(select(schema.decisions)).one()
    again.close()
    assert (row.value.hex(), row.reason) == (value.hex(), 'tab\t, "quote", \\N, ½')


def test_ids_sort_by_their_bytes_in_either_store(book: Book, tmp_path: Path) -> None:
    ids = ["B", "a", "É", "Z", "10", "9", "_", "a-b", "ab"]
    with book.writing() as connection:
        for number, subject in enumerate(ids):
            connection.execute(insert(schema.rule_sets).values(fingerprint=subject, numbers=str(number)))
    export_book(book, str(tmp_path / "files"))
    assert [row[0] for row in rows_in(tmp_path / "files", "rule_sets")] == sorted(ids, key=str.encode)


def test_numbers_go_on_after_those_imported_and_the_office_works_on(exported: Path, empty_place: str) -> None:
    import_book(str(exported), empty_place)
    book = open_book(empty_place)
    with book.writing() as connection:
        before = connection.execute(select(func.max(schema.audit.c.id))).scalar_one()
        note_audit(connection, ACTOR, "look", BOOK)
        assert connection.execute(select(func.max(schema.audit.c.id))).scalar_one() == before + 1
    send_one(book, "2026-03-07", (1, 2, 3, 4, 5, 6))
    assert len(rate_ready(book, ACTOR).posted) == 1
    assert verify(book).findings == ()
    book.close()


def test_the_triggers_stand_in_an_imported_book(exported: Path, empty_place: str) -> None:
    import_book(str(exported), empty_place)
    book = open_book(empty_place)
    for statement in (
        "DELETE FROM ledger",
        "UPDATE published_ratings SET rating = 1",
        "DELETE FROM published_lists",
    ):
        with pytest.raises(BookError, match=r"are kept|do not change"), book.writing() as connection:
            connection.execute(text(statement))
    book.close()


def test_nothing_is_overwritten(exported: Path, book: Book, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(BookError) as refused:
        export_book(book, str(tmp_path / "there"))
    assert refused.value.finding.code == "export-target-exists"
    place = book.engine.url.render_as_string(hide_password=False)
    with pytest.raises(BookError) as refused:
        import_book(str(exported), place if book.on_server else book.url)
    assert refused.value.finding.code == "book-exists"


def change_a_figure(folder: Path) -> None:
    path = folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes().replace(b".0,", b".5,", 1))


def drop_a_row(folder: Path) -> None:
    path = folder / "audit.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def break_a_line(folder: Path) -> None:
    path = folder / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-9])


def write_words_for_days(folder: Path) -> None:
    path = folder / "members.jsonl"
    path.write_bytes(path.read_bytes().replace(b"1961-01-01", b"1961-13-01"))


def remove_a_file(folder: Path) -> None:
    (folder / "norms.jsonl").unlink()


def remove_the_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


def change_the_manifest(old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / MANIFEST
        said = path.read_text(encoding="utf-8")
        assert old in said
        path.write_text(said.replace(old, new), encoding="utf-8")

    return change


DAMAGES = {
    "export-file-changed": (change_a_figure, drop_a_row, break_a_line, write_words_for_days),
    "export-file-missing": (remove_a_file,),
    "export-manifest-missing": (remove_the_manifest,),
    "export-manifest-wrong": (
        change_the_manifest("ratebook book", "another program"),
        change_the_manifest('"rows"', '"lines"'),
        change_the_manifest('"folded_name"', '"folded"'),
        change_the_manifest('"name": "norms"', '"name": "forms"'),
        change_the_manifest("{", "["),
    ),
    "book-before-release": (change_the_manifest(f'"version": "{VERSION}"', '"version": "0017"'),),
    "book-newer": (change_the_manifest(f'"version": "{VERSION}"', '"version": "9999"'),),
}


@pytest.mark.parametrize(
    ("empty_place", "code", "damage"),
    [
        *(("sqlite", code, damage) for code, damages in DAMAGES.items() for damage in damages),
        # The files are read in the same way for a server; what must not stay there is one for each finding.
        *(("postgresql", code, damages[0]) for code, damages in DAMAGES.items()),
    ],
    indirect=["empty_place"],
)
def test_a_damaged_export_is_refused_and_nothing_stays(
    exported: Path, empty_place: str, tmp_path: Path, code: str, damage: Callable[[Path], None]
) -> None:
    folder = tmp_path / "damaged"
    folder.mkdir()
    for name, data in content(exported).items():
        (folder / name).write_bytes(data)
    damage(folder)
    with pytest.raises(BookError) as refused:
        import_book(str(folder), empty_place)
    assert refused.value.finding.code == code
    assert not Path(empty_place).exists()
    with pytest.raises(BookError) as refused:
        open_book(empty_place)
    assert refused.value.finding.code in {"book-missing", "book-without-tables"}
    import_book(str(exported), empty_place)


def test_a_failed_export_leaves_nothing(book: Book, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> None:
        raise RuntimeError(f"{done} of {total}")

    with pytest.raises(RuntimeError):
        export_book(book, str(tmp_path / "out" / "files"), fail)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_book_of_another_version_is_not_exported(book: Book, tmp_path: Path) -> None:
    with book.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    with pytest.raises(BookError) as refused:
        export_book(book, str(tmp_path / "files"))
    assert refused.value.finding.code == "book-before-release"
    assert not (tmp_path / "files").exists()
