"""What goes wrong with a store becomes a finding: each condition is a real one, and the book stays whole."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import open_book
from ratebook.book.failures import POSTGRESQL, SQLITE, WORDS, BookError
from ratebook.book.profile import Profile
from ratebook.findings import Place, finding
from ratebook.office.creation import create_book
from ratebook.office.rating.verify import verify
from support.book_reports import add_members
from support.book_rounds import ACTOR
from support.hang_guard import HANG_GUARD, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.book.connection import Book
    from ratebook.findings import Finding

pytestmark = pytest.mark.long

WRONG, RIGHT = "wrong-secret", "right-secret"

WRITE = """
import os, sys
from ratebook.book.audit import BOOK, note_audit
from ratebook.book.connection import Actor, open_book
from ratebook.book.failures import POSTGRESQL, SQLITE, WORDS, BookError
if sys.argv[3:]:
    # All that this user may not load is loaded before.
    with open_book(sys.argv[3]).writing() as connection:
        note_audit(connection, Actor("x", "y"), "look", BOOK)
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    book = open_book(sys.argv[1], wait_seconds=0.2)
    with book.reading() as connection:
        print("read", connection.exec_driver_sql("SELECT count(*) FROM members").scalar())
    with book.writing() as connection:
        for number in range(int(sys.argv[2])):
            note_audit(connection, Actor("x", "y"), "fill", BOOK, "x" * 1000)
    print("written")
except BookError as failure:
    print(failure.finding.code)
