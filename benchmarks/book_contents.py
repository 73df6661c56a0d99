"""Large books for benchmarks and tests, made by bulk inserts."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from sqlalchemy import func, insert, literal, select

from ratebook.book import schema
from ratebook.book.columns import place_of
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.ledger.read import RuleSets
from ratebook.book.ledger.runs import begin_run, end_run
from ratebook.book.profile import read_federation
from ratebook.model import System

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from ratebook.book.connection import Actor, Book

FIRST_ID = 90_000_001
FIRST_DAY = date(2010, 1, 2)
PLAYERS = 20
"""In each section of a large book."""

ROUNDS = 4
SECTIONS_AT_ONCE = 500
MONTHS_LISTED = 24
WEEK = timedelta(days=7)
STATES = ("CA", "NY", "TX", "OH", "WA")
SURNAMES, GIVEN = ("BA", "DO", "KE", "LI", "MU", "NA", "PO", "RE", "SI", "TU"), ("EXA", "EXO", "AXI", "OXE")


class Crowd(NamedTuple):
    """Who plays in which section of a large book.

    Attributes:
        members: how many there are, a multiple of 20.
        uneven: whether few play most, as people do; otherwise each plays in every ``members / 20``-th section.
        first: the number that makes the first id.
    """

    members: int
    uneven: bool = False
    first: int = FIRST_ID

    def id(self, number: int) -> str:
        """Return the id of a member, counted from 0."""
        return str(self.first + number)

    def name(self, number: int) -> str:
        """Return an invented name; the names of an uneven crowd have parts in common."""
        if not self.uneven:
            return f"EXAMPLE, PLAYER {self.id(number)}"
        chance = Random(number)
        surname = "".join(chance.choice(SURNAMES) for _ in range(3)) + chance.choice(GIVEN)
        return f"{surname}, {chance.choice(SURNAMES)}{chance.choice(SURNAMES)}{chance.choice(GIVEN)}"

    def sections(self, count: int) -> list[list[str]]:
        """Return the ids of the players of each of so many sections."""
        if not self.uneven:
            return [
                [self.id((number * PLAYERS + seat) % self.members) for seat in range(PLAYERS)]
                for number in range(count)
            ]
        # The weights of Zipf and Mandelbrot: of 50,000 sections the busiest of 100,000 members plays in some 1,700.
        chance = Random(1)
        summed = list(accumulate((number + 30) ** -0.8 for number in range(self.members)))
        everyone = range(self.members)
        drawn = []
        for _ in range(count):
            players: dict[int, None] = {}
            while len(players) < PLAYERS:
                players.update(dict.fromkeys(chance.choices(everyone, cum_weights=summed, k=PLAYERS)))
            drawn.append([self.id(number) for number in list(players)[:PLAYERS]])
        return drawn


def fill_large_book(book: Book, actor: Actor, *, ledger_rows: int, crowd: Crowd, listed: int = 2010) -> None:
    """Fill *book* with a history of one section after the other, by bulk inserts; nothing of it was ever rated.

    Each section has 20 players and 4 rounds. One row in twenty has given way to a later one. Official lists hold all
    members for two years.

    Args:
        book: new and empty.
        actor: who is noted as having done it.
        ledger_rows: how many rows the ledger gets, closed ones included.
        crowd: who plays.
        listed: the first year with official lists.
    """
    with book.writing() as connection:
        _write_people(connection, crowd)
        federation = read_federation(connection)
        run = begin_run(connection, "rate", actor, federation.rulebook_id, "0")
        rules = RuleSets().store(connection, federation.rulebook.in_force(System.REGULAR, FIRST_DAY))
        connection.execute(insert(schema.submissions).values(_submission(actor)))
        sections = crowd.sections(ledger_rows // (PLAYERS + 1))
        for start in range(0, len(sections), SECTIONS_AT_ONCE):
            _write_sections(connection, (run, rules), start, sections[start : start + SECTIONS_AT_ONCE])
        _write_games(connection)
        _write_lists(connection, actor, crowd, listed)
        end_run(connection, run, actor.at)
        if book.on_server:
            # It counts only what it has numbered itself.
            for table in (schema.submissions, schema.sections, schema.postings):
                counted = func.setval(func.pg_get_serial_sequence(table.name, "id"), func.max(table.c.id))
                connection.execute(select(counted))
    if book.on_server:
        # A server counts its rows by itself after a while; in a file no one does.
        with book.engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
            connection.commit()


def _write_people(connection: Connection, crowd: Crowd) -> None:
    everyone = range(crowd.members)
    write_members(
        connection,
        (
            MemberFacts(
                crowd.id(one), crowd.name(one), date(1980, 1, 1), state=STATES[one % len(STATES)], club="CLUB"
            )
            for one in everyone
        ),
    )
    connection.execute(
        insert(schema.memberships),
        [
            {"member_id": crowd.id(one), "starts": FIRST_DAY, "expires": date(2099, 12, 31)}
            for one in everyone
        ],
    )


def _submission(actor: Actor) -> dict[str, object]:
    return {
        "id": 1,
        "event_id": "none",
        "event_name": "NONE",
        "status": "rated",
        "source_name": "none",
        "received": FIRST_DAY,
        "submitted_by": actor.name,
        "submitted_at": actor.at,
        "report": "",
        "stated": "{}",
        "content_hash": "",
        "roster_hash": "",
    }


def _write_sections(
    connection: Connection, rated_by: tuple[int, str], start: int, seated: Sequence[Sequence[str]]
) -> None:
    """Write sections from a number on (each its own event) with everything that a rated section has."""
    events, sections, postings = [], [], []
    entries: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for number, players in enumerate(seated, start=start):
        day = FIRST_DAY + number // 10 * timedelta(days=1)
        event = f"{day:%Y%m%d}{number % 10 + 1:04d}"
        place = place_of(day, event, 1)
        events.append(
            {
                "id": event,
                "name": f"EXAMPLE OPEN {number}",
                "start": day,
                "end": day,
                "city": "",
                "state": "",
                "country": "",
                "affiliate": "",
                "chief_td": "",
                "submission_id": 1,
            }
        )
        sections.append(
            {
                "id": number + 1,
                "event_id": event,
                "number": 1,
                "place": place,
                "name": "OPEN",
                "start": day,
                "end": day,
                "time_control": "G/90;d5",
                "type": "swiss",
                "online": False,
                "half_k": False,
                "youth": False,
                "withdrawn": False,
            }
        )
        postings.append(
            {
                "id": number + 1,
                "run_id": rated_by[0],
                "section_id": number + 1,
                "system": "regular",
                "place": place,
                "dual_rated": False,
                "withdrawn": False,
                "rules": rated_by[1],
                "input_hash": f"{number:032d}",
            }
        )
        entries += [
            {"section_id": number + 1, "seat": seat, "member_id": one, "name": "", "update": False}
            for seat, one in enumerate(players, start=1)
        ]
        rows += [_row(number, one, place) for one in players]
        rows.append({**_row(number, players[0], place), "superseded_by": number + 1})
    connection.execute(insert(schema.events), events)
    connection.execute(insert(schema.sections), sections)
    connection.execute(insert(schema.postings), postings)
    connection.execute(insert(schema.entries), entries)
    connection.execute(insert(schema.ledger), rows)


def _write_games(connection: Connection) -> None:
    """Write the games of the first section, and let the store copy them into all the others."""
    games, sections = schema.games, schema.sections
    first = []
    for seat in range(1, PLAYERS + 1):
        opponents = [((seat - 1) ^ at) + 1 for at in range(1, ROUNDS)]
        opponents.append((seat - 1 + PLAYERS // 2) % PLAYERS + 1)
        first += [
            {
                "section_id": 1,
                "seat": seat,
                "round": at,
                "result": "W" if seat < opponent else "L",
                "opponent": opponent,
                "colour": "",
            }
            for at, opponent in enumerate(opponents, start=1)
        ]
    connection.execute(insert(games), first)
    copied = [games.c[name] for name in ("seat", "round", "result", "opponent", "colour")]
    connection.execute(
        insert(games).from_select(
            ["section_id", *(column.name for column in copied)],
            select(sections.c.id, *copied).join_from(
                games, sections, (games.c.section_id == 1) & (sections.c.id > 1)
            ),
        )
    )


def _row(number: int, member: str, place: str) -> dict[str, object]:
    rating = 800.0 + crc32(member.encode()) % 1500 + number % 60
    return {
        "posting_id": number + 1,
        "section_id": number + 1,
        "member_id": member,
        "system": "regular",
        "place": place,
        "source": "rated",
        "rating_before": rating,
        "games_before": 30.0,
        "rating": rating + 1.5,
        "games": 34.0,
        "record": None,
        "floors": "",
        "played": ROUNDS,
        "formula": "standard",
        "effective_games": 30.0,
        "score": 2.0,
        "expected": 1.9,
        "step5": rating + 1.5,
        "superseded_by": None,
    }


def _write_lists(connection: Connection, actor: Actor, crowd: Crowd, listed: int) -> None:
    lists = [f"{listed + month // 12}-{month % 12 + 1:02d}" for month in range(MONTHS_LISTED)]
    connection.execute(
        insert(schema.published_lists),
        [
            {
                "id": name,
                "cut_off": date(listed, 1, 2) + month * 4 * WEEK,
                "published_by": actor.name,
                "published_at": actor.at,
                "least_games": 4,
                "digest": "",
            }
            for month, name in enumerate(lists)
        ],
    )
    members = schema.members.c.id
    held = (members >= crowd.id(0)) & (members <= crowd.id(crowd.members - 1))
    for name in lists:
        rated = select(literal(name), members, literal("regular"), literal(1500)).where(held)
        columns = ["list_id", "member_id", "system", "rating"]
        connection.execute(insert(schema.published_ratings).from_select(columns, rated))
