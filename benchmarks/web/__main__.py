"""What pages of a large book cost: CPU of the server for each request, and how long requests take at a steady rate.

* CPU is the time of the server's process, divided by the requests: of three batches, the one with the least. Pages
  that are *not cached* were not asked for before under this name of the server, *unchanged* ones are answered 304.
* Latency is that of an open loop: requests are sent at their moments, whether earlier ones were answered or not, by
  this process, to two of the server. It is only worth something on a machine that does nothing else.
* A ratio compares with ``/health``, which reads one row, and so with what the libraries cost.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import time
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

from benchmarks.web.books import postgresql_book, sqlite_book, subjects_of
from benchmarks.web.server import Server, serving

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.web.books import Subjects

ROOT = Path(__file__).resolve().parent.parent.parent
TYPICAL = 2_000
"""Players among whom the typical ones are drawn: from the middle of those who play."""
ENOUGH = 200
BATCHES = 3
SECONDS, RATE = 20, 50
OK, FOUND, UNCHANGED = 200, 303, 304
AIMS = {
    "player, not cached": 4.0,
    "player, cached": 1.0,
    "player, unchanged": 1.0,
    "busiest player": 60.0,
    "busiest player's opponents": 30.0,
    "head to head": 15.0,
    "ranking of a state": 60.0,
    "explanation": 60.0,
}
"""The most milliseconds of CPU."""


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the ledger (default: 1000000)")
    parser.add_argument("--postgresql", metavar="URL", help="use a database of this server, not a file")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "bench-web", help="where books are kept"
    )
    parser.add_argument("--no-latency", action="store_true", help="measure CPU alone")
    parser.add_argument("--json", action="store_true", dest="as_json")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    book = (
        postgresql_book(options.postgresql, options.rows)
        if options.postgresql
        else sqlite_book(options.folder, options.rows)
    )
    with book as place:
        subjects = subjects_of(place)
        cpu = dict(costs(place, subjects))
        waits = {} if options.no_latency else dict(latencies(place, subjects))
    if options.as_json:
        print(json.dumps({"cpu_milliseconds": cpu, "latency_milliseconds": waits}))
        return
    print(f"{'CPU of the server, ms':<40}{'a request':>10}{'to /health':>12}{'aim':>8}")
    for name, figure in cpu.items():
        aim = f"{AIMS[name]:.0f}" if name in AIMS else ""
        print(f"{name:<40}{figure:>10.2f}{figure / cpu['health']:>12.1f}{aim:>8}")
    for name, figure in waits.items():
        print(f"{name:<40}{figure:>10.1f}")


def costs(place: str, subjects: Subjects) -> Iterator[tuple[str, float]]:
    """Yield the milliseconds of CPU that each kind of page costs."""
    chance = Random(1)
    middle = len(subjects.players) // 2
    typical = subjects.players[middle - TYPICAL // 2 : middle + TYPICAL // 2]
    drawn = chance.sample(typical, min(ENOUGH + ENOUGH // 2, len(typical)))
    warm, drawn = drawn[ENOUGH:], drawn[:ENOUGH]
    busiest = subjects.players[0]
    member, event, number = subjects.explained
    parts = [
        a + b for a in ("BADO", "KELI", "MUNA", "PORE", "SITU") for b in ("BA", "DO", "KE", "LI", "MU", "NA")
    ]
    many = range(1, 13)
    with serving(place) as server, asking(server) as ask:
        for player in warm:
            ask(f"/players/{player}")
            ask(f"/api/v1/players/{player}")
            ask(f"/api/v1/players/{player}/history")
        for path in ("/health", "/rankings/regular", "/events", "/", f"/events/{subjects.event}"):
            ask(path)

        def cost(paths: Iterable[str], *, tagged: bool = False) -> float:
            asked, least = list(paths), float("inf")
            # Others on the machine only ever add to the time.
            for part in (asked[start::BATCHES] for start in range(BATCHES)):
                before = server.seconds()
                for path in part:
                    ask(path, tagged=tagged)
                least = min(least, (server.seconds() - before) / len(part))
            return 1000 * least

        yield "health", cost(["/health"] * ENOUGH)
        pages = [f"/players/{one}" for one in drawn]
        yield "player, not cached", cost(pages)
        yield "player, cached", cost(pages)
        yield "player, unchanged", cost(pages, tagged=True)
        # A page that is asked for under another name of the server is made anew.
        yield "busiest player", cost(fresh(f"/players/{busiest}", many))
        yield "busiest player's history", cost(fresh(f"/players/{busiest}/history", many))
        yield "busiest player's opponents", cost(fresh(f"/players/{busiest}/opponents", many))
        yield "head to head", cost(fresh(f"/players/{busiest}/against/{subjects.opponent}", many))
        yield "explanation", cost(fresh(f"/players/{member}/why/{event}/{number}", many))
        yield "search by part of a name", cost(f"/players?q={one}" for one in parts)
        yield "search by two parts", cost(f"/players?q={quote(f'{one[:4]} {one[4:]}')}" for one in parts)
        yield "search by id", cost(f"/players?q={one}" for one in drawn[:50])
        yield "ranking", cost(fresh("/rankings/regular", many))
        yield "ranking of a state", cost(f"/rankings/regular?state={one}" for one in ("CA", "NY", "TX", "OH"))
        yield "event", cost(fresh(f"/events/{subjects.event}", many))
        yield "crosstable", cost(fresh(f"/events/{subjects.event}/1", many))
        yield "API, player", cost(f"/api/v1/players/{one}" for one in drawn)
        yield "API, history", cost(f"/api/v1/players/{one}/history" for one in drawn)


def fresh(path: str, times: Iterable[int]) -> list[str]:
    """Return a path as often as it is to be asked for, each time in another case of the server's name."""
    return [f"{path}#{number}" for number in times]