"""


def refusal(act: Callable[[], object]) -> Finding:
    with pytest.raises(BookError) as refused:
        act()
    return refused.value.finding


def code_of(act: Callable[[], object]) -> str:
    return refusal(act).code


def said_by(command: list[str]) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_GUARD)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def writing(book: str, entries: int = 1) -> list[str]:
    """Return the command that reads a book, writes *entries* to it and says how it went."""
    return [sys.executable, "-c", WRITE, book, str(entries)]


def writing_without_rights(book: str, another: str) -> list[str]:
    """Return the same for a user whom the rights of files bind; the superuser becomes one."""
    return [*writing(book), another] if os.geteuid() == 0 else writing(book)


@pytest.fixture
def file_book(tmp_path: Path) -> str:
    """Give the path of a closed book in a file, with five members."""
    book = create_book(str(tmp_path / "federation.book"), Profile(), ACTOR)
    add_members(book, 5)
    book.close()
    return book.url


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user may reach."""
    with tempfile.TemporaryDirectory(prefix="ratebook-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize(("folder_rights", "file_rights"), [(0o555, 0o444), (0o777, 0o444), (0o555, 0o666)])
def test_a_book_that_may_only_be_read_is_read_and_says_so_when_written(
    file_book: str, open_folder: Path, folder_rights: int, file_rights: int
) -> None:
    path = open_folder / "federation.book"
    shutil.copy(file_book, path)
    before = path.read_bytes()
    path.chmod(file_rights)
    open_folder.chmod(folder_rights)
    assert said_by(writing_without_rights(str(path), file_book)) == ["read 5", "book-read-only"]
    assert path.read_bytes() == before


def test_changes_that_a_killed_writer_left_in_the_log_are_not_passed_over(
    file_book: str, open_folder: Path
) -> None:
    path = open_folder / "federation.book"
    shutil.copy(file_book, path)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA wal_autocheckpoint = 0")
    raw.execute("DELETE FROM members")
    raw.commit()
    kept = open_folder / "kept"
    kept.mkdir()
    for ending in ("", "-wal"):
        copied = Path(shutil.copy(f"{path}{ending}", f"{kept / 'federation.book'}{ending}"))
        copied.chmod(0o644)
    raw.close()
    kept.chmod(0o555)
    assert said_by(writing_without_rights(str(kept / "federation.book"), file_book)) == ["book-log-waits"]
    kept.chmod(0o755)
    assert said_by(writing(str(kept / "federation.book"))) == ["read 0", "written"]


def test_a_file_that_another_program_writes_to_is_locked_for_writers_and_open_for_readers(
    file_book: str,
) -> None:
    hold = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN IMMEDIATE'); "
        "print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, file_book], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert said_by(writing(file_book)) == ["read 5", "book-locked"]
        other.communicate("\n")
    assert said_by(writing(file_book)) == ["read 5", "written"]


def test_a_writer_on_the_server_waits_for_another_and_then_says_so(empty_database: Callable[[], str]) -> None:
    place = empty_database()
    book = create_book(place, Profile(), ACTOR)
    with book.writing():
        assert said_by(writing(place)) == ["read 0", "book-locked"]
    assert said_by(writing(place)) == ["read 0", "written"]
    book.close()


def test_a_full_disk_is_said_and_the_book_stays_whole(file_book: str, tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    alone = [shutil.which("unshare") or "", "-m"]
    if not alone[0] or subprocess.run([*alone, *mount], check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    small = str(folder / "federation.book")
    # The disk is seen by this process alone and goes with it.
    script = f'{shlex.join(mount)} && cp "$1" "$2" && shift && shift && "$@" && "$@"'
    writer = writing(small, 5000)
    said = said_by([*alone, "sh", "-c", script, "sh", file_book, small, *writer])
    assert said == ["read 5", "book-disk-full", "read 5", "book-disk-full"]


def test_a_limit_on_the_size_of_files_is_said_and_the_book_stays_whole(file_book: str) -> None:
    limit = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    assert said_by([sys.executable, "-c", limit, *writing(file_book, 5000)]) == ["read 5", "book-disk-failed"]
    book = open_book(file_book)
    assert verify(book).findings == ()
    book.close()
    assert said_by(writing(file_book)) == ["read 5", "written"]


def test_a_limit_on_the_pages_of_a_file_is_a_full_disk(file_book: str) -> None:
    book = open_book(file_book)

    def fill() -> None:
        with book.writing() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 150")
            for _ in range(1000):
                note_audit(connection, ACTOR, "fill", BOOK, "x" * 1000)

    assert code_of(fill) == "book-disk-full"
    with book.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM audit WHERE action = 'fill'").scalar() == 0
    book.close()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "book-without-tables"),
        (b"Dear office, here is our report.\n" * 200, "book-unreadable"),
        (b"SQLite format 3\x00" + b"\xff" * 5000, "book-unreadable"),
    ],
)
def test_a_file_that_is_no_book_is_said_to_be_none(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    assert code_of(lambda: open_book(str(path))) == code
    assert path.read_bytes().startswith(content)


def test_a_damaged_book_is_said_to_be_damaged(file_book: str) -> None:
    data = bytearray(Path(file_book).read_bytes())
    data[4096:] = b"\x5a" * (len(data) - 4096)
    Path(file_book).write_bytes(data)
    assert code_of(lambda: open_book(file_book)) == "book-unreadable"


def test_a_database_of_another_program_is_no_book(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE invoices (id INTEGER)")
    assert code_of(lambda: open_book(str(tmp_path / "other.db"))) == "book-without-tables"


def test_a_missing_file_and_a_folder_are_no_books_and_nothing_is_made(tmp_path: Path) -> None:
    assert code_of(lambda: open_book(str(tmp_path / "none.book"))) == "book-missing"
    assert code_of(lambda: open_book(str(tmp_path))) == "book-not-a-file"
    assert code_of(lambda: open_book("/dev/null")) == "book-not-a-file"
    in_no_folder = str(tmp_path / "no" / "folder")
    assert code_of(lambda: create_book(in_no_folder, Profile(), ACTOR)) == "book-file-refused"
    assert code_of(lambda: create_book(str(tmp_path), Profile(), ACTOR)) == "book-not-a-file"
    assert list(tmp_path.iterdir()) == []


def test_a_place_below_a_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    place = str(tmp_path / "file" / "league.book")
    for refused in (refusal(lambda: open_book(place)), refusal(lambda: create_book(place, Profile(), ACTOR))):
        assert refused.code == "book-file-refused"
        assert "Not a directory" in refused.message


def test_a_place_that_the_system_does_not_let_be_used_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "league.book").touch()
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    there, new = str(tmp_path / "league.book"), str(tmp_path / "new.book")
    for refused in (refusal(lambda: open_book(there)), refusal(lambda: create_book(new, Profile(), ACTOR))):
        assert refused.code == "book-file-refused"
        assert "Permission denied" in refused.message
    assert [path.name for path in tmp_path.iterdir()] == ["league.book"]


def test_a_book_that_could_not_be_made_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("ratebook.office.creation.write_profile", fail)
    with pytest.raises(RuntimeError):
        create_book(str(tmp_path / "new.book"), Profile(), ACTOR)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "new.book").touch()
    with pytest.raises(RuntimeError):
        create_book(str(tmp_path / "new.book"), Profile(), ACTOR)
    assert [path.name for path in tmp_path.iterdir()] == ["new.book"]


def test_a_book_that_is_there_stays_where_another_was_to_be_made(tmp_path: Path) -> None:
    place = str(tmp_path / "league.book")
    create_book(place, Profile(), ACTOR).close()
    assert code_of(lambda: create_book(place, Profile(), ACTOR)) == "book-exists"
    open_book(place).close()


@pytest.mark.parametrize("address", ["mysql://server/book", "http://server", "://", "a b://"])
def test_an_address_that_is_not_understood_is_said_to_be_wrong(address: str) -> None:
    assert code_of(lambda: open_book(address)) == "book-address-wrong"


def test_an_empty_database_holds_no_book(empty_database: Callable[[], str]) -> None:
    place = empty_database()
    assert code_of(lambda: open_book(place)) == "book-without-tables"


