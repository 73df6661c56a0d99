"""Reading and writing the ledger: postings, their rows, and where members stand at a place of history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, bindparam, insert, select, union_all, update

from ratebook.book import schema
from ratebook.book.dossiers import batches
from ratebook.book.rows import LedgerRow, Standing, end_of_place, standing_of
from ratebook.model import EarlierMatch, System
from ratebook.rules.rulebook import as_json, fingerprint, rules_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row, ScalarSelect, Select

    from ratebook.rules.in_force import RulesInForce

ledger = schema.ledger
postings = schema.postings
CURRENT = ledger.c.superseded_by.is_(None)
ROW_COLUMNS = [ledger.c[name] for name in LedgerRow._fields]


class Posting(NamedTuple):
    """A section rated in one system, as stored.

    Attributes:
        rows: the current rows of its section and system by member, whichever posting wrote them.
    """

    id: int
    place: str
    dual_rated: bool
    rules: str | None
    input_hash: str
    rows: Mapping[str, LedgerRow]


class NewPosting(NamedTuple):
    """A section rated in one system, to be stored."""

    run: int
    section: int
    system: System
    place: str
    dual_rated: bool
    rules: str | None
    input_hash: str
    withdrawn: bool = False


def load_standings(
    connection: Connection, members: Sequence[str], place: str
) -> dict[str, dict[System, Standing]]:
    """Return where *members* stand before *place*, by system, from current rows; opening balances are not looked at."""
    found: dict[str, dict[System, Standing]] = {member: {} for member in members}
    for batch in batches(members):
        for row in connection.execute(_STANDINGS, {"ids": batch, "before": place}):
            system = System(row.system)
            found[row.member_id][system] = standing_of(row, system, row.place)
    return found


def _newest_before(system: System) -> ScalarSelect[int]:
    other = ledger.alias()
    return (
        select(other.c.id)
        .where(
            other.c.member_id == schema.members.c.id,
            other.c.system == system.value,
            other.c.superseded_by.is_(None),
            other.c.place < bindparam("before"),
        )
        .order_by(other.c.place.desc())
        .limit(1)
        .correlate(schema.members)
        .scalar_subquery()
    )


def _standings() -> Select[tuple[object, ...]]:
    members = schema.members.c.id
    ids = union_all(
        *(
            select(_newest_before(system).label("id")).where(members.in_(bindparam("ids", expanding=True)))
            for system in System
        )
    ).subquery()
    return select(ledger.c.system, ledger.c.place, *ROW_COLUMNS).where(ledger.c.id.in_(select(ids.c.id)))


_STANDINGS = _standings()
"""The newest current rows of members before a place: one step into an index for each member and system.

