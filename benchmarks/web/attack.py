"""Whether others are answered while someone asks for what costs most: ``python -m benchmarks.web.attack``.

A director sends a report and eight clients ask for its preview at once, again and again. Meanwhile ``/health`` and the
page of a player that no one has asked for before are asked for, one after the other; so they were before, in quiet.
The server is the real command with all rooms, in one process. Limits of requests are off: they would end the attack.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import secrets
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from typing import TYPE_CHECKING

from benchmarks.web.books import postgresql_book, sqlite_book, subjects_of

from ratebook.web.gate.visitors import COOKIE, digest_of, new_token
from ratebook.web.store.accounts import Role, add_account
from ratebook.web.store.opening import open_store, store_beside
from ratebook.web.store.sessions import start_session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENTS, QUIET, AT_LEAST = 8, 60, 60
SEEN, SEE_OTHER = 200, 303
GAMES = 7


def main() -> None:
    """Attack, and print what others waited."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the ledger (default: 100000)")
    parser.add_argument("--postgresql", metavar="URL", help="use a database of this server, not a file")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench-web")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    book = (
        postgresql_book(options.postgresql, options.rows)
        if options.postgresql
        else sqlite_book(options.folder, options.rows)
    )
    with book as place:
        players = subjects_of(place).players
        attacks = {
            "4 sections of 9,999 unknown ids": unknown_players(4, 9_999),
            "2 sections of 5,000 unknown ids": unknown_players(2, 5_000),
            "1,000 sections of 10 unknown ids": unknown_players(1_000, 10),
            "2,800 members, 19,600 results": rated_players(players[-2_800:]),
        }
        cookie = f"{COOKIE}={signed_in(place)}"
        print(f"{'milliseconds: median, 19 of 20, most':<44}{'/health':>22}{'/players/ID':>22}")
        with serving(place, options.folder) as port:
            client = Asking(port, cookie)
            client.get("/health"), client.get(f"/players/{players[0]}")
            quiet = waits(port, players[1 : QUIET + 1], None)
            shown("quiet", quiet)
        for name, report in attacks.items():
            with serving(place, options.folder) as port:
                client = Asking(port, cookie)
                client.get("/health"), client.get(f"/players/{players[0]}")
                begun = time.perf_counter()
                where = client.send(report)
                print(
                    f"  {name}: {len(report):,} bytes, sent in {time.perf_counter() - begun:.1f} s",
                    flush=True,
                )
                stop = Event()
                clients = [Attacker(port, cookie, where, stop) for _ in range(CLIENTS)]
                for one in clients:
                    one.start()
                shown(name, waits(port, players[1:], clients))
                stop.set()
                for one in clients:
                    one.join()
                took = [time_ for one in clients for time_ in one.took]
                print(
                    f"  previews answered: {len(took)}, the longest after {max(took, default=0):.1f} s",
                    flush=True,
                )


def unknown_players(sections: int, seats: int) -> bytes:
    """Return a report of players whom the book does not know."""
    players = [
        {"id": str(70_000_000 + number), "name": f"EXAMPLE, PLAYER {number}"}
        for number in range(sections * seats)
    ]
    return _report(
        players, [[one["id"] for one in players[at * seats : (at + 1) * seats]] for at in range(sections)], 1
    )


def rated_players(ids: Sequence[str]) -> bytes:
    """Return a report of members who played each other."""
    return _report([{"id": one, "name": ""} for one in ids], [list(ids)], GAMES)


def _report(players: list[dict[str, str]], seats: list[list[str]], rounds: int) -> bytes:
    sections = []
    for number, ids in enumerate(seats, 1):
        size = len(ids)
        entries = []
        for seat, player in enumerate(ids):
            # In round r, seats of a pair differ by an odd number of places.
            cells = []
            for at in range(rounds):
                other = (seat + 2 * at + 1) % size if seat % 2 == 0 else (seat - 2 * at - 1) % size
                cells.append(f"{'W' if seat % 2 == at % 2 else 'L'}{other + 1}")
            entries.append({"seat": seat + 1, "player": player, "rounds": cells})
        sections.append(
            {
                "number": number,
                "name": f"S{number}",
                "end": "2024-12-01",
                "time_control": "G/60;d5",
                "entries": entries,
            }
        )
    event = {"name": "EXAMPLE", "start": "2024-12-01", "end": "2024-12-01"}
    return json.dumps(
        {"format": "ratebook-report/1", "event": event, "players": players, "sections": sections}
    ).encode()


