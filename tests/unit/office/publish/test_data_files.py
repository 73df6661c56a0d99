"""Complete tables say what the pages say, in both stores, and the same bytes each time."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from ratebook.book.connection import Actor, open_book
from ratebook.book.facts.members import canonical_ids, person_of
from ratebook.book.failures import BookError
from ratebook.book.profile import read_federation
from ratebook.formats.reading.spreadsheet import unguarded
from ratebook.office.copies.export import export_book, import_book
from ratebook.office.decisions.events import GameResult, correct_result
from ratebook.office.decisions.revision import Reason, SectionRef
from ratebook.office.erasure.erase import erase
from ratebook.office.publish.data_files import UNFINISHED, read_data_manifest, write_data
from ratebook.office.rating.rerate import rerate
from ratebook.pages.event import section_tables
from ratebook.pages.member import history, member_page
from ratebook.records.data_files import DATA_MANIFEST, ENDINGS
from ratebook.records.record import plain
from support.book_reports import member_id
from support.odd.books import TODAY, odd_book

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ratebook.book.connection import Book, Connection
    from ratebook.records.data_files import DataManifest

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
WHY = Reason(ACTOR, "a test", ["all"])
FORMATS = tuple(ENDINGS)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the portable files of a book of everything that is rare."""
    folder = tmp_path_factory.mktemp("odd")
    with closing(odd_book(str(folder / "odd.book"), folder)) as book:
        export_book(book, str(folder / "exported"))
    return folder / "exported"


@pytest.fixture
def odd(files: Path, empty_place: str) -> Iterator[Book]:
    """Give that book, once in each store."""
    import_book(str(files), empty_place)
    with closing(open_book(empty_place)) as book:
        yield book


@pytest.fixture
def odd_file(files: Path, tmp_path: Path) -> Iterator[Book]:
    """Give that book in a file, for what no store does differently."""
    import_book(str(files), str(tmp_path / "odd.book"))
    with closing(open_book(str(tmp_path / "odd.book"))) as book:
        yield book


def lines_of(folder: Path, manifest: DataManifest, table: str) -> list[dict[str, Any]]:
    """Return the lines of a table from its ND-JSON."""
    return [
        json.loads(line)
        for file in manifest.files
        if file.table == table and file.format == "ndjson"
        for line in gzip.decompress((folder / file.name).read_bytes()).splitlines()
    ]


def parts(lines: list[dict[str, Any]], *keys: str) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the lines of each thing that a table is about, without its *keys*."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for line in lines:
        found.setdefault(tuple(line.pop(key) for key in keys), []).append(line)
    return found


