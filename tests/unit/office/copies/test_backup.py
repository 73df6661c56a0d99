"""Backups while the office works, and restoring them: checked first, switched as one, killed anywhere without harm."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, text

from ratebook.book import schema
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import Actor, open_any_version, open_book
from ratebook.book.failures import BookError
from ratebook.book.profile import Profile, revision
from ratebook.office.copies.backup import backup, restore
from ratebook.office.copies.export import export_book
from ratebook.office.creation import create_book
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.verify import verify
from support.book_rounds import ACTOR, send_one, work_a_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.book.connection import Book

SUNDAY = Actor("sexton", "2026-11-22T09:00:00Z")


def place_of(book: Book) -> str:
    return book.engine.url.render_as_string(hide_password=False) if book.on_server else book.url


def entries_of(book: Book) -> list[tuple[str, str, str]]:
    with book.reading() as connection:
        return [
            (row.at, row.by, row.action)
            for row in connection.execute(select(schema.audit).order_by(schema.audit.c.id))
        ]


def ledger_of(book: Book) -> list[tuple[object, ...]]:
    with book.reading() as connection:
        return [tuple(row) for row in connection.execute(select(schema.ledger).order_by(schema.ledger.c.id))]


def beside(path: str) -> set[str]:
    """Return the names that lie in a folder, without those that SQLite keeps while a book is open."""
    return {one.name for one in Path(path).iterdir() if not one.name.endswith(("-wal", "-shm"))}


def test_a_backup_restores_the_state_that_it_was_made_of(book: Book, tmp_path: Path) -> None:
    work_a_round(book)
    ledger = ledger_of(book)
    backup(book, str(tmp_path / "copy"), SUNDAY)
    send_one(book, "2026-05-02", (1, 2, 3, 4, 5, 6))
    rate_ready(book, ACTOR)
    assert ledger_of(book) != ledger
    with book.reading() as connection:
        seen = revision(connection)
    restored = restore(str(tmp_path / "copy"), place_of(book), SUNDAY)
    assert (restored.sections, restored.rows) == (3, 24)
    # The connections opened before see the restored book.
    assert ledger_of(book) == ledger
    with book.reading() as connection:
        assert revision(connection) > seen
    assert entries_of(book)[-1] == (SUNDAY.at, SUNDAY.name, "restore-book")
    assert verify(book).findings == ()
    send_one(book, "2026-05-02", (1, 2, 3, 4, 5, 6))
    assert len(rate_ready(book, ACTOR).posted) == 1
    assert not [name for name in beside(str(tmp_path)) if name.endswith((".restoring", ".partial"))]


def test_a_backup_is_restored_where_there_is_no_book(
    book: Book, tmp_path: Path, empty_database: Callable[[], str]
) -> None:
    work_a_round(book)
    backup(book, str(tmp_path / "copy"), SUNDAY)
    place = empty_database() if book.on_server else str(tmp_path / "new.book")
    restore(str(tmp_path / "copy"), place, SUNDAY)
    new = open_book(place)
    assert ledger_of(new) == ledger_of(book)
    assert verify(new).findings == ()
    new.close()


def test_an_export_is_restored_into_either_store(book: Book, tmp_path: Path) -> None:
    work_a_round(book)
    ledger = ledger_of(book)
    export_book(book, str(tmp_path / "files"))
    with book.writing() as connection:
        note_audit(connection, ACTOR, "look", BOOK)
    restore(str(tmp_path / "files"), place_of(book), SUNDAY)
    assert ledger_of(book) == ledger
    assert "look" not in {action for _, _, action in entries_of(book)}


def test_a_backup_says_who_made_it_and_when(book: Book, tmp_path: Path) -> None:
    backup(book, str(tmp_path / "copy"), SUNDAY)
    copy = book if book.on_server else open_book(str(tmp_path / "copy"))
    assert entries_of(copy)[-1] == (SUNDAY.at, SUNDAY.name, "backup-book")
    copy.close()


def test_a_backup_of_a_file_is_one_plain_file_and_is_made_beside_a_writer(tmp_path: Path) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    with book.writing() as connection:
        note_audit(connection, ACTOR, "look", BOOK)
        backup(book, str(tmp_path / "copy.book"), SUNDAY)
    assert beside(str(tmp_path)) == {"federation.book", "copy.book"}
    raw = sqlite3.connect(tmp_path / "copy.book")
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert raw.execute("SELECT count(*) FROM audit WHERE action = 'look'").fetchone() == (0,)
    raw.close()
    book.close()


def test_a_backup_overwrites_nothing(book: Book, tmp_path: Path) -> None:
    target = tmp_path / "there"
    target.write_text("precious", encoding="utf-8")
    with pytest.raises(BookError) as refused:
        backup(book, str(target), SUNDAY)
    assert refused.value.finding.code == "backup-target-exists"
    assert target.read_text(encoding="utf-8") == "precious"


def test_files_that_a_user_has_beside_the_book_and_its_backup_stay(tmp_path: Path) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    own = [tmp_path / name for name in ("copy.book.partial", "federation.book.restoring")]
    for one in own:
        one.write_text("precious", encoding="utf-8")
    (tmp_path / "export.partial").mkdir()
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    export_book(book, str(tmp_path / "export"))
    book.close()
    restore(str(tmp_path / "copy.book"), str(tmp_path / "federation.book"), SUNDAY)
    assert [one.read_text(encoding="utf-8") for one in own] == ["precious", "precious"]
    names = {"federation.book", "copy.book", "export", "export.partial", *(one.name for one in own)}
    assert beside(str(tmp_path)) == names


def test_a_file_that_appears_during_a_backup_is_not_overwritten(tmp_path: Path) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    target = tmp_path / "copy.book"

    def meanwhile(_done: int, _total: int) -> None:
        target.write_text("precious", encoding="utf-8")

    with pytest.raises(BookError) as refused:
        backup(book, str(target), SUNDAY, meanwhile)
    assert refused.value.finding.code == "backup-target-exists"
    assert target.read_text(encoding="utf-8") == "precious"
    assert beside(str(tmp_path)) == {"federation.book", "copy.book"}
    book.close()


def test_two_restores_at_once_do_not_meet(tmp_path: Path) -> None:
    place, copy = str(tmp_path / "federation.book"), str(tmp_path / "copy.book")
    book = create_book(place, Profile(), ACTOR)
    work_a_round(book)
    backup(book, copy, SUNDAY)
    ledger = ledger_of(book)
    book.close()
    others: list[bool] = []

    def meanwhile(_done: int, _total: int) -> None:
        if not others:
            others.append(True)
            restore(copy, place, SUNDAY)

    restore(copy, place, SUNDAY, meanwhile)
    again = open_book(place)
    assert (others, ledger_of(again)) == ([True], ledger)
    again.close()
    assert beside(str(tmp_path)) == {"federation.book", "copy.book"}


def test_a_backup_into_a_missing_folder_is_refused(book: Book, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BookError) as refused:
        backup(book, str(tmp_path / "file" / "copy"), SUNDAY)
    assert refused.value.finding.code == "output-unwritable"
    assert "Not a directory" in refused.value.finding.message
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == []


def falsify(copy: Path) -> None:
    """Change a rating in a backup, behind the back of its triggers."""
    if copy.is_dir():
        import hashlib  # noqa: PLC0415 - for forgers only
        import json  # noqa: PLC0415 - as above

        path, manifest = copy / "ledger.jsonl", copy / "manifest.json"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows[0][8] += 1.0
        data = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        old = hashlib.sha256(path.read_bytes()).hexdigest()
        path.write_bytes(data)
        said = manifest.read_text(encoding="utf-8")
        manifest.write_text(said.replace(old, hashlib.sha256(data).hexdigest()), encoding="utf-8")
        return
    raw = sqlite3.connect(copy)
    raw.execute("DROP TRIGGER ledger_never_changes")
    raw.execute("UPDATE ledger SET rating = rating + 1 WHERE id = 1")
    raw.commit()
    raw.close()


def test_a_backup_whose_ledger_does_not_hold_is_refused(book: Book, tmp_path: Path) -> None:
    work_a_round(book)
    backup(book, str(tmp_path / "copy"), SUNDAY)
    falsify(tmp_path / "copy")
    before = (ledger_of(book), entries_of(book))
    with pytest.raises(BookError) as refused:
        restore(str(tmp_path / "copy"), place_of(book), SUNDAY)
    assert refused.value.finding.code == "backup-not-clean"
    assert (ledger_of(book), entries_of(book)) == before


def tear(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[40_000:60_000] = b"\x5a" * 20_000
    path.write_bytes(data)


def orphan(path: Path) -> None:
    raw = sqlite3.connect(path)
    raw.execute("DELETE FROM members WHERE id = '90000001'")
    raw.commit()
    raw.close()


def write_words(path: Path) -> None:
    path.write_text("no backup\n" * 2_000, encoding="utf-8")


@pytest.mark.parametrize("damage", [tear, scribble, orphan, write_words])
def test_a_damaged_backup_is_refused_and_the_book_stays(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    work_a_round(book)
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    damage(tmp_path / "copy.book")
    before = ledger_of(book)
    with pytest.raises(BookError) as refused:
        restore(str(tmp_path / "copy.book"), book.url, SUNDAY)
    assert refused.value.finding.code in {"backup-damaged", "book-unreadable"}
    assert ledger_of(book) == before
    assert beside(str(tmp_path)) == {"federation.book", "copy.book"}
    book.close()


def test_a_missing_backup_and_a_file_for_a_server_are_refused(
    tmp_path: Path, empty_database: Callable[[], str]
) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    for source, place, code in (
        ("none", book.url, "backup-missing"),
        ("copy.book", empty_database(), "backup-not-portable"),
    ):
        with pytest.raises(BookError) as refused:
            restore(str(tmp_path / source), place, SUNDAY)
        assert refused.value.finding.code == code
    book.close()


def test_a_damaged_book_is_replaced_and_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "federation.book"
    book = create_book(str(path), Profile(), ACTOR)
    work_a_round(book)
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    book.close()
    damaged = b"\xff" * 9_000
    path.write_bytes(damaged)
    restore(str(tmp_path / "copy.book"), str(path), SUNDAY)
    book = open_book(str(path))
    assert verify(book).rows == 24
    book.close()
    assert (tmp_path / "federation.book.damaged").read_bytes() == damaged


def test_a_restore_waits_for_a_writer_and_then_gives_up(book: Book, tmp_path: Path) -> None:
    backup(book, str(tmp_path / "copy"), SUNDAY)
    place = place_of(book)
    with book.writing() as connection:
        note_audit(connection, ACTOR, "look", BOOK)
        with pytest.raises(BookError) as refused:
            restore(str(tmp_path / "copy"), place, SUNDAY, wait_seconds=0.2)
    assert refused.value.finding.code == "book-locked"
    assert entries_of(book)[-1] == (ACTOR.at, ACTOR.name, "look")


def test_a_reader_keeps_the_state_that_it_began_with(tmp_path: Path) -> None:
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    work_a_round(book)
    with book.reading() as connection:
        before = connection.execute(select(schema.ledger.c.rating)).all()
        restore(str(tmp_path / "copy.book"), book.url, SUNDAY)
        assert connection.execute(select(schema.ledger.c.rating)).all() == before
    assert ledger_of(book) == []
    book.close()


def test_a_reader_on_the_server_is_waited_for(empty_database: Callable[[], str], tmp_path: Path) -> None:
    book = create_book(empty_database(), Profile(), ACTOR)
    backup(book, str(tmp_path / "copy"), SUNDAY)
    with book.reading(), pytest.raises(BookError) as refused:
        restore(str(tmp_path / "copy"), place_of(book), SUNDAY, wait_seconds=0.2)
    assert refused.value.finding.code == "book-locked"
    restore(str(tmp_path / "copy"), place_of(book), SUNDAY, wait_seconds=0.2)
    book.close()


def test_the_log_of_a_killed_writer_does_not_spoil_what_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "federation.book"
    book = create_book(str(path), Profile(), ACTOR)
    work_a_round(book)
    ledger = ledger_of(book)
    backup(book, str(tmp_path / "copy.book"), SUNDAY)
    book.close()
    left = tmp_path / "left"
    left.mkdir()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA wal_autocheckpoint = 0")
    raw.execute("UPDATE members SET name = name || 'X'")
    raw.commit()
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{left / 'federation.book'}{ending}")
    raw.close()
    restore(str(tmp_path / "copy.book"), str(left / "federation.book"), SUNDAY)
    book = open_book(str(left / "federation.book"))
    assert ledger_of(book) == ledger
    with book.reading() as connection:
        assert not connection.execute(text("SELECT name FROM members WHERE name LIKE '%X'")).all()
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    book.close()


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from sqlalchemy import Engine, event
from ratebook.book.connection import Actor
from ratebook.office.copies import backup
def step(*_):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
event.listen(Engine, "before_cursor_execute", step)
event.listen(Engine, "commit", step)
class Counted(sqlite3.Connection):
    def execute(self, *given):
        step()
        return super().execute(*given)
    def backup(self, target, *, pages, progress=None):
        def stepped(*how):
            step()
            if progress is not None:
                progress(*how)
        super().backup(target, pages=16, progress=stepped)
opened = sqlite3.connect
sqlite3.connect = lambda *given, **how: opened(*given, factory=Counted, **how)
for name in ("replace", "unlink"):
    def stepping(path, *given, done=getattr(Path, name), **how):
        step()
        return done(path, *given, **how)
    setattr(Path, name, stepping)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        left = int(line)
        backup.restore(sys.argv[1], sys.argv[2], Actor("sexton", "2026-11-22T09:00:00Z"))
        print(int(line) - left, flush=True)
        os._exit(0)
    ended = os.waitpid(child, 0)[1]
    if ended != 0:
        print("killed" if ended == signal.SIGKILL else "failed", flush=True)
"""
"""A process that restores once for each number of a step that it reads: a child that kills itself at that step."""


