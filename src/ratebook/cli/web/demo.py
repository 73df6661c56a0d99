"""An invented federation to be served: the book that its office has kept for years, and an account of each role."""

import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click

from ratebook.book.connection import Actor, Book, open_book
from ratebook.book.profile import Profile
from ratebook.cli.options import today
from ratebook.cli.web.group import Places
from ratebook.cli.web.session import now, random_bytes
from ratebook.demo.build import recent_federation
from ratebook.demo.files import corrections_table, file_name, member_lists, report_bytes
from ratebook.demo.people import FIRST_ID
from ratebook.demo.values import Arrival, Correction, Habit, InventedFederation
from ratebook.model import System
from ratebook.office.creation import create_book
from ratebook.office.decisions.adjustments import Adjustment, adjust
from ratebook.office.decisions.revision import Reason
from ratebook.office.imports.corrections import apply_corrections
from ratebook.office.imports.foreign_ratings import import_external_ratings
from ratebook.office.imports.members import import_members, import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.publish.data_files import write_data
from ratebook.office.publish.lists import publish
from ratebook.office.queue.submit import Incoming, Submitted, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.reports.load import load_bytes
from ratebook.web.gate.passwords import SALT_BYTES, hashed
from ratebook.web.gate.visitors import new_token
from ratebook.web.store.accounts import Role, add_account, set_password
from ratebook.web.store.opening import open_store, store_beside
from ratebook.web.store.schema import moment
from ratebook.web.store.sendings import note_sent

MEMBERS, YEARS = 300, 4
PROFILE = Profile(name="Example Federation", contact="ratings@example.org")
PASSWORD_BYTES = 9
BEGIN = f"A player to begin with: /players/{FIRST_ID}"
WRONG_ID = "90009999"
"""Of no one."""
OWN_REPORTS = 8
_FLOOR_BELOW = 1_900
_LATE_AFTER = timedelta(days=31)
_NOON = time(12, tzinfo=UTC)


class Director(NamedTuple):
    """A member who directs for an affiliate, and the submissions that this director has sent, with their days."""

    member: str = ""
    affiliates: tuple[str, ...] = ()
    sent: tuple[tuple[int, date], ...] = ()


@contextmanager
def demonstration() -> Iterator[tuple[Places, str]]:
    """Give the places of a book and its web store, and what to type; both are removed in the end."""
    # Without a handler the process would end at once, and leave them.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="ratebook-demo-") as folder:
        click.echo("Making an invented federation; no person in it is real.")
        book = str(Path(folder) / "federation.book")
        passwords = _make_accounts(store_beside(book), make_book(Path(folder), book, today()))
        with closing(open_book(book)) as made:
            write_data(made, data_beside(book), ("csv",))
        lines = [f"  {name:<15}{password}" for name, password in passwords.items()]
        words = "\n".join([BEGIN, "Sign in as one of these, with the password beside it:", *lines])
        yield Places(book, None), words


def data_beside(book: str) -> Path:
    """Return the folder of the demonstration's complete tables."""
    return Path(f"{book}.data")


def make_book(place: Path, path: str, day: date, *, members: int = MEMBERS) -> Director:
    """Make the book as its office has kept it until *day*, month by month, and return who directed an event lately."""
    federation, waiting = held_back(recent_federation(members, YEARS, day), day)
    own = waiting.ready.report.event
    sent: list[tuple[int, date]] = []
    with closing(create_book(path, PROFILE, _on(federation.arrivals[0].received))) as book:
        _import_lists(book, federation, place)
        # Wrong birth dates come to light first, mistakes in reports a month after these.
        corrections = [row for row in federation.corrections if not row.event_id]
        for following, month in _months(federation.arrivals):
            for arrival in month:
                is_own = arrival.report.event.chief_td == own.chief_td
                actor = _on(arrival.received, Role.DIRECTOR if is_own else Role.OFFICE)
                submitted = submit_arrival(book, arrival, actor, ["all"])
                if submitted.number and is_own:
                    sent.append((submitted.number, arrival.received))
            _rate_month(book, min(following, day), corrections, place)
            if following <= day:
                publish(book, f"{following:%Y-%m}", following, _on(following))
            events = {arrival.report.event.id for arrival in month}
            corrections = [row for row in federation.corrections if row.event_id in events]
        sent += [(number, day) for number in send_waiting(book, waiting, _on(day, Role.DIRECTOR))]
    return Director(own.chief_td, (own.affiliate,), tuple(sent[-OWN_REPORTS:]))


