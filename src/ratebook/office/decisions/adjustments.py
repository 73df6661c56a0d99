"""How a member is rated, decided by the office: floors, ceilings, ratings, cash prizes; and such decisions undone.

A decision raises a `BookError` if there is no such member, or if nothing would change. Prizes that reports bring are
decided when their section is first rated, and follow the report: where a correction changes who won, in which system or
on which day, so does the floor.
"""

from datetime import date, timedelta
from typing import NamedTuple

from ratebook.book.columns import place_at_begin, place_at_end
from ratebook.book.connection import Actor, Book, Connection
from ratebook.book.decisions import RecordedDecision, read_decision
from ratebook.book.events import StoredSection, read_sections
from ratebook.book.facts.member_files import load_member_files
from ratebook.book.facts.members import load_members, merged_ids
from ratebook.book.failures import refused
from ratebook.book.ledger.read import load_standings
from ratebook.book.profile import read_federation
from ratebook.book.reports import stored_report, with_members
from ratebook.findings import Finding, Place
from ratebook.model import FloorKind, PlayerFacts, Report, System
from ratebook.office.decisions.members import (
    decide_about,
    known_member,
    mark_member,
    move_ratings,
    undo_about,
)
from ratebook.office.decisions.revision import DecisionResult, Reason, decided, nothing_changes, rated_event
from ratebook.office.rating.inputs import MemberState
from ratebook.office.rating.standings import MemberStandings
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
from ratebook.reports.prizes import PrizeFloor, prize_floors, refused_because
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import RuleNotKnown

_MARKS = frozenset(number for kind in KINDS.values() if kind.mark for number in (kind.number, kind.lifted))
_DAY = timedelta(days=1)
HIGHEST = 3_000
LOWEST = 100


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


