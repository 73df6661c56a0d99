"""Reading the ledger: postings, their rows, and where members stand at a place of history."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    bindparam,
    func,
    insert,
    select,
    union_all,
)

from ratebook.book import schema
from ratebook.book.chain.contents import Linked
from ratebook.book.chain.links import note_linked
from ratebook.book.facts.member_files import batches, rows_about
from ratebook.book.ledger.rows import LedgerRow, Standing, end_of_place, standing_of
from ratebook.book.profile import stored_rules
from ratebook.book.queries import PreparedQuery
from ratebook.model import EarlierMatch, System
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import fingerprint, rules_from_json, stored_json

ledger = schema.ledger
postings = schema.postings
CURRENT = ledger.c.superseded_by.is_(None)
POSTED = postings.c.superseded_by.is_(None) & postings.c.withdrawn.is_(False)
ROW_COLUMNS = [ledger.c[name] for name in LedgerRow._fields]


class Posting(NamedTuple):
    """A section rated in one system, as stored.

    Attributes:
        run: the run that posted it.
        rows: the current rows of its section and system by member, whichever posting wrote them.
    """

    id: int
    run: int
    place: str
    dual_rated: bool
    rules: str | None
    input_hash: str
    rows: Mapping[str, LedgerRow]


def load_standings(
    connection: Connection, members: Sequence[str], place: str, *, moved: bool = True
) -> dict[str, dict[System, Standing]]:
    """Return the standings of *members* before *place*, by system, from current rows, without opening balances.

    Where they are not *moved*, they are those after sections, without the decisions that moved ratings since.
    """
    standings: dict[str, dict[System, Standing]] = {member: {} for member in members}
    for batch in batches(members):
        for row in connection.execute(_standings(moved=moved), {"ids": batch, "before": place}).all():
            system = System(row.system)
            standings[row.member_id][system] = standing_of(row, system, row.place)
    return standings


def standings_of_rows(connection: Connection, rows: Iterable[int]) -> dict[System, Standing]:
    """Return the standings after some rows of a member, each of another system, by their numbers in the ledger."""
    systems = ((System(row.system), row) for row in _BY_ID.rows(connection, rows=list(rows)))
    return {system: standing_of(row, system, row.place) for system, row in systems}


_STANDING = select(ledger.c.system, ledger.c.place, *ROW_COLUMNS)
_BY_ID = PreparedQuery(_STANDING.where(ledger.c.id.in_(bindparam("rows", expanding=True))))


def _newest_before(member: ColumnElement[str], system: System, *, moved: bool) -> ScalarSelect[int]:
    other = ledger.alias()
    return (
        select(other.c.id)
        .where(
            other.c.member_id == member,
            other.c.system == system.value,
            other.c.superseded_by.is_(None),
            other.c.place < bindparam("before"),
            *(() if moved else (other.c.section_id.is_not(None),)),
        )
        .order_by(other.c.place.desc())
        .limit(1)
        .correlate(member.table)
        .scalar_subquery()
    )


@cache
def _standings(*, moved: bool) -> Select[tuple[object, ...]]:
    """Return the statement for the newest current rows of members before a place.

    It takes one step into an index for each member and system, and is made when it is first needed, since that takes
    as long as loading all other statements.
    """
    members = schema.members.c.id
    players = select(members).where(members.in_(bindparam("ids", expanding=True))).cte("asked")
    ids = union_all(
        *(
            select(_newest_before(players.c.id, system, moved=moved).label("id")).select_from(players)
            for system in System
        )
    ).subquery()
    return _STANDING.where(ledger.c.id.in_(select(ids.c.id)))


def newest_rows(
    columns: Sequence[ColumnElement[Any]], system: System, *wanted: ColumnElement[bool]
) -> Select[tuple[Any, ...]]:
    """Return a statement for each member's newest current row in a system, of those rows that are *wanted*."""
    newest = (
        select(ledger.c.member_id, func.max(ledger.c.place).label("place"))
        .where(CURRENT, ledger.c.system == system.value, *wanted)
        .group_by(ledger.c.member_id)
        .subquery()
    )
    return (
        select(*columns)
        .join_from(
            ledger, newest, (newest.c.member_id == ledger.c.member_id) & (newest.c.place == ledger.c.place)
        )
        .where(CURRENT, ledger.c.system == system.value)
    )


def load_matches(connection: Connection, members: Sequence[str], place: str) -> dict[str, list[EarlierMatch]]:
    """Return the rating changes of the matches that *members* played before *place*, in the order of history."""
    matches: dict[str, list[EarlierMatch]] = {member: [] for member in members}
    for batch in batches(members):
        for row in connection.execute(_MATCHES, {"ids": batch, "before": place}).all():
            matches[row.member_id].append(
                EarlierMatch(System(row.system), end_of_place(row.place), row.match_change)
            )
    return matches


_MATCHES = (
    select(ledger.c.member_id, ledger.c.system, ledger.c.place, ledger.c.match_change)
    .where(
        CURRENT,
        ledger.c.member_id.in_(bindparam("ids", expanding=True)),
        ledger.c.place < bindparam("before"),
        ledger.c.match_change.is_not(None),
    )
    .order_by(ledger.c.place)
)


