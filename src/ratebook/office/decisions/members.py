"""Decisions about members and rules: facts that Step 1 reads, floors, ceilings, initial ratings, rules adopted.

A decision raises a `BookError` if there is no such member, or if nothing would change.
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ratebook import __version__
from ratebook.book.audit import AuditSubject
from ratebook.book.columns import day_of_place, place_at_begin, place_at_end
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import NO_DETAILS, Decision, decide
from ratebook.book.facts.foreign_ratings import ListedForeign, replace_foreign_rating
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import StoredMember, load_members, write_members
from ratebook.book.facts.seats import first_place
from ratebook.book.failures import refused
from ratebook.book.ledger.pending import Pending, note_pending
from ratebook.book.ledger.read import load_standings
from ratebook.book.ledger.runs import begin_run
from ratebook.book.profile import raise_revision, read_federation
from ratebook.findings import ALL, Place
from ratebook.model import FloorKind, System
from ratebook.office.decisions.acceptance import decided, possible_duplicates
from ratebook.office.decisions.changes import changes_of_member
from ratebook.office.decisions.revision import DecisionResult, Reason, nothing_changes
from ratebook.office.rating.inputs import MemberState, SystemFacts
from ratebook.office.rating.moved_ratings import refresh_moves
from ratebook.rating.decisions import (
    CEILING,
    CEILING_LIFTED,
    FLOOR,
    FLOOR_LIFTED,
    INITIAL,
    KINDS,
    MOVING,
    NUMBERS,
    RATING,
)
from ratebook.rating.floors import NO_FLOOR, is_level, levels_text, money_floor, olm_floor
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import RuleNotKnown

_DAY = timedelta(days=1)

FACTS_OF_STEP_1 = ("birth_date", "adult", "canadian_resident")
"""Initial ratings follow from them; no rating from any other fact of a person."""

HIGHEST = 3_000
LOWEST = 100


class ChangedFacts(NamedTuple):
    """Facts of a member to be changed; None leaves a fact as it is, an empty text removes it."""

    birth_date: date | None = None
    adult: bool | None = None
    canadian_resident: bool | None = None
    name: str | None = None
    state: str | None = None
    fide_id: str | None = None
    sex: str | None = None
    title: str | None = None
    federation: str | None = None
    club: str | None = None


class Prize(NamedTuple):
    """A cash prize of *amount* dollars for players rated below *limit*, the upper limit of section or prize."""

    member: str
    system: System
    amount: float
    limit: float
    won: date


class Adjustment(NamedTuple):
    """What the office sets for a member in one system from a day on; without a value, what it lifts.

    Attributes:
        floor_kind: for floors: who or what sets it.
        games: for initial ratings: how many games it is based on.
        prize: for floors: the prize that set it.
        approved_by: for adjusted ratings: who approved it.
        national: for initial ratings: whether it is decided from another national rating.
    """

    member: str
    system: System
    value: float | None
    effective: date
    floor_kind: FloorKind = FloorKind.OFFICE
    games: float = 0.0
    national: bool = False
    prize: Prize | None = None
    approved_by: str | None = None


def known_member(connection: Connection, member: str) -> StoredMember:
    """Return a member, who has not been merged into another."""
    stored = load_members(connection, [member]).get(member)
    if stored is None:
        raise refused("member-unknown.id", Place(members=(member,)))
    if stored.merged_into is not None:
        raise refused("member-merged-already", Place(members=(member,)), merged_into=stored.merged_into)
    return stored


def decide_about(  # noqa: PLR0913 - a decision has all of it
    connection: Connection,
    because: Reason,
    kind: str,
    member: str,
    *,
    effective: date | None = None,
    system: System | None = None,
    value: float | None = None,
    details: Mapping[str, object] = NO_DETAILS,
    undoes: int | None = None,
) -> int:
    """Record a decision about a member, and return its number."""
    decision = Decision(
        kind=kind,
        subject=AuditSubject("member", member),
        reason=because.reason,
        effective=effective,
        member=member,
        system=system,
        value=value,
        details=details,
        undoes=undoes,
    )
    return decide(connection, because.actor, decision)


def mark_member(
    connection: Connection,
    member: str,
    reason: str,
    since: date | None = None,
    *,
    decision: int | None = None,
) -> bool:
    """Note that a member's sections from *since* on (or all) must be looked at again; False where there are none."""
    first = first_place(connection, member)
    raise_revision(connection)
    if first is None:
        return False
    place = first if since is None else max(first, since.isoformat())
    note_pending(connection, [Pending(place, reason, member=member, decision=decision)])
    return True


