"""A file of settings, a key or an input that never ends is a finding, and little of it is read."""

from __future__ import annotations

import io
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, cast

import pytest
from click.testing import CliRunner

from ratebook.bounded_files import MEGABYTE, MOST_BYTES, MOST_OF_SETTINGS
from ratebook.cli.main import run
from support.command_line import COMMAND, invoke
from support.hang_guard import HANG_GUARD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result

pytestmark = pytest.mark.long

REPORT = str(Path(__file__).parents[2] / "examples" / "quad.json")
NOTHING_ENDS = 256 * MEGABYTE
"""What a reader without a bound is given, so that its test ends."""
A_PIPE_HOLDS = MEGABYTE

WITH_SETTINGS = [
    ("rate", REPORT, "--rules", "ENDLESS"),
    ("rules", "show", "--rules", "ENDLESS"),
    ("replay", "HISTORY", "--rules", "ENDLESS", "--out", "ledger.parquet"),
    ("book", "--book", "new.book", "init", "--overlay", "ENDLESS"),
    ("book", "--book", "new.book", "init", "--profile", "ENDLESS"),
    ("book", "--book", "BOOK", "adopt-rules", "--overlay", "ENDLESS", "--reason", "a trial"),
    ("book", "--book", "BOOK", "seal", "--key", "ENDLESS"),
    ("book", "--book", "BOOK", "verify", "--seal", "1:" + 64 * "0", "--public-key", "ENDLESS"),
    ("lab", "run", "ENDLESS", "--results", "results"),
    ("lab", "search", "ENDLESS", "--results", "results", "--free", "bonus_multiplier:6..14"),
    ("lab", "world", "ENDLESS", "--out", "world"),
    ("lab", "fit-expectancy", "HISTORY", "--rules", "ENDLESS"),
]


class Flow:
    """A pipe with a name, into which a thread writes until nobody reads any more; *written* is how much."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self.written = 0
        self._thread = Thread(target=self._write)
        self._thread.start()

    def _write(self) -> None:
        block = bytes(1 << 16)
        try:
            with self.path.open("wb", buffering=0) as pipe:
                while self.written < NOTHING_ENDS:
                    self.written += pipe.write(block)
        except BrokenPipeError:
            pass

    def end(self) -> None:
        """Let the thread end, whether somebody has opened the pipe or not."""
        os.close(os.open(self.path, os.O_RDONLY | os.O_NONBLOCK))
        self._thread.join()


@contextmanager
def flowing(path: Path) -> Iterator[Flow]:
    flow = Flow(path)
    try:
        yield flow
    finally:
        flow.end()


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A book and a history, by the words that stand for them."""
    folder = tmp_path_factory.mktemp("places")
    places = {"BOOK": str(folder / "league.book"), "HISTORY": str(folder / "history")}
    assert invoke("book", "--book", places["BOOK"], "init").exit_code == 0
    assert (
        invoke("demo-history", "--members", "30", "--games", "500", "--out", places["HISTORY"]).exit_code == 0
    )
    return places


@pytest.mark.parametrize("arguments", WITH_SETTINGS, ids=lambda arguments: " ".join(arguments[:4]))
def test_settings_that_never_end_are_refused(
    arguments: tuple[str, ...], places: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with flowing(tmp_path / "endless") as flow:
        said = invoke(*({**places, "ENDLESS": "endless"}.get(one, one) for one in arguments))
    assert_refused(said)
    assert 0 < flow.written <= MOST_OF_SETTINGS + A_PIPE_HOLDS


def test_a_manifest_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "export").mkdir()
    with flowing(tmp_path / "export" / "manifest.json") as flow:
        said = invoke("book", "--book", str(tmp_path / "new.book"), "import-book", str(tmp_path / "export"))
    assert_refused(said)
    assert 0 < flow.written <= MOST_OF_SETTINGS + A_PIPE_HOLDS


def test_games_that_never_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratebook.lab.imports.games.MOST_OF_GAMES", MEGABYTE)
    with flowing(tmp_path / "endless") as flow:
        said = invoke("lab", "import", "csv", str(tmp_path / "endless"), "--out", str(tmp_path / "history"))
    assert_refused(said)
    assert 0 < flow.written <= MEGABYTE + A_PIPE_HOLDS


class EndlessInput(io.RawIOBase):
    """A standard input that counts what was read of it."""

    def __init__(self) -> None:
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        asked = NOTHING_ENDS if size < 0 else size
        self.count += asked
        return bytes(asked)


@pytest.mark.parametrize("arguments", [("rate", "-"), ("lab", "fit-conversion", "-")])
def test_a_report_on_standard_input_that_never_ends_is_refused(arguments: tuple[str, ...]) -> None:
    endless = EndlessInput()
    assert_refused(CliRunner().invoke(run, arguments, input=cast("IO[bytes]", endless)))
    assert endless.count == MOST_BYTES + 1


def test_a_line_that_never_ends_is_refused(tmp_path: Path) -> None:
    """Of `enter`, which reads lines as they are typed."""
    with subprocess.Popen(
        [*COMMAND, "enter", str(tmp_path / "club-night.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        written = 0
        try:
            while written < NOTHING_ENDS:
                written += os.write(process.stdin.fileno(), bytes(1 << 16))
        except BrokenPipeError:
            pass
        _, errors = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 1
    assert b"error: standard input: it has more than 65536 letters in a line. [file-unreadable]" in errors
    assert written <= 2 * A_PIPE_HOLDS


def assert_refused(said: Result) -> None:
    assert isinstance(said.exception, SystemExit), said.exception
    assert said.exit_code == 1, said.output
    assert "error: " in said.stderr
    assert "has more than" in said.stderr