def _import_lists(book: Book, federation: InventedFederation, place: Path) -> None:
    """Import what is known of members, and set a floor for one of them."""
    first = federation.arrivals[0].received
    actor = _on(first)
    for name, data in member_lists(federation):
        (place / name).write_bytes(data)
    import_members(book, place / "members.csv", actor)
    import_memberships(book, place / "memberships.csv", actor)
    import_external_ratings(book, place / "external-ratings.csv", actor)
    import_opening_balances(book, place / "opening-balances.csv", actor)
    rating, member = max(
        (balance.rating.rating, balance.member)
        for balance in federation.opening_balances
        if balance.system is System.REGULAR and balance.floor is None and balance.rating.rating < _FLOOR_BELOW
    )
    floor = Adjustment(member, System.REGULAR, rating // 100 * 100 - 100, first)
    adjust(book, "floor", floor, Reason(actor, "The member had this floor in lists on paper."))


def _rate_month(book: Book, day: date, corrections: Sequence[Correction], place: Path) -> None:
    """Rate what has come, make *corrections*, and rate again what waits."""
    actor = _on(day)
    rate_ready(book, actor, with_rows=False)
    if corrections:
        dated = [row._replace(on=day) for row in corrections]
        (place / "corrections.csv").write_bytes(corrections_table(dated))
        apply_corrections(book, place / "corrections.csv", actor, accepted=["all"])
        rate_ready(book, actor, with_rows=False)
    rerate(book, actor)


def _months(arrivals: Sequence[Arrival]) -> Iterator[tuple[date, list[Arrival]]]:
    """Yield each month, by the day on which the next one begins; nothing may have arrived in it."""
    months = {
        day: [*month] for day, month in groupby(arrivals, lambda arrival: _next_month(arrival.received))
    }
    following = min(months)
    while following <= max(months):
        yield following, months.get(following, [])
        following = _next_month(following)


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=31)).replace(day=1)


def _on(day: date, role: Role = Role.OFFICE) -> Actor:
    # In the morning of today, noon has not come yet.
    return Actor(role.value, moment(min(datetime.combine(day, _NOON), now())))


class HeldBack(NamedTuple):
    """Reports of one director that wait in the queue: an id of no one in the first seat, a late one, a ready one."""

    wrong: Arrival
    late: Arrival
    ready: Arrival


def held_back(federation: InventedFederation, day: date) -> tuple[InventedFederation, HeldBack]:
    """Return a federation without three reports of a club, and these as they come in on *day*.

    The first member has played in none of them: the page of that member lacks nothing.
    """
    events = Counter(arrival.report.event.id for arrival in federation.arrivals)
    clean = [
        arrival
        for arrival in federation.arrivals
        if arrival.habits in {(Habit.CLUB,), (Habit.NIGHT,)}
        and events[arrival.report.event.id] == 1
        and str(FIRST_ID) not in arrival.report.players
    ]
    ready = max(clean, key=_last_day)
    own = [arrival for arrival in clean if arrival.report.event.chief_td == ready.report.event.chief_td]
    *earlier, wrong, ready = sorted(own, key=_last_day)
    late = next(arrival for arrival in reversed(earlier) if _last_day(arrival) < day - _LATE_AFTER)
    report = wrong.report
    section = report.sections[0]
    first = section.entries[0]
    players = dict(report.players)
    players[WRONG_ID] = players.pop(first.player)._replace(id=WRONG_ID)
    section = section._replace(entries=(first._replace(player=WRONG_ID), *section.entries[1:]))
    waiting = HeldBack(
        wrong._replace(received=day, report=report._replace(players=players, sections=(section,))),
        late._replace(received=day),
        ready._replace(received=day),
    )
    held = {arrival.number for arrival in waiting}
    left = tuple(arrival for arrival in federation.arrivals if arrival.number not in held)
    return federation._replace(arrivals=left), waiting


def _last_day(arrival: Arrival) -> date:
    return arrival.report.sections[0].end


def submit_arrival(book: Book, arrival: Arrival, actor: Actor, accepted: Sequence[str]) -> Submitted:
    """Send in a report as it came."""
    name, received = file_name(arrival), arrival.received
    loaded = load_bytes(report_bytes(arrival), name, arrival.hints, received=received)
    return submit(book, Incoming(loaded, name, received, arrival.report.event.id, accepted), actor)


def send_waiting(book: Book, waiting: HeldBack, actor: Actor) -> list[int]:
    """Send in reports that the office finds in its queue; the warnings of the last one are accepted."""
    accepted = {waiting.ready.number: ["all"]}
    sent = [submit_arrival(book, arrival, actor, accepted.get(arrival.number, ())) for arrival in waiting]
    return [submitted.number for submitted in sent if submitted.number is not None]


def _make_accounts(place: str, director: Director) -> dict[str, str]:
    passwords: dict[str, str] = {}
    with closing(open_store(place)) as store, store.writing() as connection:
        for role in Role:
            own = director if role is Role.DIRECTOR else Director()
            account = add_account(connection, role.value, role, own.member, own.affiliates, now())
            if account is not None:
                passwords[role.value] = new_token(random_bytes, PASSWORD_BYTES)
                stored = hashed(passwords[role.value], random_bytes(SALT_BYTES))
                set_password(connection, account.id, stored)
                for number, day in own.sent:
                    note_sent(connection, account.id, number, datetime.combine(day, _NOON))
    return passwords
