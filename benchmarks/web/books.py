"""The large books that are served: an uneven crowd's history, and an invented federation that was really rated."""

from __future__ import annotations

import sys
import time
from contextlib import closing, contextmanager
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.book_contents import PLAYERS, Crowd, fill_large_book
from benchmarks.rerating import write_people
from sqlalchemy import create_engine, func, make_url, select, text

from ratebook.book import schema
from ratebook.book.connection import VERSION, Actor, Book, open_any_version, open_book, version_of
from ratebook.book.profile import Profile
from ratebook.demo.build import build_federation
from ratebook.formats.native.write import write
from ratebook.office.creation import create_book, upgrade_book
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.reports.load import load_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACTOR = Actor("benchmark", "2026-11-20T12:00:00Z")
FIRST = 50_000_001
AFTER = date(2024, 1, 1)
"""The crowd's sections end before; the invented federation plays from then on."""
LISTED = 2023
"""Official lists of two years, the last one of `TODAY`."""
TODAY = date(2024, 12, 15)
"""The day on which the pages are read."""


class Subjects(NamedTuple):
    """What the pages are about.

    Attributes:
        players: ids in the order of how much they play, the busiest first.
        event: the newest event of the crowd.
        explained: member, event and section of a rating that was really computed.
        opponent: one whom the busiest played.
    """

    players: tuple[str, ...]
    event: str
    explained: tuple[str, str, int]
    opponent: str


@contextmanager
def sqlite_book(folder: Path, rows: int) -> Iterator[str]:
    """Give the path of a book of so many ledger rows, made if *folder* has none."""
    path = folder / f"{rows}.book"
    if not path.exists():
        making = folder / f"{rows}.making"
        for one in folder.glob(f"{making.name}*"):
            one.unlink()
        _fill(str(making), rows)
        making.rename(path)
    _upgrade(str(path))
    yield str(path)


@contextmanager
def postgresql_book(server: str, rows: int) -> Iterator[str]:
    """Give the address of a book of so many ledger rows in a database of its own on *server*, made if need be."""
    name = f"ratebook_bench_{rows}"
    admin = make_url(server).set(drivername="postgresql+psycopg")
    engine = create_engine(admin, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        databases = connection.execute(
            text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}
        )
        exists = databases.first() is not None
        if not exists:
            connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    place = make_url(server).set(database=name).render_as_string(hide_password=False)
    if not exists:
        _fill(place, rows)
    _upgrade(place)
    yield place


def _upgrade(place: str) -> None:
    """Bring a book that an earlier version of the program made to the tables of this one."""
    with closing(open_any_version(place)) as book:
        with book.reading() as connection:
            if version_of(connection) == VERSION:
                return
        upgrade_book(place, ACTOR)
        _tidy(book)


def _fill(place: str, rows: int) -> None:
    begun = time.perf_counter()
    with closing(create_book(place, Profile(name="Example Federation"), ACTOR)) as book:
        crowd = Crowd(max(rows // 200 * 20, 40), uneven=True, first=FIRST)
        fill_large_book(book, ACTOR, ledger_rows=rows, crowd=crowd, listed=LISTED)
        federation = build_federation(60, 1, AFTER, seed=1)
        write_people(book, federation, ACTOR)
        for arrival in federation.arrivals:
            data = write(arrival.report).files["report.json"]
            name = f"{arrival.report.event.id}.json"
            loaded = load_bytes(data, name, received=arrival.received)
            submit(book, Incoming(loaded, name, arrival.received, accepted=["all"]), ACTOR)
        rate_ready(book, ACTOR)
        _tidy(book)
    print(f"Made a book of {rows:,} rows in {time.perf_counter() - begun:.0f} s.", file=sys.stderr)


def _tidy(book: Book) -> None:
    """Let a server look at its tables again, as it does by itself in the long run; a file is never looked at."""
    if book.on_server:
        with book.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")


def subjects_of(place: str) -> Subjects:
    """Return what to ask for in a book."""
    with closing(open_book(place, read_only=True)) as book, book.reading() as connection:
        ledger, sections, entries = schema.ledger, schema.sections, schema.entries
        rows = func.count().label("rows")
        crowd = ledger.c.member_id < str(90_000_000)
        by_rows = select(ledger.c.member_id, rows).where(crowd).group_by(ledger.c.member_id)
        players = connection.execute(by_rows.order_by(rows.desc(), ledger.c.member_id)).scalars().all()
        event = connection.execute(
            select(sections.c.event_id)
            .where(sections.c.end < AFTER)
            .order_by(sections.c.place.desc())
            .limit(1)
        ).scalar_one()
        explained = connection.execute(
            select(ledger.c.member_id, sections.c.event_id, sections.c.number)
            .join_from(ledger, sections, sections.c.id == ledger.c.section_id)
            .where(ledger.c.member_id > str(90_000_000), ledger.c.source == "rated")
            .order_by(ledger.c.played.desc(), ledger.c.id.desc())
            .limit(1)
        ).one()
        beside = entries.alias()
        opponent = connection.execute(
            select(beside.c.member_id)
            .join_from(entries, beside, (beside.c.section_id == entries.c.section_id))
            .where(
                entries.c.member_id == players[0], func.abs(beside.c.seat - entries.c.seat) == PLAYERS // 2
            )
            .limit(1)
        ).scalar_one()
    return Subjects(tuple(players), event, (explained[0], explained[1], explained[2]), opponent)