@contextmanager
def restoring(source: Path, place: str) -> Iterator[Callable[[int], str]]:
    """Give what restores *source* until a step, and returns the number of steps if it came to the end."""
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(source), place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        orders, answers = process.stdin, process.stdout
        assert orders is not None
        assert answers is not None

        def restore_until(step: int) -> str:
            print(step, file=orders, flush=True)
            return answers.readline().strip()

        yield restore_until


@pytest.mark.long
@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_a_restore_that_is_killed_leaves_the_old_book_or_the_new_one(
    book: Book, tmp_path: Path, kills: int
) -> None:
    work_a_round(book)
    backup(book, str(tmp_path / "copy"), SUNDAY)
    send_one(book, "2026-05-02", (1, 2, 3, 4, 5, 6))
    rate_ready(book, ACTOR)
    place = place_of(book)
    old = ledger_of(book)
    with restoring(tmp_path / "copy", place) as restore_until:
        steps = int(restore_until(1_000_000))
        new = ledger_of(book)
        assert new != old
        assert steps > 50
        outcomes: list[bool] = []
        for step in [*range(7, steps, steps // kills), *range(steps - 12, steps, 4)]:
            send_one(book, f"2026-06-{1 + len(outcomes):02d}", (1, 2, 3, 4, 5, 6))
            rate_ready(book, ACTOR)
            before = ledger_of(book)
            assert restore_until(step) == "killed"
            now = ledger_of(book)
            assert now in (before, new)
            assert verify(book).findings == ()
            outcomes.append(now == before)
    assert outcomes[0] is True
    assert restore(str(tmp_path / "copy"), place, SUNDAY).rows == 24
    assert ledger_of(book) == new


def test_a_file_of_an_older_version_can_be_backed_up(tmp_path: Path) -> None:
    create_book(str(tmp_path / "federation.book"), Profile(), ACTOR).close()
    older = open_any_version(str(tmp_path / "federation.book"))
    with older.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    backup(older, str(tmp_path / "copy.book"), SUNDAY)
    older.close()
    with pytest.raises(BookError) as refused:
        open_book(str(tmp_path / "copy.book"))
    assert refused.value.finding.code == "book-before-release"
    with pytest.raises(BookError) as refused:
        restore(str(tmp_path / "copy.book"), str(tmp_path / "restored.book"), SUNDAY)
    finding = refused.value.finding
    assert (finding.code, finding.where) == ("book-before-release", str(tmp_path / "copy.book"))