def correct_facts(book: Book, member: str, facts: ChangedFacts, because: Reason) -> DecisionResult:
    """Change facts of a member; from some of them initial ratings follow (docs/rules/readings.md#2-dated-values).

    The decision names what was changed, not to what: it outlives an erasure.
    """

    def work(connection: Connection) -> DecisionResult:
        old = known_member(connection, member).facts
        values = {
            name: value
            for name, value in facts._asdict().items()
            if value is not None and value != getattr(old, name)
        }
        if not values:
            raise nothing_changes(Place(members=(member,)))
        _check_birth_date(connection, member, facts.birth_date, because)
        new = old._replace(**values)
        same = [new] if "fide_id" in values else []
        duplicates = tuple(possible_duplicates(connection, same, [ALL]))
        write_members(connection, [new])
        details = {"changed": sorted(values)}
        number = decide_about(connection, because, "correct-facts", member, details=details)
        raise_revision(connection)
        waits = not values.keys().isdisjoint(FACTS_OF_STEP_1) and mark_member(
            connection, member, f"decision {number}, facts of {member} corrected", decision=number
        )
        changes = tuple(f"{member} {old.name}, {change}" for change in changes_of_member(old, new))
        return DecisionResult(number, duplicates, waits=waits, changes=changes)

    return decided(book, because, work)


def _check_birth_date(connection: Connection, member: str, birth_date: date | None, because: Reason) -> None:
    """Refuse a birth date after the member's first section, or after today; the date itself is private."""
    if birth_date is None:
        return
    first = first_place(connection, member)
    latest = because.actor.at[:10] if first is None else day_of_place(first)
    if birth_date.isoformat() > latest:
        raise refused(
            "birth-date-after-event.after-first-game",
            Place(members=(member,), field="birth date"),
            latest=latest,
        )


def correct_foreign_rating(book: Book, member: str, listed: ListedForeign, because: Reason) -> DecisionResult:
    """Enter, change or (where there is no rating) remove a member's FIDE or CFC rating of one list."""
    if listed.source not in {"fide", "cfc"}:
        raise refused("source-unknown", Place(subject=listed.source))
    with book.writing() as connection:
        known_member(connection, member)
        was_listed = replace_foreign_rating(connection, member, listed)
        now = "none" if listed.rating is None else f"{listed.rating:g}"
        change = f"{member}, {listed.source} rating on {listed.list_date}: {now}"
        if listed.rating is None and not was_listed:
            raise nothing_changes(Place(members=(member,), field=listed.source))
        number = decide_about(
            connection,
            because,
            "correct-foreign-rating",
            member,
            effective=listed.list_date,
            value=listed.rating,
            details={"source": listed.source},
        )
        waits = mark_member(
            connection,
            member,
            f"{listed.source} rating of {member} corrected",
            listed.list_date,
            decision=number,
        )
        return DecisionResult(number, waits=waits, changes=(change,))


