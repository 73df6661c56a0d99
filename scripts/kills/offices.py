"""Books before and after each command, in either store, and what must hold of one whose writer was killed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from sqlalchemy import select

from ratebook.book import schema
from ratebook.book.failures import BookError
from ratebook.office.publish.data_files import read_data_manifest
from support.office_round import final_state, half_done, opened
from support.postgresql import drop_database, execute, new_database
from unit.office.faults import killed_round

if TYPE_CHECKING:
    from scripts.kills.commands import Command

    from support.postgresql import Server

LEFT_OUT = {
    schema.members: {"erased_at"},
    schema.memberships: {"id"},
    schema.external_ratings: set(),
    schema.opening_balances: {"decision_id"},
    schema.decisions: {"id", "decided_at", "details"},
}
"""What numbers and clocks make of rows is not compared."""
TESTS = Path(killed_round.__file__).resolve().parents[3]
State = dict[str, list[tuple[object, ...]]]


class Place(NamedTuple):
    """Where a book is, and the folder of what is written beside it."""

    book: str
    out: Path

    def arguments(self, command: Command) -> list[str]:
        """Return the command as it is typed."""
        words = (word.replace("OUT", str(self.out)) for word in command.words)
        return ["book", "--book", self.book, "--as", "office", *words]

    def has_copy(self, command: Command) -> bool:
        """Return whether there is what a command writes beside the book."""
        words = (command.whole,) if command.whole else command.words
        written = (word.replace("OUT", str(self.out)) for word in words if word.startswith("OUT/"))
        return all(Path(path).exists() for path in written)


class Stage(NamedTuple):
    """A book before a command, and what the command makes of it undisturbed.

    Attributes:
        moments, seconds: of the undisturbed command.
    """

    command: Command
    before: Place
    state: State
    after: State
    moments: int
    seconds: float


class Driver:
    """A process that starts commands as its children, which kill themselves."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
        self.process = subprocess.Popen(
            [sys.executable, str(killed_round.__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        self.answers = cast("TextIO", self.process.stdout)

    def start(self, way: str, moment: int, arguments: list[str]) -> int:
        """Begin a command; return the number of its process."""
        print(f"{way} {moment} {json.dumps(arguments)}", file=self.process.stdin, flush=True)
        return int(self.answer().removeprefix("pid "))

    def answer(self) -> str:
        """Return the next line of the process."""
        return self.answers.readline().strip()

    def expect(self, wanted: str) -> None:
        """Wait for an answer.

        Raises:
            RuntimeError: it is another one.
        """
        if (answer := self.answer()) != wanted:
            raise RuntimeError(f"{answer} instead of {wanted}")

    def run(self, arguments: list[str]) -> tuple[int, int]:
        """Run a command to its end; return its status and its moments.

        Raises:
            RuntimeError: it ends in any other way.
        """
        self.start("tell", 0, arguments)
        answer = self.answer()
        if not answer.startswith("done "):
            raise RuntimeError(f"{answer}: {arguments}")
        _, moments, status = answer.split()
        return int(status), int(moments)

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


class Store:
    """Books in a folder: files, or databases of a server."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self.folder = folder
        self.server = server
        self.number = 0

    def place(self, of: Place | None = None) -> Place:
        """Return a place for a book, empty or with a copy of another."""
        self.number += 1
        own = self.folder / str(self.number)
        if of is None:
            own.mkdir(parents=True)
        else:
            shutil.copytree(of.out, own)
        if self.server is None:
            return Place(str(own / "office.book"), own)
        book = new_database(self.server.address, "" if of is None else of.book)
        return Place(book, own)

    def checkpoint(self) -> None:
        """Have the server keep everything."""
        if self.server is not None:
            execute(self.server.address, "CHECKPOINT")

    def remove(self, place: Place) -> None:
        """Remove a book and everything beside it."""
        if self.server is not None:
            drop_database(self.server.address, place.book)
        shutil.rmtree(place.out)


def state_of(place: Place) -> State:
    """Return what a book says, without the numbers that its store gives; nothing where there is none."""
    try:
        with opened(place.book) as book:
            contents = final_state(book)
            with book.reading() as connection:
                for table, left_out in LEFT_OUT.items():
                    columns = [one for one in table.c if one.name not in left_out]
                    rows = [tuple(row) for row in connection.execute(select(*columns))]
                    contents[table.name] = sorted(rows, key=str)
                marks = schema.rerate_marks
                open_marks = select(marks.c.place, marks.c.member_id).where(marks.c.done_by.is_(None))
                contents["marks"] = sorted({tuple(row) for row in connection.execute(open_marks)}, key=str)
            return contents
    except BookError:
        return {}


def stages(store: Store, driver: Driver, all_commands: tuple[Command, ...]) -> tuple[Stage, ...]:
    """Run the commands undisturbed; return each with the book before it and what it made.

    Raises:
        RuntimeError: a command does not do its work.
    """
    finished = []
    place = store.place()
    state: State = {}
    for command in all_commands:
        before = store.place(place) if state else store.place()
        started = time.monotonic()
        status, moments = driver.run(place.arguments(command))
        seconds = time.monotonic() - started
        if status:
            raise RuntimeError(f"{command.name}: status {status}")
        after = state_of(place)
        finished.append(Stage(command, before, state, after, moments, seconds))
        state = after
    return tuple(finished)


def wrong_after(place: Place, stage: Stage, driver: Driver) -> list[str]:
    """Return what is wrong with a book whose command was killed: as it is, and when the command is given again."""
    state = state_of(place)
    wrong = errors_in(place, state) + broken_files(place.out / "data")
    between = state not in (stage.state, stage.after)
    if between and not stage.command.several:
        wrong.append("neither as before nor as after the command")
    # What is done is not given again: some commands would decide the same once more.
    if state == stage.after and (stage.state != stage.after or place.has_copy(stage.command)):
        return wrong
    status, _ = driver.run(place.arguments(stage.command))
    if status:
        wrong.append(f"given again, the command ends with status {status}")
    again = state_of(place)
    if again != stage.after:
        differs = ", ".join(name for name in stage.after if again.get(name) != stage.after[name])
        wrong.append(f"given again, the command does not make what it makes undisturbed: {differs}")
    return wrong + errors_in(place, again) + broken_files(place.out / "data")


def broken_files(folder: Path) -> list[str]:
    """Return which of the files that a manifest of public data names are not there as it says."""
    manifest = read_data_manifest(folder)
    return [
        f"{file.name} is not what the manifest says"
        for file in (manifest.files if manifest else ())
        if not (folder / file.name).is_file()
        or hashlib.sha256((folder / file.name).read_bytes()).hexdigest() != file.sha256
    ]


def errors_in(place: Place, state: State) -> list[str]:
    """Return what `verify` and some questions of the tests find wrong in a book, if there is one."""
    if not state:
        return []
    with opened(place.book) as book:
        found = half_done(book)
    # Seats that were corrected have their rows after the re-rating for which they wait.
    return [one for one in found if not (state["marks"] and one.startswith("section and system"))]