It is built once, since building it takes longer than answering it.
"""


def load_matches(connection: Connection, members: Sequence[str], place: str) -> dict[str, list[EarlierMatch]]:
    """Return the rating changes of the matches that *members* played before *place*, in the order of history."""
    found: dict[str, list[EarlierMatch]] = {member: [] for member in members}
    for batch in batches(members):
        rows = connection.execute(
            select(ledger.c.member_id, ledger.c.system, ledger.c.place, ledger.c.match_change)
            .where(
                CURRENT,
                ledger.c.member_id.in_(batch),
                ledger.c.place < place,
                ledger.c.match_change.is_not(None),
            )
            .order_by(ledger.c.place)
        )
        for row in rows:
            found[row.member_id].append(
                EarlierMatch(System(row.system), end_of_place(row.place), row.match_change)
            )
    return found


def load_postings(connection: Connection, section: int) -> dict[System, Posting]:
    """Return what is current of a section, in the order of the systems."""
    found: dict[System, dict[str, LedgerRow]] = {}
    for row in connection.execute(_ROWS_OF_SECTION, {"section": section}):
        found.setdefault(System(row.system), {})[row.member_id] = LedgerRow._make(row[1:])
    current = connection.execute(_POSTINGS_OF_SECTION, {"section": section})
    posted = {
        System(row.system): Posting(
            row.id, row.place, row.dual_rated, row.rules, row.input_hash, found.get(System(row.system), {})
        )
        for row in current
    }
    return {system: posted[system] for system in System if system in posted}


_ROWS_OF_SECTION = (
    select(ledger.c.system, *ROW_COLUMNS)
    .where(CURRENT, ledger.c.section_id == bindparam("section"))
    .order_by(ledger.c.id)
)
_POSTINGS_OF_SECTION = select(postings).where(
    postings.c.section_id == bindparam("section"),
    postings.c.superseded_by.is_(None),
    postings.c.withdrawn.is_(False),
)


def post(
    connection: Connection,
    new: NewPosting,
    rows: Iterable[LedgerRow],
    *,
    supersedes: int | None = None,
    closed: Sequence[str] = (),
) -> int:
    """Add a posting and its rows; return its number.

    Args:
        connection: the writer's.
        new: the section in one system.
        rows: the rows that are new or have changed.
        supersedes: the posting that it takes the place of (`current_posting`).
        closed: members whose current rows of this section and system end here.
    """
    number = int(
        connection.execute(
            _NEW_POSTING,
            {
                "run_id": new.run,
                "section_id": new.section,
                "system": new.system.value,
                "place": new.place,
                "dual_rated": new.dual_rated,
                "withdrawn": new.withdrawn,
                "rules": new.rules,
                "input_hash": new.input_hash,
                # The new posting becomes the current one when the one before has given way.
                "superseded_by": supersedes,
            },
        ).scalar_one()
    )
    if supersedes is not None:
        connection.execute(update(postings).where(postings.c.id == supersedes).values(superseded_by=number))
        connection.execute(update(postings).where(postings.c.id == number).values(superseded_by=None))
    for batch in batches(closed):
        connection.execute(
            update(ledger)
            .where(
                CURRENT,
                ledger.c.section_id == new.section,
                ledger.c.system == new.system.value,
                ledger.c.member_id.in_(batch),
            )
            .values(superseded_by=number)
        )
    shared = {
        "posting_id": number,
        "section_id": new.section,
        "system": new.system.value,
        "place": new.place,
    }
    values = [row._asdict() | shared for row in rows]
    if values:
        connection.execute(_NEW_ROWS, values)
    return number


_NEW_POSTING = insert(postings).returning(postings.c.id)
_NEW_ROWS = insert(ledger)


def current_posting(connection: Connection, section: int, system: System) -> int | None:
    """Return the posting that is current of a section in a system, one that withdrew it included."""
    return connection.execute(
        select(postings.c.id).where(
            postings.c.section_id == section,
            postings.c.system == system.value,
            postings.c.superseded_by.is_(None),
        )
    ).scalar()


def posted_sections(connection: Connection, event_id: str) -> set[int]:
    """Return the numbers of the sections of an event that are rated."""
    return set(connection.execute(_POSTED_SECTIONS, {"event": event_id}).scalars())


_POSTED_SECTIONS = (
    select(schema.sections.c.number)
    .join_from(postings, schema.sections)
    .where(
        schema.sections.c.event_id == bindparam("event"),
        postings.c.superseded_by.is_(None),
        postings.c.withdrawn.is_(False),
    )
)


class RuleSets:
    """The sets of numbers that rated sections, stored once each.

    One object serves one run: it remembers which fingerprints are stored and computes each once.
    """

    def __init__(self) -> None:
        self._fingerprints: dict[int, tuple[RulesInForce, str]] = {}
        self._stored: set[str] = set()

    def fingerprint(self, rules: RulesInForce) -> str:
        """Return the fingerprint of *rules*."""
        known = self._fingerprints.get(id(rules))
        if known is None:
            # The rules are kept beside their fingerprint: an id is theirs only while they live.
            known = self._fingerprints[id(rules)] = (rules, fingerprint(rules))
        return known[1]

    def store(self, connection: Connection, rules: RulesInForce) -> str:
        """Store *rules* unless they are stored, and return their fingerprint."""
        digest = self.fingerprint(rules)
        if digest in self._stored:
            return digest
        sets = schema.rule_sets
        if connection.execute(select(sets.c.fingerprint).where(sets.c.fingerprint == digest)).first() is None:
            connection.execute(insert(sets).values(fingerprint=digest, numbers=json.dumps(as_json(rules))))
        self._stored.add(digest)
        return digest

    def forget(self) -> None:
        """Forget what is stored: the transaction that stored it did not end."""
        self._stored.clear()


def load_rule_sets(connection: Connection) -> dict[str, RulesInForce]:
    """Return all stored sets of numbers by fingerprint."""
    rows = connection.execute(select(schema.rule_sets))
    return {row.fingerprint: rules_from_json(json.loads(row.numbers)) for row in rows}


def current_rows(connection: Connection, member: str, system: System) -> Sequence[Row[tuple[object, ...]]]:
    """Return the current rows of a member in a system, in the order of history."""
    return connection.execute(
        select(ledger)
        .where(and_(CURRENT, ledger.c.member_id == member, ledger.c.system == system.value))
        .order_by(ledger.c.place)
    ).all()
