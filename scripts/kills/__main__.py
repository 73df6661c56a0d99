"""Kill commands of ``ratebook book`` at random moments, and stop a server while it works; status 1: something is wrong.

Half of the kills come at a random statement, commit or file of the command, half after a random time. After each, the
book must verify clean, be as before or as after the command (or, where that has several transactions, between), and
have the undisturbed command's results when the command is given again.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from scripts.kills.commands import Command, commands
from scripts.kills.offices import Driver, Place, Stage, Store, stages, state_of, wrong_after

from support.postgresql import Server

STOPS = 20
"""A server is stopped once for so many kills."""
MEMORY = Path("/dev/shm")  # noqa: S108 - folders in it are the process's own
LONGER = 1.15
"""Kills come up to so much later than the command usually ends: also just behind it."""
STOPPED = ("rerate", "rate", "import reports", "restore")


class Kills:
    """Kills in one store, and what they left.

    Args:
        name: of the store.
        stages: its commands, each with the book before and after it.
        chance: decides what is killed, and when.
    """

    def __init__(
        self, name: str, store: Store, driver: Driver, stages: tuple[Stage, ...], chance: random.Random
    ) -> None:
        self.name = name
        self.store = store
        self.driver = driver
        self.stages = stages
        self.chance = chance
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []

    def kill(self, number: int) -> None:
        """Kill a command, and look at what is left."""
        stage = self.chance.choice(self.stages)
        place = self.store.place(stage.before if stage.state else None)
        arguments = place.arguments(stage.command)
        if self.chance.random() < 0.5:  # noqa: PLR2004 - half of them
            moment = self.chance.randrange(1, stage.moments + 1)
            when = f"at moment {moment} of {stage.moments}"
            self.driver.start("kill", moment, arguments)
        else:
            seconds = self.chance.uniform(0.0, LONGER * stage.seconds)
            when = f"after {seconds:.3f} s"
            child = self.driver.start("tell", 0, arguments)
            time.sleep(seconds)
            # A child that has ended keeps its number until the next one is asked for.
            os.kill(child, signal.SIGKILL)
        answer = self.driver.answer()
        self.figures["killed" if answer == "killed" else "ended before"] += 1
        if not answer.startswith(("killed", "done")):
            self.note(f"{self.name}, kill {number}, {stage.command.name} {when}: {answer}")
        self.look(f"{self.name}, kill {number}, {stage.command.name} {when}", place, stage)

    def stop(self, number: int, server: Server) -> None:
        """Stop the server at once while a command is at work, start it again, and look at what is left."""
        stage = self.chance.choice([one for one in self.stages if one.command.name in STOPPED])
        place = self.store.place(stage.before)
        # The counters of a copied database reach the server's log with the next checkpoint only.
        self.store.checkpoint()
        moment = self.chance.randrange(1, stage.moments + 1)
        when = f"{self.name}, stop {number}, {stage.command.name} at moment {moment} of {stage.moments}"
        child = self.driver.start("stop", moment, place.arguments(stage.command))
        self.driver.expect("stopped")
        server.kill("immediate stop")
        os.kill(child, signal.SIGCONT)
        answer = self.driver.answer()
        # The last moments have nothing to do with the server any more.
        if not answer.startswith("done ") or answer.split()[2] not in {"0", "1"}:
            self.note(f"{when}: {answer}")
        self.figures[f"server stopped, {stage.command.name}"] += 1
        server.start()
        self.look(when, place, stage)

    def look(self, when: str, place: Place, stage: Stage) -> None:
        """Look at what is left, and count it."""
        state = state_of(place)
        self.figures[
            "as before"
            if state == stage.state
            else "as after"
            if state == stage.after
            else "between two transactions"
        ] += 1
        for one in wrong_after(place, stage, self.driver):
            self.note(f"{when}: {one}")
        self.store.remove(place)

    def note(self, wrong: str) -> None:
        """Note and print something that is wrong."""
        self.wrong.append(wrong)
        print(f"WRONG {wrong}", flush=True)

    def print(self, seconds: float) -> None:
        """Print the figures."""
        said = ", ".join(f"{count:,} {name}" for name, count in self.figures.most_common())
        print(f"{self.name}: {said}; {len(self.wrong)} wrong; {seconds / 60:.1f} minutes", flush=True)


def run(name: str, kills: int, folder: Path, books: tuple[tuple[Command, ...], ...], seed: int) -> list[str]:
    """Kill in one store; return what was wrong."""
    chance = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    server = Server.started() if name == "PostgreSQL" else None
    started = time.monotonic()
    try:
        with closing(Driver()) as driver:
            store = Store(folder / name, server)
            found = tuple(stage for growing in books for stage in stages(store, driver, growing))
            many = Kills(name, store, driver, found, chance)
            for number in range(1, kills + 1):
                many.kill(number)
                if server is not None and number % STOPS == 0:
                    many.stop(number // STOPS, server)
                if number % 100 == 0:
                    many.print(time.monotonic() - started)
            many.print(time.monotonic() - started)
    finally:
        if server is not None:
            server.close()
    return many.wrong


def main() -> int:
    """Kill in both stores, and print figures."""
    parser = argparse.ArgumentParser(prog="python -m scripts.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how many commands are killed in all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--store", choices=("SQLite", "PostgreSQL"), help="kill in this store alone")
    chosen = parser.parse_args()
    stores = [chosen.store] if chosen.store else ["SQLite", "PostgreSQL"]
    print(f"seed {chosen.seed}, {chosen.kills} kills", flush=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        books = commands(Path(folder))
        for name in stores:
            wrong += run(name, chosen.kills // len(stores), Path(folder), books, chosen.seed)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