def rows_of_sections(
    connection: Connection, section_ids: Iterable[int]
) -> dict[int, dict[System, dict[str, LedgerRow]]]:
    """Return the current rows of some sections, by section, system and member."""
    of_sections: dict[int, dict[System, dict[str, LedgerRow]]] = defaultdict(lambda: defaultdict(dict))
    for batch in batches(section_ids):
        for row in connection.execute(_ROWS_OF_SECTIONS, {"sections": batch}).all():
            of_sections[row[0]][System(row[1])][row[2]] = LedgerRow._make(row[2:])
    return of_sections


class CurrentPostings(NamedTuple):
    """What is current of some sections.

    Attributes:
        postings: by section and system, in the order of the systems; withdrawn ones left out.
        numbers: of the current postings by section and system, those that withdrew a section included.
    """

    postings: Mapping[int, Mapping[System, Posting]]
    numbers: Mapping[tuple[int, System], int]


def load_current(connection: Connection, section_ids: Iterable[int]) -> CurrentPostings:
    """Return what is current of some hundred sections."""
    ids = list(section_ids)
    rows = rows_of_sections(connection, ids)
    posted: list[Any] = []
    for batch in batches(ids):
        posted += connection.execute(_POSTINGS_OF_SECTIONS, {"sections": batch}).all()
    current: dict[int, dict[System, Posting]] = {}
    numbers: dict[tuple[int, System], int] = {}
    for row in posted:
        system = System(row.system)
        numbers[row.section_id, system] = row.id
        if not row.withdrawn:
            current.setdefault(row.section_id, {})[system] = Posting(
                id=row.id,
                run=row.run_id,
                place=row.place,
                dual_rated=row.dual_rated,
                rules=row.rules,
                input_hash=row.input_hash,
                rows=rows[row.section_id][system],
            )
    ordered = {
        section: {system: by_system[system] for system in System if system in by_system}
        for section, by_system in current.items()
    }
    return CurrentPostings(ordered, numbers)


_SECTIONS: BindParameter[list[int]] = bindparam("sections", expanding=True)
_ROWS_OF_SECTIONS = (
    select(ledger.c.section_id, ledger.c.system, *ROW_COLUMNS)
    .where(CURRENT, ledger.c.section_id.in_(_SECTIONS))
    .order_by(ledger.c.id)
)
_POSTINGS_OF_SECTIONS = select(postings).where(
    postings.c.superseded_by.is_(None), postings.c.section_id.in_(_SECTIONS)
)


def posted_sections(connection: Connection, event_ids: Iterable[str]) -> set[tuple[str, int]]:
    """Return the sections of some events that are rated, by event and number."""
    of_event = schema.sections.c.event_id
    rows = rows_about(connection, _POSTED_SECTIONS, of_event, event_ids)
    return {(event_id, number) for event_id, number in rows}


_POSTED_SECTIONS = (
    select(schema.sections.c.event_id, schema.sections.c.number)
    .join_from(postings, schema.sections)
    .where(POSTED)
)


def posted_systems(connection: Connection) -> Iterator[tuple[int, System]]:
    """Yield each section, by its number in the store, with each system in which it is posted."""
    for section, system in connection.execute(
        select(postings.c.section_id, postings.c.system).where(POSTED, postings.c.section_id.is_not(None))
    ):
        yield section, System(system)


class RuleSets:
    """The sets of numbers that rated sections, stored once each.

    One object serves one run: it remembers which fingerprints are stored and computes each once.
    """

    def __init__(self) -> None:
        self._fingerprints: dict[int, tuple[RulesInForce, str]] = {}
        self._stored: set[str] = set()

    def fingerprint(self, rules: RulesInForce) -> str:
        """Return the fingerprint of *rules*."""
        entry = self._fingerprints.get(id(rules))
        if entry is None:
            # The rules are kept beside their fingerprint: an id is theirs only while they live.
            entry = self._fingerprints[id(rules)] = (rules, fingerprint(rules))
        return entry[1]

    def store(self, connection: Connection, rules: RulesInForce) -> str:
        """Store *rules* unless they are stored, and return their fingerprint."""
        digest = self.fingerprint(rules)
        if digest in self._stored:
            return digest
        sets = schema.rule_sets
        if connection.execute(select(sets.c.fingerprint).where(sets.c.fingerprint == digest)).first() is None:
            note_linked(connection, Linked.RULES, [digest])
            connection.execute(
                insert(sets).values(fingerprint=digest, numbers=json.dumps(stored_json(rules)))
            )
        self._stored.add(digest)
        return digest

    def forget(self) -> None:
        """Forget what is stored: the transaction that stored it did not end."""
        self._stored.clear()


def load_rule_sets(connection: Connection) -> dict[str, RulesInForce]:
    """Return all stored sets of numbers by fingerprint."""
    rows = connection.execute(select(schema.rule_sets))
    with stored_rules():
        return {row.fingerprint: rules_from_json(json.loads(row.numbers)) for row in rows}