def adjust(book: Book, word: str, adjustment: Adjustment, because: Reason) -> DecisionResult:
    """Decide how a member is rated in a system from a day on, or (without a value) lift what was decided.

    *word* is a kind of `rating.decisions.KINDS`; a value that is no rating is a `BookError`.
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
        waits = mark_member(connection, member, f"{kind} of {member}", day, number)
        now = "lifted" if value is None else f"{value:g}"
        change = f"{member} {person.name}, {system} {word} from {day} on: {now}"
        return DecisionResult(number, waits=waits, changes=(change,))

    return decided(book, because, work)


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
        floors = _state_before(connection, member, place_at_end(won)).facts_after(system, won).floors
    floor = money_floor(rules, amount, limit)
    if floor is None:
        raise refused(
            "prize-sets-no-floor",
            place,
            least=rules.money_floor_prize,
            highest=rules.money_floor_highest,
            day=won,
        )
    held = max((bound.floor for bound in floors if bound.kind is FloorKind.MONEY), default=NO_FLOOR)
    if held >= floor:
        raise refused("nothing-changes.prize", place, floor=floor, held=held)
    adjustment = Adjustment(
        member=member, system=system, value=floor, effective=won, floor_kind=FloorKind.MONEY, prize=prize
    )
    return adjust(book, "floor", adjustment, because)


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
    levels = [bound.floor for bound in floors if bound.kind is not FloorKind.LOWERED]
    rules = rules_of_day(connection, system, day, place)
    games = None if rating is None else rating.life_master_games
    if not any(bound.kind is FloorKind.LOWERED for bound in floors):
        levels.append(olm_floor(rules, -1 if games is None else games))
    floor = max(levels, default=value)
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
        ceiling = min((bound.ceiling for bound in after.ceilings), default=None)
        floors = (bound.floor for bound in after.floors if bound.kind is not FloorKind.LOWERED)
        floor = max(floors, default=None)
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


def undo_adjustment(connection: Connection, decision: RecordedDecision, because: Reason) -> DecisionResult:
    """Undo a decision about how a member is rated; what followed from it waits for a re-rating.

    One about foreign events, one that no longer holds or that a later one needs is a `BookError`.
    """
    place = Place(decision=decision.id)
    if NUMBERS[decision.kind] in _MARKS:
        raise refused("decision-not-undone.kind", place, kind=decision.kind)
    by = str(decision.member_id)
    member = merged_ids(connection, [by])[by]
    if decision.id not in {held.id for held in load_member_files(connection, [member])[member].decisions}:
        raise refused("decision-no-longer-held", place)
    assert decision.effective is not None, "every adjustment has a day"  # noqa: S101 - tells the type checker
    system = System(str(decision.system))
    number = undo_about(connection, because, by, decision.id)
    check_later_decisions(connection, member, system)
    move_ratings(connection, because.actor, [member])
    waits = mark_member(connection, member, f"undo of decision {decision.id}", decision.effective, number)
    name = load_members(connection, [member])[member].facts.name
    change = f"{member} {name}, {system} {decision.kind} from {decision.effective} on: undone"
    return DecisionResult(number, waits=waits, changes=(change,))


class WonFloor(NamedTuple):
    """A floor that a prize of a report sets, from the last day of its section on."""

    of_prize: PrizeFloor
    day: date


def decide_prizes(
    connection: Connection, standings: MemberStandings, report: Report, stored: StoredSection, actor: Actor
) -> list[Finding]:
    """Record the floors that the prizes of a section set, and return what is to be said of them.

    *standings* are those before the section; what they know of a member with a new floor is read again.
    """
    plan = standings.plan(stored)
    findings: list[Finding] = []
    if plan is None:
        return findings
    day = stored.section.end
    for prize_floor in prize_floors(report, plan, standings.federation.rulebook):
        prize = prize_floor.prize
        won = WonFloor(prize_floor, day)
        if _sets_floor(won, standings.states[prize.player], findings):
            _decide(connection, stored.event_id, won, actor)
            standings.forget_member(connection, prize.player, stored.place)
    return findings


def _sets_floor(won: WonFloor, state: MemberState, findings: list[Finding]) -> bool:
    """Return whether a prize sets a floor for who is in a *state*, and add what is to be said of it."""
    prize_floor, day = won
    held = state.facts_after(prize_floor.system, day)
    player = PlayerFacts(prize_floor.prize.player, floors=held.floors, ceilings=held.ceilings)
    refusal = refused_because(prize_floor, player)
    if refusal != "kept":
        findings.append(prize_floor.finding(refusal or "prize-sets-floor"))
    return not refusal


def _decide(connection: Connection, event_id: str, won: WonFloor, actor: Actor) -> int:
    """Record the floor that a prize sets as a decision, and return its number."""
    prize = won.of_prize.prize
    return decide_about(
        connection,
        Reason(actor, f"prize in event {event_id}, section {prize.section}"),
        "floor",
        prize.player,
        effective=won.day,
        system=won.of_prize.system,
        value=won.of_prize.floor,
        details={
            "floor_kind": FloorKind.MONEY,
            "prize": prize.amount,
            "limit": prize.limit,
            "event": event_id,
            "section": prize.section,
        },
    )


def prizes_of_event(connection: Connection, event_id: str) -> set[WonFloor]:
    """Return the floors that the prizes of a rated event set as its report is now; withdrawn sections have none."""
    report, _ = with_members(connection, stored_report(rated_event(connection, event_id))[0])
    if not report.prizes:
        return set()
    standings = MemberStandings(read_federation(connection))
    won = set()
    for stored in read_sections(connection, event_id=event_id):
        plan = standings.plan(stored)
        if plan is not None:
            won |= {
                WonFloor(prize_floor, stored.section.end)
                for prize_floor in prize_floors(report, plan, standings.federation.rulebook)
            }
    return won


def follow_prizes(
    connection: Connection, event_id: str, before: set[WonFloor], result: DecisionResult, because: Reason
) -> DecisionResult:
    """Undo the floors of prizes that a decision about a report took away, and record those that it brought.

    *before* are the floors as they followed from the report before it, *result* is what it did so far.
    """
    after = prizes_of_event(connection, event_id)
    changes = [*result.changes]
    findings = [*result.findings]
    for won in sorted(before - after, key=_order):
        number = _decision_of(connection, event_id, won)
        if number is not None:
            recorded = read_decision(connection, number)
            assert recorded is not None, "it was found"  # noqa: S101 - tells the type checker
            changes += undo_adjustment(connection, recorded, because).changes
    for won in sorted(after - before, key=_order):
        player = won.of_prize.prize.player
        if _sets_floor(won, decided_state(connection, player), findings):
            number = _decide(connection, event_id, won, because.actor)
            move_ratings(connection, because.actor, [player])
            mark_member(connection, player, f"floor of {player}", won.day, number)
    return result._replace(findings=tuple(findings), changes=tuple(changes))


def _order(won: WonFloor) -> tuple[int, str]:
    return won.of_prize.prize.section, won.of_prize.prize.player


def _decision_of(connection: Connection, event_id: str, won: WonFloor) -> int | None:
    """Return the number of the decision that holds and that the prize of a report made."""
    prize_floor = won.of_prize
    member_file = load_member_files(connection, [prize_floor.prize.player]).get(prize_floor.prize.player)
    numbers = [
        decision.id
        for decision in (() if member_file is None else member_file.decisions)
        if (decision.kind, decision.system, decision.value, decision.effective)
        == ("floor", prize_floor.system, prize_floor.floor, won.day)
    ]
    for number in numbers:
        recorded = read_decision(connection, number)
        if recorded is not None and recorded.details.get("event") == event_id:
            return number
    return None