def test_a_missing_database_user_or_server_is_said(server: str, tmp_path: Path) -> None:
    url = make_url(server)

    def changed(**parts: str) -> Callable[[], Book]:
        return lambda: open_book(url.set(**parts).render_as_string(hide_password=False))  # type: ignore[arg-type]

    assert code_of(changed(database="nowhere")) == "book-database-missing"
    assert code_of(changed(username="nobody_here")) == "book-access-denied"
    assert code_of(lambda: open_book(f"postgresql://office@/book?host={tmp_path}")) == "book-server-away"
    assert code_of(lambda: open_book("postgresql://office@127.0.0.1:1/book")) == "book-server-away"
    assert code_of(lambda: open_book("postgresql://office@server.invalid/book")) == "book-server-away"


def wait_until_refused(place: str) -> None:
    """Wait until the server goes by its new rules: it reads them some time after it is asked to, and tells nobody."""
    engine = create_engine(make_url(place).set(drivername="postgresql+psycopg"), poolclass=NullPool)

    def refused() -> bool:
        try:
            engine.connect().close()
        except OperationalError:
            return True
        return False

    wait_until(refused)


def test_a_wrong_password_is_said_and_not_shown(empty_database: Callable[[], str]) -> None:
    place = make_url(empty_database())
    admin = create_engine(place.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        rules = Path(str(connection.execute(text("SHOW hba_file")).scalar()))
        before = rules.read_text()
        connection.execute(text(f"CREATE ROLE careful LOGIN PASSWORD '{RIGHT}'"))
        try:
            rules.write_text(f"local all careful scram-sha-256\n{before}")
            connection.execute(text("SELECT pg_reload_conf()"))
            wrong = place.set(username="careful", password=WRONG).render_as_string(hide_password=False)
            right = place.set(username="careful", password=RIGHT).render_as_string(hide_password=False)
            wait_until_refused(wrong)
            with pytest.raises(BookError) as refused:
                open_book(wrong)
            assert code_of(lambda: open_book(right)) == "book-without-tables"
        finally:
            rules.write_text(before)
            connection.execute(text("SELECT pg_reload_conf()"))
            connection.execute(text("DROP ROLE careful"))
    admin.dispose()
    assert refused.value.finding.code == "book-access-denied"
    assert WRONG not in refused.value.finding.message


def test_a_user_without_rights_may_not_write(empty_database: Callable[[], str]) -> None:
    place = empty_database()
    book = create_book(place, Profile(), ACTOR)
    with book.engine.begin() as connection:
        connection.execute(text("CREATE ROLE guest LOGIN"))
        connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest"))
    guest = make_url(place).set(username="guest").render_as_string(hide_password=False)
    assert said_by(writing(guest)) == ["read 0", "book-access-denied"]
    with book.engine.begin() as connection:
        connection.execute(text("ALTER ROLE guest SET default_transaction_read_only = on"))
        connection.execute(text("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest"))
    assert said_by(writing(guest)) == ["read 0", "book-read-only"]
    with book.engine.begin() as connection:
        connection.execute(text("DROP OWNED BY guest"))
        connection.execute(text("DROP ROLE guest"))
    book.close()


def test_a_connection_that_the_server_ends_is_said_and_nothing_is_kept(
    empty_database: Callable[[], str],
) -> None:
    book = create_book(empty_database(), Profile(), ACTOR)

    def write() -> None:
        with book.writing() as connection:
            note_audit(connection, ACTOR, "fill", BOOK)
            number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            with book.engine.begin() as other:
                other.execute(text("SELECT pg_terminate_backend(:number)"), {"number": number})
            note_audit(connection, ACTOR, "fill", BOOK)

    assert code_of(write) == "book-server-away"
    with book.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM audit WHERE action = 'fill'").scalar() == 0
    book.close()


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "book-disk-full"),
        ("58030", "book-disk-failed"),
        ("40P01", "book-locked"),
        ("XX000", "book-failed"),
    ],
)
def test_what_the_server_says_by_its_codes_is_understood_in_any_language(
    empty_database: Callable[[], str], state: str, code: str
) -> None:
    book = create_book(empty_database(), Profile(), ACTOR)

    def fail() -> None:
        with book.writing() as connection:
            connection.exec_driver_sql(
                f"DO $$ BEGIN RAISE EXCEPTION 'Störung' USING ERRCODE = '{state}'; END $$"
            )

    assert code_of(fail) == code
    book.close()


def test_what_a_store_says_is_a_finding_that_can_be_filled_in() -> None:
    for name in {*SQLITE.values(), *POSTGRESQL.values(), *WORDS}:
        assert finding(name, Place(file="federation.book"), text="words of the store").severity == "error"


def test_a_missing_driver_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert code_of(lambda: open_book("postgresql://office:secret@server/book")) == "book-driver-missing"