class Asking:
    """A client that keeps its connection, and the tags of what it has."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._port = port
        self._tags: dict[str, str] = {}

    def __call__(self, path: str, *, tagged: bool = False) -> None:
        """Ask for a page; with *tagged*, for one that is there already."""
        address, _, name = path.partition("#")
        # Ports of the Host header tell pages apart that are kept, and are not looked at otherwise.
        host = f"127.0.0.1:{name}" if name else f"127.0.0.1:{self._port}"
        headers = {"Host": host, "Accept": "*/*", "Accept-Encoding": "gzip"}
        if tagged:
            headers["If-None-Match"] = self._tags[path]
        self._connection.request("GET", address, headers=headers)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status not in ((UNCHANGED,) if tagged else (OK, FOUND)):
            raise SystemExit(f"{path}: {answer.status}")
        self._tags[path] = answer.headers.get("ETag", "")

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


@contextmanager
def asking(server: Server) -> Iterator[Asking]:
    """Give a client of a server that is up."""
    client = Asking(server.port)
    try:
        yield client
    finally:
        client.close()


def latencies(place: str, subjects: Subjects) -> Iterator[tuple[str, float]]:
    """Yield what half and 99 of 100 requests take at a steady rate, from two processes."""
    chance = Random(2)
    players = subjects.players
    summed = list(accumulate(1 / (number + 30) for number in range(len(players))))
    drawn = chance.choices(players, cum_weights=summed, k=SECONDS * RATE)
    with serving(place, processes=2) as server:
        with asking(server) as ask:
            for one in players[:20]:
                ask(f"/players/{one}")
        taken = sorted(asyncio.run(_steadily(server.port, [f"/players/{one}" for one in drawn])))
    for part in (50, 99):
        yield f"p{part} at {RATE} players a second, ms", 1000 * taken[len(taken) * part // 100]


async def _steadily(port: int, paths: Sequence[str]) -> list[float]:
    begun = time.perf_counter() + 0.1

    async def ask(number: int, path: str) -> float:
        due = begun + number / RATE
        await asyncio.sleep(due - time.perf_counter())
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        writer.write(request.encode())
        answer = await reader.read()
        writer.close()
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(answer[:100])
        return time.perf_counter() - due

    return await asyncio.gather(*(ask(number, path) for number, path in enumerate(paths)))


if __name__ == "__main__":
    main()