def adjust(book: Book, word: str, adjustment: Adjustment, because: Reason) -> DecisionResult:
    """Decide how a member is rated in a system from a day on, or (where there is no value) lift what was decided.

    *word* is a kind of `rating.decisions.KINDS`.

    Raises:
        BookError: the value is no rating.
    """
    of_kind = KINDS[word]
    member, value = adjustment.member, adjustment.value
    kind = word if value is not None or not of_kind.lifted else f"{word}-lifted"
    if (value is None and not of_kind.lifted) or (value is not None and not LOWEST <= value <= HIGHEST):
        raise refused(
            "rating-out-of-range.adjust",
            Place(members=(member,), field=kind),
            value=value,
            lowest=LOWEST,
            highest=HIGHEST,
        )
    system, day = adjustment.system, adjustment.effective
    columns = {name: getattr(adjustment, name) for name in (*of_kind.columns, *of_kind.details)}
    details = {
        name: detail
        for name, detail in columns.items()
        if name != "value" and detail is not False and detail is not None
    }
    if adjustment.prize is not None:
        details |= {"prize": adjustment.prize.amount, "limit": adjustment.prize.limit}

    def work(connection: Connection) -> DecisionResult:
        person = known_member(connection, member).facts
        if kind in MOVING and day.isoformat() > because.actor.at[:10]:
            raise refused("mark-in-future", Place(members=(member,), system=system, field=kind), day=day)
        _check_adjustment(connection, adjustment, kind)
        number = decide_about(
            connection, because, kind, member, effective=day, system=system, value=value, details=details
        )
        check_later_decisions(connection, member, system)
        move_ratings(connection, because.actor, [member])
        waits = mark_member(
            connection, member, f"decision {number}, {kind} of {member}", day, decision=number
        )
        now = "lifted" if value is None else f"{value:g}"
        change = f"{member} {person.name}, {system} {word} from {day} on: {now}"
        return DecisionResult(number, waits=waits, changes=(change,))

    return decided(book, because, work)


def move_ratings(connection: Connection, actor: Actor, members: Sequence[str]) -> None:
    """Write the entries of *members* whose ratings decisions moved; sections that read them may wait."""
    federation = read_federation(connection)
    refresh_moves(
        connection,
        federation,
        lambda: begin_run(connection, "decide", actor, federation.rulebook_id, __version__),
        members,
    )


def enter_prize(book: Book, prize: Prize, because: Reason) -> DecisionResult:
    """Set the floor that a cash prize gives by the rules of the day on which it was won.

    Raises:
        BookError: the day is still to come, or the prize sets no floor above the money floor that the member has.

    Source: D25 section 5; docs/rules/readings.md#money-floors.
    """
    member, system, amount, limit, won = prize
    place = Place(members=(member,), system=system, field="prize")
    if won.isoformat() > because.actor.at[:10]:
        raise refused("mark-in-future", place, day=won)
    with book.reading() as connection:
        known_member(connection, member)
        rules = rules_of_day(connection, system, won, place)
        floors = _facts_on(connection, member, system, won).floors
    floor = money_floor(rules, amount, limit)
    if floor is None:
        raise refused(
            "prize-sets-no-floor",
            place,
            least=rules.money_floor_prize,
            highest=rules.money_floor_highest,
            day=won,
        )
    held = max((one.floor for one in floors if one.kind is FloorKind.MONEY), default=NO_FLOOR)
    if held >= floor:
        raise refused("nothing-changes.prize", place, floor=floor, held=held)
    return adjust(
        book, "floor", Adjustment(member, system, floor, won, FloorKind.MONEY, prize=prize), because
    )


def _facts_on(connection: Connection, member: str, system: System, day: date) -> SystemFacts:
    """Return what holds for a member in *system* at the end of *day*."""
    return _state_before(connection, member, place_at_end(day)).facts_after(system, day)


def _state_before(connection: Connection, member: str, place: str) -> MemberState:
    standings = load_standings(connection, [member], place, moved=False)[member]
    member_file = load_member_files(connection, [member])[member]
    return MemberState(member_file, standings, read_federation(connection).rulebook)


def _check_adjustment(connection: Connection, adjustment: Adjustment, kind: str) -> None:
    """Refuse to lift what does not hold, a floor above a ceiling, and an initial rating of who is rated."""
    member, system, day = adjustment.member, adjustment.system, adjustment.effective
    state = _state_before(connection, member, place_at_end(day))
    rating, floors, ceilings, _ = state.facts(system, day)
    number = NUMBERS[kind]
    place = Place(members=(member,), system=system, field=kind)
    if number == RATING:
        _check_adjusted_rating(connection, adjustment, place)
    if (number == CEILING_LIFTED and not ceilings) or (
        number == FLOOR_LIFTED and not [bound for bound in floors if bound.kind == adjustment.floor_kind]
    ):
        raise nothing_changes(place)
    value = adjustment.value or 0.0
    if (number == FLOOR and any(bound.ceiling < value for bound in ceilings)) or (
        number == CEILING and any(bound.floor > value for bound in floors)
    ):
        raise refused("floor-above-ceiling.as-adjusted", place)
    if number == FLOOR and not is_level(adjustment.floor_kind, value):
        levels = levels_text(adjustment.floor_kind)
        raise refused("floor-level-wrong", place, floor=value, kind=adjustment.floor_kind, levels=levels)
    if number == INITIAL and rating is not None and not state.standings.get(system):
        raise refused("initial-ignored.adjustment", place)
    if number == INITIAL and load_standings(connection, [member], day.isoformat())[member].get(system):
        raise refused("initial-ignored.rated", place, day=day)
    if number == INITIAL and adjustment.national:
        most = rules_of_day(connection, system, day, place).national_rating_most_games
        if adjustment.games > most:
            raise refused("national-rating-games", place, games=adjustment.games, most=most, day=day)


