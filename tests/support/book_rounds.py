"""A book with something of everything in it, made as the office makes it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from sqlalchemy import insert, update

from ratebook.book import schema
from ratebook.book.audit import AuditSubject
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.connection import Actor
from ratebook.book.decisions import Decision, decide
from ratebook.book.facts.members import MemberFacts, write_members
from ratebook.office.publish.lists import publish
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from support.book_reports import add_members, member_id, report, send

if TYPE_CHECKING:
    from ratebook.book.connection import Book

ACTOR = Actor("office", "2026-11-20T12:00:00Z")
SIX_SEATS = ("W4 W2 D3", "W5 L1 H", "D6 W5 D1", "L1 W6 W5", "L2 L3 L4", "D3 L4 B")
"""Three rounds of six seats."""


def work_a_round(book: Book) -> None:
    """Submit, rate, submit late, re-rate and publish; a report of an unknown member stays in the queue.

    One member was merged into another, one has an opening balance, one a membership, one a FIDE rating.
    """
    add_members(book, 8)
    merged = MemberFacts("90000000", "EXAMPLE, ÉLODIE", date(1990, 2, 28))
    with book.writing() as connection:
        write_members(connection, [merged])
        note_linked(connection, Linked.MEMBER, map(member_id, (1, 2, 7)))
        connection.execute(
            update(schema.members).where(schema.members.c.id == "90000000").values(merged_into=member_id(8))
        )
        connection.execute(
            insert(schema.memberships).values(
                member_id=member_id(1), starts=date(2026, 1, 1), expires=date(2026, 12, 31)
            )
        )
        connection.execute(
            insert(schema.external_ratings).values(
                member_id=member_id(2), source="fide", list_date=date(2025, 12, 1), rating=1823.0
            )
        )
        opening = Decision(
            "opening-balance", AuditSubject("member", member_id(7)), "The list of 2025.", member=member_id(7)
        )
        connection.execute(
            insert(schema.opening_balances).values(
                member_id=member_id(7),
                system="regular",
                as_of=date(2025, 12, 31),
                rating=1700.25,
                games=30.0,
                floors="[]",
                decision_id=decide(connection, ACTOR, opening),
            )
        )
    send_one(book, "2026-01-03", (1, 2, 3, 4, 5, 6))
    send_one(book, "2026-01-17", (3, 5, 7, 1, 2, 8), time_control="G/45;d5")
    rate_ready(book, ACTOR)
    send_one(book, "2026-01-10", (8, 6, 4, 2, 1, 3))
    rate_ready(book, ACTOR)
    rerate(book, ACTOR)
    publish(book, "2026-02", date(2026, 11, 20), ACTOR)
    send_one(book, "2026-02-07", (1, 2, 3, 4, 5, 20))


def send_one(book: Book, day: str, players: tuple[int, ...], *, time_control: str = "G/90;d5") -> None:
    """Submit a report of three rounds among six members."""
    send(book, report(day, players, SIX_SEATS, time_control=time_control), ACTOR)
