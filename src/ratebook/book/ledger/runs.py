"""Rating runs: which program rated on which machine by which rulebook."""

import platform

from sqlalchemy import insert, select, update

from ratebook.book import schema
from ratebook.book.connection import Actor, Connection
from ratebook.book.profile import rulebook_of_id
from ratebook.rating.formulas import ARITHMETIC
from ratebook.rules.rulebook import Rulebook


def platform_name() -> str:
    """Return what the last bits of ratings may depend on: machine, system, Python and the engine's arithmetic."""
    return (
        f"{platform.machine()} {platform.system()} Python {platform.python_version()} arithmetic {ARITHMETIC}"
    )


def begin_run(connection: Connection, kind: str, actor: Actor, rulebook_id: int, engine: str) -> int:
    """Note that a run of a *kind* (``rate``, ``rerate``) has started, and return its number.

    *engine* is the program's version.
    """
    return int(
        connection.execute(
            insert(schema.runs)
            .values(
                kind=kind,
                started_at=actor.at,
                started_by=actor.name,
                engine=engine,
                platform=platform_name(),
                rulebook_id=rulebook_id,
            )
            .returning(schema.runs.c.id)
        ).scalar_one()
    )


def rulebook_of_run(connection: Connection, run: int) -> Rulebook:
    """Return the rulebook by which a run rated."""
    number = connection.execute(select(schema.runs.c.rulebook_id).where(schema.runs.c.id == run)).scalar_one()
    return rulebook_of_id(connection, int(number))


def platforms(connection: Connection) -> set[str]:
    """Return the platforms on which the book was rated."""
    return set(connection.execute(select(schema.runs.c.platform).distinct()).scalars())


def end_run(connection: Connection, run: int, at: str) -> None:
    """Note that a run has ended."""
    connection.execute(update(schema.runs).where(schema.runs.c.id == run).values(finished_at=at))