def _check_adjusted_rating(connection: Connection, adjustment: Adjustment, place: Place) -> None:
    """Refuse to adjust a rating that is not there on the day, or to a value that a floor or a ceiling forbids."""
    member, system, day = adjustment.member, adjustment.system, adjustment.effective
    value = adjustment.value or 0.0
    state = _state_before(connection, member, place_at_begin(day))
    carried = state.carried(system)
    if carried is None or (carried.rating.as_of is not None and carried.rating.as_of >= day):
        raise refused("rating-to-adjust-missing", place, system=system, day=day)
    rating, floors, ceilings, _ = state.facts(system, day)
    if rating is not None and rating.rating == value:
        raise nothing_changes(place)
    ceiling = min((bound.ceiling for bound in ceilings), default=value)
    if value > ceiling:
        raise refused("adjusted-out-of-bounds.ceiling", place, ceiling=ceiling)
    held = [bound.floor for bound in floors if bound.kind is not FloorKind.LOWERED]
    rules = rules_of_day(connection, system, day, place)
    games = None if rating is None else rating.life_master_games
    if not any(bound.kind is FloorKind.LOWERED for bound in floors):
        held.append(olm_floor(rules, -1 if games is None else games))
    floor = max(held, default=value)
    if value < floor:
        raise refused("adjusted-out-of-bounds.floor", place, floor=floor)


def decided_state(connection: Connection, member: str) -> MemberState:
    """Return a member by decisions and opening balances alone: rows of the ledger may say what held before."""
    member_file = load_member_files(connection, [member])[member]
    return MemberState(member_file, {}, read_federation(connection).rulebook)


def check_later_decisions(connection: Connection, member: str, system: System) -> None:
    """Refuse to leave a floor above a ceiling, or an adjusted rating out of the bounds of its day."""
    state = decided_state(connection, member)
    decisions = () if state.member_file is None else state.member_file.decisions
    for decision in decisions:
        kind = NUMBERS[decision.kind]
        if decision.system is not system or decision.value is None or kind not in {FLOOR, CEILING, RATING}:
            continue
        day = decision.effective
        place = Place(decision=decision.id, system=system, field=decision.kind)
        before = state.facts_after(system, day - _DAY)
        after = before if kind == RATING else state.facts_after(system, day)
        ceiling = min((held.ceiling for held in after.ceilings), default=None)
        floor = max((held.floor for held in after.floors if held.kind is not FloorKind.LOWERED), default=None)
        if kind != RATING:
            if ceiling is not None and floor is not None and floor > ceiling:
                raise refused("floor-above-ceiling.as-adjusted", place)
        elif floor is not None and decision.value < floor:
            raise refused("adjusted-out-of-bounds.floor", place, floor=floor)
        elif ceiling is not None and decision.value > ceiling:
            raise refused("adjusted-out-of-bounds.ceiling", place, ceiling=ceiling)


def rules_of_day(connection: Connection, system: System, day: date, place: Place) -> RulesInForce:
    """Return the numbers that the book's rules have for *system* on *day*."""
    try:
        rules = read_federation(connection).rulebook.in_force(system, day)
    except RuleNotKnown as unknown:
        raise refused("rules-not-known.from-day", place, unknown=str(unknown)) from unknown
    if not rules.system_exists:
        raise refused("system-not-rated.no-rules", place, system=system, day=day)
    return rules
