"""What the book knows of members beside their ledger: person, memberships, foreign ratings, balances, decisions."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BindParameter, ColumnElement, Connection, Row, Select, Table, bindparam, select

from ratebook.book import schema
from ratebook.book.decisions import UNDO
from ratebook.book.queries import PreparedQuery
from ratebook.model import Bound, EnteredFloor, FloorKind, ForeignRating, Rating, Record, System
from ratebook.rating.decisions import FLOOR_KINDS, NUMBERS, OPT_IN, RATING, USA_FLAG, mark_after

Id = TypeVar("Id", str, int)

_RECORDS: dict[object, Record] = {record.value: record for record in Record}
_CARRIED = Rating._fields[: Rating._fields.index("published")]
"""What a section hands on to the next one, beside ``at_least``."""

BOUND_NAMES: tuple[str | None, ...] = (
    None,
    *(" ".join(str(bound.name).lower() for bound in Bound(bits)) for bits in range(1, sum(Bound) + 1)),
)
"""By the bits of `Bound`: which figures are only lower bounds, in words (``peak counts``); None: none of them."""

_BOUNDS = {name: Bound(bits) for bits, name in enumerate(BOUND_NAMES)}

AT_ONCE = 400
"""Ids in one question; stores limit how many values a statement has."""


class MemberBalance(NamedTuple):
    """The opening balance of a member in one system."""

    as_of: date
    rating: Rating
    floors: tuple[EnteredFloor, ...]


class MemberDecision(NamedTuple):
    """A decision, by its number *id*, that holds for one member in one system from a day on.

    *value* is None where something is lifted.
    """

    kind: str
    effective: date
    system: System
    value: float | None
    floor_kind: FloorKind
    games: float
    id: int

    def numbers(self) -> tuple[int, int, float, float]:
        """Return kind, kind of floor, value and games as `rating.decisions.take_effect` and histories have them."""
        value = 0.0 if self.value is None else self.value
        return NUMBERS[self.kind], FLOOR_KINDS.index(self.floor_kind), value, self.games


class MemberFile(NamedTuple):
    """Everything of one member that a rating may read, the ledger aside.

    Foreign ratings are by source, in the order of their lists, opening balances by system. Decisions are those that
    hold, by day, those of one day as they were made; *usa_flag* and *fide_opt_in* are from before every one of them.
    """

    id: str
    name: str
    birth_date: date | None
    adult: bool | None
    canadian_resident: bool
    usa_flag: bool
    fide_opt_in: bool
    memberships: tuple[tuple[date, date], ...]
    foreign: dict[str, list[ForeignRating]]
    balances: dict[System, MemberBalance]
    decisions: tuple[MemberDecision, ...]

    def member_on(self, day: date) -> bool:
        """Return whether a membership holds on that day."""
        return any(starts <= day <= expires for starts, expires in self.memberships)

    def flag_on(self, day: date) -> bool:
        """Return whether the member has the US flag in the FIDE list in effect on that day."""
        return self._holds(USA_FLAG, day + timedelta(days=1), before=self.usa_flag)

    def opted_in_before(self, day: date) -> bool:
        """Return whether the member had asked, before that day, for updates by foreign FIDE events."""
        return self._holds(OPT_IN, day, before=self.fide_opt_in)

    def _holds(self, mark: int, day: date, *, before: bool) -> bool:
        holds = int(before)
        for decision in self.decisions:
            if decision.effective < day:
                holds = mark_after(holds, NUMBERS[decision.kind], mark)
        return bool(holds)

    def expires(self, day: date) -> date | None:
        """Return the last day of the newest membership that started by *day*; None if there was none."""
        begun = [expires for starts, expires in self.memberships if starts <= day]
        return max(begun, default=None)

    def foreign_on(self, source: str, day: date) -> ForeignRating | None:
        """Return the rating of the newest list of *source* up to *day*."""
        newest = None
        for rating in self.foreign.get(source, ()):
            if rating.as_of is None or rating.as_of <= day:
                newest = rating
        return newest


def batches(ids: Iterable[Id]) -> Iterator[list[Id]]:
    """Yield *ids* in lists that one statement can hold."""
    source = iter(ids)
    while batch := list(islice(source, AT_ONCE)):
        yield batch


def rows_about(
    connection: Connection, query: Select[tuple[Any, ...]], column: ColumnElement[Any], ids: Iterable[Id]
) -> Iterator[Any]:
    """Yield the rows of a statement in which *column* is one of *ids*, however many these are."""
    for batch in batches(ids):
        yield from connection.execute(query.where(column.in_(batch)))


def grouped(pairs: Iterable[Sequence[Any]]) -> dict[Any, list[Any]]:
    """Return the second values of *pairs* by the first ones, in their order.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[Any, list[Any]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


_IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
_PERSON = MemberFile._fields[: MemberFile._fields.index("memberships")]


def _of_members(table: Table, *order: str) -> Select[tuple[Any, ...]]:
    columns = (table.c[name] for name in (*order, "member_id"))
    return select(table).where(table.c.member_id.in_(_IDS)).order_by(*columns)


_MERGED = select(schema.members.c.id, schema.members.c.merged_into).where(
    schema.members.c.merged_into.in_(_IDS)
)
_PERSONS = select(*(schema.members.c[name] for name in _PERSON)).where(schema.members.c.id.in_(_IDS))
_MEMBERSHIPS = _of_members(schema.memberships)
_FOREIGN = _of_members(schema.external_ratings, "list_date")
_BALANCES = PreparedQuery(_of_members(schema.opening_balances))
_DECISIONS = (
    select(schema.decisions)
    .where(schema.decisions.c.member_id.in_(_IDS), schema.decisions.c.kind.in_((*NUMBERS, UNDO)))
    .order_by(schema.decisions.c.effective, schema.decisions.c.id)
)


def owners_of(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    """Return *ids* and the ids that were merged into them, each with the one of *ids* under which it is rated.

    Seats, balances and decisions keep the ids under which they were written.
    """
    return dict(zip(ids, ids, strict=True)) | dict(connection.execute(_MERGED, {"ids": ids}).all())


def load_member_files(connection: Connection, ids: Sequence[str]) -> dict[str, MemberFile]:
    """Return the files of members; *ids* are canonical, those that do not exist are left out."""
    files: dict[str, MemberFile] = {}
    for batch in batches(ids):
        owner = owners_of(connection, batch)
        everyone = sorted(owner)
        memberships = defaultdict(list)
        for row in connection.execute(_MEMBERSHIPS, {"ids": everyone}):
            memberships[owner[row.member_id]].append((row.starts, row.expires))
        foreign: dict[str, dict[str, list[ForeignRating]]] = defaultdict(lambda: defaultdict(list))
        for row in connection.execute(_FOREIGN, {"ids": everyone}):
            foreign[owner[row.member_id]][row.source].append(ForeignRating(row.rating, row.list_date))
        balances: dict[str, dict[System, MemberBalance]] = defaultdict(dict)
        for row in _BALANCES.rows(connection, ids=everyone):
            system = System(row.system)
            if row.member_id == owner[row.member_id] or system not in balances[owner[row.member_id]]:
                balances[owner[row.member_id]][system] = balance_of(row, system)
        decisions = defaultdict(list)
        for row in connection.execute(_DECISIONS, {"ids": everyone}):
            decisions[owner[row.member_id]].append(row)
        for row in connection.execute(_PERSONS, {"ids": batch}):
            known = tuple(sorted(memberships[row.id])), foreign[row.id], balances[row.id]
            files[row.id] = MemberFile._make((*row, *known, decisions_that_hold(decisions[row.id])))
    return files


def balances_of(connection: Connection, ids: Sequence[str]) -> dict[str, dict[System, MemberBalance]]:
    """Return the opening balances of members under these ids."""
    balances: dict[str, dict[System, MemberBalance]] = {member: {} for member in ids}
    for batch in batches(ids):
        for row in _BALANCES.rows(connection, ids=batch):
            balances[row.member_id][System(row.system)] = balance_of(row, System(row.system))
    return balances


def balance_of(row: Row[tuple[object, ...]], system: System) -> MemberBalance:
    """Return the balance in a row of the opening balances."""
    return MemberBalance(row.as_of, rating_of(row, row.as_of), floors_of_text(row.floors, system))


def rating_of(row: Any, as_of: date) -> Rating:  # noqa: ANN401 - a row of the ledger or of the opening balances
    """Return the rating in a row, as `stored_rating` wrote it."""
    # In the order of `Rating`, since names take twice as long, and every row of a history comes by here.
    return Rating(
        rating=row.rating,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        record=_RECORDS.get(row.record),
        long_events=row.long_events,
        peak=row.peak,
        life_master_games=row.life_master_games,
        published=None,
        published_games=None,
        as_of=as_of,
        at_least=_BOUNDS[row.at_least],
    )


def stored_rating(rating: Rating, floors: Iterable[EnteredFloor]) -> dict[str, Any]:
    """Return the columns of a rating with the floors entered in its system, in the ledger and in opening balances."""
    return {
        **dict(zip(_CARRIED, rating, strict=False)),
        "record": None if rating.record is None else rating.record.value,
        "at_least": BOUND_NAMES[rating.at_least],
        "floors": text_of_floors(floors),
    }


def decisions_that_hold(rows: Sequence[Row[tuple[Any, ...]]]) -> tuple[MemberDecision, ...]:
    """Return the decisions about a member that were not undone, and of several adjusted ratings of a day the last."""
    undone = {row.undoes for row in rows}
    standing = [_decision(row) for row in rows if row.kind != UNDO and row.id not in undone]
    last = {
        (decision.system, decision.effective): decision.id
        for decision in standing
        if NUMBERS[decision.kind] == RATING
    }
    return tuple(
        decision
        for decision in standing
        if NUMBERS[decision.kind] != RATING or last[decision.system, decision.effective] == decision.id
    )


def _decision(row: Row[tuple[object, ...]]) -> MemberDecision:
    details = json.loads(row.details) if row.details else {}
    return MemberDecision(
        kind=row.kind,
        effective=row.effective,
        system=System(row.system),
        value=row.value,
        floor_kind=FloorKind(details.get("floor_kind", FloorKind.OFFICE)),
        games=float(details.get("games", 0.0)),
        id=row.id,
    )


def text_of_floors(floors: Iterable[EnteredFloor]) -> str:
    """Return entered floors of one system as text; empty where there are none."""
    listed = [[floor.kind.value, floor.floor] for floor in floors]
    return json.dumps(listed) if listed else ""


def floors_of_text(text: str, system: System) -> tuple[EnteredFloor, ...]:
    """Return the entered floors that `text_of_floors` wrote."""
    if not text:
        return ()
    return tuple(EnteredFloor(system, FloorKind(kind), float(floor)) for kind, floor in json.loads(text))