def signed_in(place: str) -> str:
    """Return the token of a session of a director."""
    with closing(open_store(store_beside(place))) as store:
        now, token = datetime.now(UTC), new_token(secrets.token_bytes)
        with store.writing() as connection:
            account = add_account(connection, f"attacker-{token[:8]}", Role.DIRECTOR, "", (), now)
            if account is None:
                raise SystemExit("The account is there already.")
            start_session(connection, digest_of(token), account.id, "a client", now)
    return token


@contextmanager
def serving(place: str, folder: Path) -> Iterator[int]:
    """Serve a book by the real command, and give its port."""
    command = [sys.executable, "-m", "ratebook", "web", "--book", place, "--port", "0", "--limit", "0"]
    command += ["--key-file", str(folder / "attack.key")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline() if server.stdout is not None else ""
            port = re.search(r":(\d+) until", line)
            if port is None:
                raise SystemExit(f"The server does not say where it is: {line!r}")
            yield int(port[1])
        finally:
            server.terminate()


class Asking:
    """A client."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self._port, self._cookie = port, cookie

    def get(self, path: str) -> int:
        """Ask for a page and read it."""
        with closing(http.client.HTTPConnection("127.0.0.1", self._port)) as connection:
            connection.request("GET", path, headers={"Cookie": self._cookie} if self._cookie else {})
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def send(self, report: bytes) -> str:
        """Send a report and return the address of its preview."""
        with closing(http.client.HTTPConnection("127.0.0.1", self._port)) as connection:
            connection.request("GET", "/director/previews/new", headers={"Cookie": self._cookie})
            page = connection.getresponse().read().decode()
            token = re.search(r'name="csrf" value="(\w+)"', page)
            assert token is not None, page  # noqa: S101 - every form has it
            parts = [
                b'Content-Disposition: form-data; name="csrf"\r\n\r\n' + token[1].encode(),
                b'Content-Disposition: form-data; name="file"; filename="report.json"\r\n'
                b"Content-Type: application/json\r\n\r\n" + report,
            ]
            body = b"".join(b"--limit\r\n" + part + b"\r\n" for part in parts) + b"--limit--\r\n"
            headers = {
                "Cookie": self._cookie,
                "Content-Type": "multipart/form-data; boundary=limit",
                "Sec-Fetch-Site": "same-origin",
            }
            connection.request("POST", "/director/previews", body, headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status != SEE_OTHER:
                raise SystemExit(f"The report was not taken: {answer.status}")
            return answer.headers["Location"]


class Attacker(Thread):
    """Asks for one page again and again."""

    def __init__(self, port: int, cookie: str, path: str, stop: Event) -> None:
        super().__init__(daemon=True)
        self.client, self.path, self.stop = Asking(port, cookie), path, stop
        self.took: list[float] = []

    def run(self) -> None:
        """Ask until told to stop."""
        while not self.stop.is_set():
            begun = time.perf_counter()
            self.client.get(self.path)
            self.took.append(time.perf_counter() - begun)


def waits(
    port: int, players: Sequence[str], clients: Sequence[Attacker] | None
) -> tuple[list[float], list[float]]:
    """Return what requests to ``/health`` and for players took, in milliseconds, until each client had an answer."""
    client = Asking(port)
    health: list[float] = []
    pages: list[float] = []
    for number, player in enumerate(players):
        done = clients is None or all(attacker.took for attacker in clients)
        if number >= AT_LEAST and done:
            break
        for path, took in (("/health", health), (f"/players/{player}", pages)):
            begun = time.perf_counter()
            if client.get(path) != SEEN:
                raise SystemExit(f"{path} was not answered.")
            took.append(1000 * (time.perf_counter() - begun))
    return health, pages


def shown(name: str, them: tuple[list[float], list[float]]) -> None:
    """Print a line of the table."""
    figures = (f"{median(one):.1f} {quantiles(one, n=20)[-1]:.1f} {max(one):.1f}" for one in them)
    print(f"{name:<44}" + "".join(f"{one:>22}" for one in figures), flush=True)


if __name__ == "__main__":
    main()
