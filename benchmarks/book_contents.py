"""Large books for benchmarks and tests, made by bulk inserts."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from ratebook.book import schema
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.book.ledger.runs import begin_run, end_run
from ratebook.book.profile import read_federation
from ratebook.book.schema import place_of

if TYPE_CHECKING:
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


def fill_large_book(book: Book, actor: Actor, *, ledger_rows: int, members: int) -> None:
    """Fill *book* with a history of one section after the other, by bulk inserts; nothing of it was ever rated.

    Each section has 20 players and 4 rounds, each member plays in every ``members / 20``-th section. One row in
    twenty has given way to a later one. Official lists hold all members for two years.

    Args:
        book: new and empty.
        actor: who is noted as having done it.
        ledger_rows: how many rows the ledger gets, closed ones included.
        members: how many members there are, a multiple of 20.
    """
    with book.writing() as connection:
        _write_people(connection, members)
        rulebook = read_federation(connection).rulebook_id
        run = begin_run(connection, "rate", actor, rulebook, "0")
        connection.execute(insert(schema.rule_sets).values(fingerprint="none", numbers="{}"))
        connection.execute(insert(schema.submissions).values(_submission(actor)))
        sections = ledger_rows // (PLAYERS + 1)
        for start in range(0, sections, SECTIONS_AT_ONCE):
            _write_sections(connection, run, range(start, min(start + SECTIONS_AT_ONCE, sections)), members)
        _write_games(connection)
        _write_lists(connection, actor, members)
        end_run(connection, run, actor.at)
    with book.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        connection.commit()


def member_at(number: int) -> str:
    """Return the id of a member of a large book, counted from 0."""
    return str(FIRST_ID + number)


def _write_people(connection: Connection, members: int) -> None:
    everyone = [member_at(number) for number in range(members)]
    write_members(
        connection, (MemberFacts(one, f"EXAMPLE, PLAYER {one}", date(1980, 1, 1)) for one in everyone)
    )
    connection.execute(
        insert(schema.memberships),
        [{"member_id": one, "starts": FIRST_DAY, "expires": date(2099, 12, 31)} for one in everyone],
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


def _write_sections(connection: Connection, run: int, numbers: range, members: int) -> None:
    """Write the sections of *numbers* (each its own event) with everything that a rated section has."""
    events, sections, postings = [], [], []
    entries: list[dict[str, object]] = []
    rows: list[dict[str, object]] = []
    for number in numbers:
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
                "run_id": run,
                "section_id": number + 1,
                "system": "regular",
                "place": place,
                "dual_rated": False,
                "withdrawn": False,
                "rules": "none",
                "input_hash": f"{number:032d}",
            }
        )
        players = [member_at((number * PLAYERS + seat) % members) for seat in range(PLAYERS)]
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
        opponent = ((seat - 1) ^ 1) + 1
        letter = "W" if seat < opponent else "L"
        first += [
            {"section_id": 1, "seat": seat, "round": at, "result": letter, "opponent": opponent, "colour": ""}
            for at in range(1, ROUNDS + 1)
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
    rating = 1500.0 + number % 100
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


def _write_lists(connection: Connection, actor: Actor, members: int) -> None:
    for month in range(MONTHS_LISTED):
        name = f"{2010 + month // 12}-{month % 12 + 1:02d}"
        connection.execute(
            insert(schema.published_lists).values(
                id=name,
                cut_off=FIRST_DAY + month * 4 * WEEK,
                published_by=actor.name,
                published_at=actor.at,
                least_games=4,
                digest="",
            )
        )
        connection.execute(
            insert(schema.published_ratings),
            [
                {
                    "list_id": name,
                    "member_id": member_at(number),
                    "system": "regular",
                    "rating": 1500,
                    "provisional_games": None,
                }
                for number in range(members)
            ],
        )
