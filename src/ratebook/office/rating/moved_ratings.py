"""Ratings that decisions move, adjusted or raised to a floor: entries of their own in the ledger.

They follow from the rows of sections and from decisions, as what a section starts from does, so no section reads them:
they say what the member's rating is from their day on.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from ratebook.book.columns import place_at_begin, place_at_end
from ratebook.book.connection import Connection
from ratebook.book.facts.member_files import MemberDecision, MemberFile, load_member_files, stored_rating
from ratebook.book.facts.members import merged_ids
from ratebook.book.ledger import moved_ratings
from ratebook.book.ledger.rows import LedgerRow, standing_of
from ratebook.book.profile import Federation
from ratebook.model import Rating, System
from ratebook.office.rating.inputs import MemberState, SystemFacts
from ratebook.rating.decisions import FLOOR, MOVING, NUMBERS, RATING
from ratebook.rules.rulebook import Rulebook

_DAY = timedelta(days=1)


def refresh_moves(
    connection: Connection,
    federation: Federation,
    run: Callable[[], int],
    members: Iterable[str] | None = None,
) -> tuple[int, int]:
    """Write the moved ratings of *members* (None: of all) where the ledger says something else.

    *run* gives the number of the run, if one writes; returned is how many rows were added, and how many ended.
    """
    chosen = None if members is None else sorted(set(members))
    stored_moves = moved_ratings.current_moves(connection, chosen)
    moves = moves_of(
        connection, federation, moved_ratings.members_decided_about(connection) if chosen is None else chosen
    )
    stored_ratings = {place: stored.moved for place, stored in stored_moves.items()}
    added = {place: moved for place, moved in moves.items() if stored_ratings.get(place) != moved}
    ended = {place: stored for place, stored in stored_moves.items() if moves.get(place) != stored.moved}
    if added or ended:
        moved_ratings.write_moves(connection, run(), added, ended)
    return len(added), len(ended)


def moves_of(
    connection: Connection, federation: Federation, members: Iterable[str]
) -> dict[moved_ratings.MovedPlace, moved_ratings.MovedRating]:
    """Return the moved ratings that follow from the rows of sections and the decisions about *members*."""
    owners = sorted(set(merged_ids(connection, members).values()))
    files = load_member_files(connection, owners)
    concerned = [
        member_file
        for member_file in files.values()
        if any(decision.kind in MOVING for decision in member_file.decisions)
    ]
    rows = moved_ratings.rows_of_sections(connection, [member_file.id for member_file in concerned])
    return {
        moved_ratings.MovedPlace(member_file.id, system, place): moved
        for member_file in concerned
        for system in System
        for place, moved in _moves_in(
            member_file, system, rows.get((member_file.id, system), []), federation.rulebook
        )
    }


def _moves_in(
    member_file: MemberFile, system: System, rows: list[Any], rulebook: Rulebook
) -> Iterator[tuple[str, moved_ratings.MovedRating]]:
    """Yield the moved ratings of a member in one system; *rows* are those of sections, in the order of history."""
    places = [row.place for row in rows]

    def before(place: str) -> MemberState:
        at = bisect_left(places, place)
        standings = {system: standing_of(rows[at - 1], system, places[at - 1])} if at else {}
        return MemberState(member_file, standings, rulebook)

    for day, decision in _by_day(member_file, system, RATING).items():
        place = place_at_begin(day)
        state = before(place)
        carried = state.carried(system)
        if carried is not None and carried.rating.as_of is not None and carried.rating.as_of < day:
            yield from _entry(
                member_file.id,
                place,
                decision,
                moved_ratings.ADJUSTED,
                state.facts_after(system, day - _DAY).rating,
                state.facts(system, day),
            )
    for day, decision in _by_day(member_file, system, FLOOR).items():
        place = place_at_end(day)
        state = before(place)
        old, new = state.facts(system, day), state.facts_after(system, day)
        if old.rating is not None and new.rating is not None and old.rating.rating < new.rating.rating:
            yield from _entry(member_file.id, place, decision, moved_ratings.RAISED, old.rating, new)


def _by_day(member_file: MemberFile, system: System, number: int) -> dict[date, MemberDecision]:
    """Return the decisions of a kind about a system by day, the last one of each day."""
    return {
        decision.effective: decision
        for decision in member_file.decisions
        if decision.system is system and NUMBERS[decision.kind] == number
    }


def _entry(  # noqa: PLR0913, PLR0917 - whose, where and why, from what to what
    member: str, place: str, decision: MemberDecision, how: str, before: Rating | None, after: SystemFacts
) -> Iterator[tuple[str, moved_ratings.MovedRating]]:
    if before is None or after.rating is None:
        return
    row = LedgerRow(
        member_id=member,
        source="rated",
        rating_before=before.rating,
        games_before=before.games,
        **stored_rating(after.rating, after.floors),
        match_change=None,
        played=0,
        formula=how,
        effective_games=0.0,
        k=None,
        score=0.0,
        expected=0.0,
        bonus=None,
        step3=None,
        step4=None,
        step5=before.rating,
        floor_applied=after.rating.rating if how == moved_ratings.RAISED else None,
    )
    yield place, moved_ratings.MovedRating(decision.id, row)
