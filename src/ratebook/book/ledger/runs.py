"""Rating runs: which program rated on which machine by which rulebook, and when it rated what."""

import platform
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select, update

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import add_linked, note_linked
from ratebook.book.connection import Actor, Connection
from ratebook.book.ledger.read import CURRENT, POSTED
from ratebook.book.ledger.rows import end_of_place
from ratebook.book.profile import rulebook_of_id
from ratebook.model import System
from ratebook.rating.formulas import ARITHMETIC
from ratebook.rules.rulebook import Rulebook

RUNS_LOOKED_AT = 50
POSTINGS_OF_EVENT = 20
"""Where events have more, a few events less are found."""


def platform_name() -> str:
    """Return what the last bits of ratings may depend on: machine, system, Python and the engine's arithmetic."""
    return (
        f"{platform.machine()} {platform.system()} Python {platform.python_version()} arithmetic {ARITHMETIC}"
    )


def begin_run(connection: Connection, kind: str, actor: Actor, rulebook_id: int, engine: str) -> int:
    """Note that a run of a *kind* (``rate``, ``rerate``) has started, and return its number.

    *engine* is the program's version.
    """
    run = {
        "kind": kind,
        "started_at": actor.at,
        "started_by": actor.name,
        "engine": engine,
        "platform": platform_name(),
        "rulebook_id": rulebook_id,
    }
    return add_linked(connection, Linked.RUN, schema.runs, run)


def rulebook_of_run(connection: Connection, run: int) -> Rulebook:
    """Return the rulebook by which a run rated."""
    number = connection.execute(select(schema.runs.c.rulebook_id).where(schema.runs.c.id == run)).scalar_one()
    return rulebook_of_id(connection, int(number))


def platforms(connection: Connection) -> set[str]:
    """Return the platforms on which the book was rated."""
    return set(connection.execute(select(schema.runs.c.platform).distinct()).scalars())


def end_run(connection: Connection, run: int, at: str) -> None:
    """Note that a run has ended."""
    note_linked(connection, Linked.RUN, [run])
    connection.execute(update(schema.runs).where(schema.runs.c.id == run).values(finished_at=at))


class RatedEvent(NamedTuple):
    """An event with the moment when its ratings were computed last."""

    id: str
    name: str
    start: date | None
    end: date
    city: str
    state: str
    sections: int
    rated_at: str


def newly_rated_events(connection: Connection, most: int) -> list[RatedEvent]:
    """Return the events that were rated for the first time last, the newest first."""
    runs, postings, sections, events = schema.runs, schema.postings, schema.sections, schema.events
    newest_runs = select(runs.c.id).where(runs.c.kind == "rate").order_by(runs.c.id.desc())
    newest = (
        select(postings.c.id, postings.c.section_id)
        .where(postings.c.run_id.in_(newest_runs.limit(RUNS_LOOKED_AT)), postings.c.section_id.is_not(None))
        .order_by(postings.c.id.desc())
        .limit(most * POSTINGS_OF_EVENT)
        .subquery()
    )
    ranked = (
        select(sections.c.event_id, func.max(newest.c.id).label("posting"))
        .join_from(newest, sections, sections.c.id == newest.c.section_id)
        .where(sections.c.withdrawn.is_(False))
        .group_by(sections.c.event_id)
        .order_by(func.max(newest.c.id).desc())
        .limit(most)
        .subquery()
    )
    shown = (events.c.id, events.c.name, events.c.start)
    rows = connection.execute(
        select(
            *shown,
            func.max(sections.c.end),
            events.c.city,
            events.c.state,
            func.count(sections.c.id.distinct()),
            func.max(runs.c.started_at),
        )
        .join_from(ranked, events, events.c.id == ranked.c.event_id)
        .join(sections, (sections.c.event_id == events.c.id) & sections.c.withdrawn.is_(False))
        .join(postings, (postings.c.section_id == sections.c.id) & POSTED)
        .join(runs, runs.c.id == postings.c.run_id)
        .group_by(*shown, events.c.city, events.c.state, ranked.c.posting)
        .order_by(ranked.c.posting.desc())
    )
    return [RatedEvent._make(row) for row in rows]


class RatedRow(NamedTuple):
    """Which rating of a member: after a section, or (without one) moved by a decision on a day."""

    end: date
    event_id: str | None
    section: int | None
    system: System


def rated_moments(connection: Connection, member: str, since: date) -> dict[RatedRow, str]:
    """Return when the ratings of a member from a day on were computed."""
    ledger, runs, postings, sections = schema.ledger, schema.runs, schema.postings, schema.sections
    rows = connection.execute(
        select(ledger.c.place, sections.c.event_id, sections.c.number, ledger.c.system, runs.c.started_at)
        .join_from(ledger, postings, postings.c.id == ledger.c.posting_id)
        .join(runs, runs.c.id == postings.c.run_id)
        .outerjoin(sections, sections.c.id == ledger.c.section_id)
        .where(CURRENT, ledger.c.member_id == member, ledger.c.place >= since.isoformat())
    )
    return {RatedRow(end_of_place(row[0]), row[1], row[2], System(row[3])): row[4] for row in rows}