def test_each_player_and_each_section_has_the_lines_of_the_pages(odd: Book, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    manifest = write_data(odd, folder, ["ndjson"]).manifest
    histories = parts(lines_of(folder, manifest, "history"), "player")
    standings = parts(lines_of(folder, manifest, "standings"), "event", "section")
    ratings = parts(lines_of(folder, manifest, "ratings"), "player")
    titles = parts(lines_of(folder, manifest, "titles"), "player")
    players = lines_of(folder, manifest, "players")
    with odd.reading() as connection:
        federation = read_federation(connection)
        members = canonical_ids(connection)
        assert players == [plain(person_of(connection, member).player) for member in members]
        for member in members:
            by_place = sorted(
                histories.get((member,), []),
                key=lambda line: (line["end"], line["event"] or "~", line["section"] or 0, line["system"]),
            )
            said = sorted(
                plain(history(connection, federation, member)),
                key=lambda line: (line["end"], line["event"] or "~", line["section"] or 0, line["system"]),
            )
            assert by_place == said, member
            page = plain(member_page(connection, federation, member, TODAY))
            now = {line["system"]: line["current"] for line in ratings.get((member,), [])}
            assert now == {line["system"]: line["current"] for line in page["ratings"] if line["current"]}
            assert titles.get((member,), []) == page["titles"]
        assert standings == sections_of(connection, lines_of(folder, manifest, "sections"))
    assert any(line["moved"] for lines in histories.values() for line in lines)
    assert sum(map(len, histories.values())) == sum(
        file.rows for file in manifest.files if file.table == "history"
    )


def sections_of(
    connection: Connection, sections: list[dict[str, Any]]
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Return the crosstables of sections as their pages have them."""
    federation = read_federation(connection)
    found = {}
    for section in sections:
        tables = section_tables(connection, federation, section["event"], section["number"])
        # A section without a rated game is posted all the same.
        assert {table.system for table in tables} <= {*section["systems"]}
        if lines := [plain(line) for table in tables for line in table.lines]:
            found[section["event"], section["number"]] = lines
    return found


def test_both_stores_give_the_same_bytes(
    files: Path, tmp_path: Path, empty_database: Callable[[], str]
) -> None:
    written = []
    for number, place in enumerate((str(tmp_path / "one.book"), empty_database())):
        import_book(str(files), place)
        with closing(open_book(place)) as book:
            written.append(write_data(book, tmp_path / f"data{number}", FORMATS).manifest)
    assert written[0] == written[1]
    for name in (DATA_MANIFEST, *(file.name for file in written[0].files)):
        assert (tmp_path / "data0" / name).read_bytes() == (tmp_path / "data1" / name).read_bytes()


def test_the_formats_say_the_same(odd_file: Book, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    manifest = write_data(odd_file, folder, FORMATS).manifest
    by_part: dict[tuple[str, str | None], dict[str, Path]] = {}
    for file in manifest.files:
        by_part.setdefault((file.table, file.year), {})[file.format] = folder / file.name
    for (table, year), paths in by_part.items():
        columns = next(one.columns for one in manifest.tables if one.name == table)
        frame = parquet.read_table(paths["parquet"])
        assert [(field.name, field.type, field.nullable) for field in frame.schema] == [
            (column.name, pa.type_for_alias(column.type), column.may_lack) for column in columns
        ]
        with gzip.open(paths["csv"], "rt", encoding="utf-8", newline="") as text:
            heading, *rows = csv.reader(text)
        assert heading == frame.column_names
        assert [[unguarded(cell).removesuffix(".0") for cell in row] for row in rows] == [
            ["" if value is None else str(value).removesuffix(".0") for value in row.values()]
            for row in frame.to_pylist()
        ]
        assert {file.rows for file in manifest.files if (file.table, file.year) == (table, year)} == {
            len(rows)
        }
        assert len(gzip.decompress(paths["ndjson"].read_bytes()).splitlines()) == len(rows)


def test_a_second_run_makes_nothing_and_a_correction_only_what_it_changed(
    season: Book, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    first = write_data(season, folder, ["csv"])
    assert first.made == len(first.manifest.files)
    assert write_data(season, folder, ["csv"]) == first._replace(made=0)
    correct_result(season, SectionRef("202602140001", 1), GameResult(1, 1, "D"), WHY)
    rerate(season, ACTOR)
    second = write_data(season, folder, ["csv"])
    changed = {file.table for file in {*second.manifest.files} - {*first.manifest.files}}
    assert changed == {"ratings", "standings", "history"}
    assert second.made == len(changed)
    there = {path.name for path in folder.iterdir()}
    assert there == {file.name for one in (first, second) for file in one.manifest.files} | {DATA_MANIFEST}
    # Who read the manifest before the last one has to read a newer one.
    correct_result(season, SectionRef("202602140001", 1), GameResult(1, 1, "L"), WHY)
    rerate(season, ACTOR)
    third = write_data(season, folder, ["csv"])
    left = {path.name for path in folder.iterdir()}
    assert left == {file.name for one in (second, third) for file in one.manifest.files} | {DATA_MANIFEST}


def unpacked(path: Path) -> bytes:
    """Return what a file of the folder says."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def test_what_was_erased_is_in_no_file_any_more(season: Book, tmp_path: Path) -> None:
    with season.reading() as connection:
        name = person_of(connection, member_id(1)).player.name
    folder = tmp_path / "data"

    def naming() -> set[str]:
        files = write_data(season, folder, ["ndjson"]).manifest.files
        packed = {file.table: gzip.decompress((folder / file.name).read_bytes()) for file in files}
        return {table for table, text in packed.items() if name.encode() in text}

    assert naming() == {"players", "standings"}
    erase(season, member_id(1), WHY)
    assert naming() == set()
    assert not [path for path in folder.iterdir() if name.encode() in unpacked(path)]


def test_a_run_that_was_ended_goes_on_where_it_was(odd_file: Book, tmp_path: Path) -> None:
    whole = write_data(odd_file, tmp_path / "whole", FORMATS).manifest
    folder = tmp_path / "data"

    def end(done: int, total: int) -> None:
        if done == total - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_data(odd_file, folder, FORMATS, end)
    assert read_data_manifest(folder) is None
    before = read_data_manifest(folder, UNFINISHED)
    assert before is not None
    made = {file.name: (folder / file.name).stat().st_mtime_ns for file in before.files}
    # One of its files was damaged meanwhile: that part is made again.
    damaged = before.files[0]
    (folder / damaged.name).write_bytes(b"")
    assert write_data(odd_file, folder, FORMATS).manifest == whole
    kept = {name for name, moment in made.items() if (folder / name).stat().st_mtime_ns == moment}
    assert kept == {file.name for file in before.files if file.year != damaged.year}
    assert {path.name for path in folder.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}


def test_a_folder_that_is_written_a_place_that_is_none_and_a_missing_library_are_findings(
    odd_file: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def code_of(folder: Path, formats: tuple[str, ...] = ("csv",)) -> str:
        with pytest.raises(BookError) as refused:
            write_data(odd_file, folder, formats)
        return refused.value.finding.code

    codes = []
    write_data(odd_file, tmp_path / "data", ["csv"], lambda *_: codes.append(code_of(tmp_path / "data")))
    assert set(codes) == {"output-unwritable"}
    assert code_of(tmp_path / "no" / "data") == "output-unwritable"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert code_of(tmp_path / "other", FORMATS) == "bulk-missing"
    assert not list((tmp_path / "other").iterdir())


def test_a_manifest_of_another_version_or_a_damaged_one_is_made_anew(odd_file: Book, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    manifest = write_data(odd_file, folder, ["csv"]).manifest
    for text in ("", "[]", "{}", '{"format": "ratebook-data/0"}', json.dumps(plain(manifest) | {"more": 1})):
        (folder / DATA_MANIFEST).write_text(text)
        assert read_data_manifest(folder) is None
        assert write_data(odd_file, folder, ["csv"]).manifest == manifest
