"""An invented federation to be served, with an account of each role."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, timedelta
from pathlib import Path

import click

from ratebook.book.connection import Actor, Book
from ratebook.book.profile import Profile
from ratebook.cli.options import today
from ratebook.cli.web.places import Places
from ratebook.cli.web.session import now, random_bytes
from ratebook.demo.build import build_federation
from ratebook.demo.files import federation_files
from ratebook.demo.values import InventedFederation
from ratebook.formats.native.stored import stored_bytes
from ratebook.model import Event, PlayerFacts, Report
from ratebook.office.creation import create_book
from ratebook.office.imports.corrections import apply_corrections
from ratebook.office.imports.foreign_ratings import import_external_ratings
from ratebook.office.imports.members import import_members
from ratebook.office.imports.memberships import import_memberships
from ratebook.office.imports.opening_balances import import_opening_balances
from ratebook.office.imports.reports import import_reports
from ratebook.office.publish.lists import publish
from ratebook.office.queue.submit import Incoming, submit
from ratebook.office.rating.rate_queue import rate_ready
from ratebook.office.rating.rerate import rerate
from ratebook.reports.load import load_bytes
from ratebook.web.gate.passwords import SALT_BYTES, hashed
from ratebook.web.gate.visitors import new_token
from ratebook.web.store.accounts import Role, add_account, set_password
from ratebook.web.store.opening import open_store, store_beside
from ratebook.web.store.schema import moment

MEMBERS = 120
PASSWORD_BYTES = 9
DAYS_OF_REST = 7
"""Between the last event of the demonstration and today."""
WRONG_ID = "90009999"
"""Of no one."""
LATE, READY = "EXAMPLE LATE OPEN", "EXAMPLE READY OPEN"
DAYS_AGO = {"EXAMPLE WRONG OPEN": 38, LATE: 31, READY: 10}


@contextmanager
def demonstration() -> Iterator[tuple[Places, str]]:
    """Give the places of a book and its web store, and what to type; both are removed in the end."""
    with tempfile.TemporaryDirectory(prefix="ratebook-demo-") as folder:
        click.echo("Making an invented federation; no person in it is real.")
        place = Path(folder)
        book = str(place / "federation.book")
        director = _make_book(place, book, today())
        passwords = _make_accounts(store_beside(book), director)
        lines = [f"  {name:<15}{password}" for name, password in passwords.items()]
        words = "\n".join(["Sign in as one of these, with the password beside it:", *lines])
        yield Places(book, None), words


def _make_book(place: Path, path: str, day: date) -> str:
    """Make the book of the year before *day*: rated, corrected, with an official list and a queue; return a member."""
    actor = Actor("demo", moment(now()))
    federation = year_before(build_federation(MEMBERS, 2, day.year - 1), day - timedelta(days=DAYS_OF_REST))
    for name, data in federation_files(federation):
        file = place / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
    with closing(
        create_book(path, Profile(name="Example Federation", contact="ratings@example.org"), actor)
    ) as book:
        import_members(book, place / "members.csv", actor)
        import_memberships(book, place / "memberships.csv", actor)
        import_external_ratings(book, place / "external-ratings.csv", actor)
        import_opening_balances(book, place / "opening-balances.csv", actor)
        import_reports(book, place, day, actor, accepted=["all"])
        rate_ready(book, actor)
        _correct(book, place, actor)
        publish(book, f"{day:%Y-%m}", day, actor)
        send_waiting(book, federation, day, actor)
    return federation.members[0].facts.id


def year_before(federation: InventedFederation, last: date) -> InventedFederation:
    """Return a federation with what arrived in the year before the *last* day, so that its memberships hold."""
    arrivals = tuple(
        arrival
        for arrival in federation.arrivals
        if arrival.received <= last
        if max(section.end for section in arrival.report.sections) > last - timedelta(days=365)
    )
    events = {arrival.report.event.id for arrival in arrivals}
    return federation._replace(
        arrivals=arrivals,
        external_ratings=tuple(rating for rating in federation.external_ratings if rating.list_date <= last),
        corrections=tuple(
            correction
            for correction in federation.corrections
            if not correction.event_id or correction.event_id in events
        ),
    )


def arriving_reports(federation: InventedFederation, day: date) -> Iterator[Report]:
    """Yield a late report in which the first seat has a wrong id, a late one that is right, and one that is in time."""
    played = next(arrival.report for arrival in federation.arrivals if len(arrival.report.sections) == 1)
    section = played.sections[0]
    for name, days in DAYS_AGO.items():
        end = day - timedelta(days=days)
        entries, players = section.entries, dict(played.players)
        if name not in {LATE, READY}:
            first = entries[0]
            entries = (first._replace(player=WRONG_ID), *entries[1:])
            players[WRONG_ID] = PlayerFacts(WRONG_ID, players.pop(first.player).name)
        now = section._replace(start=end, end=end, entries=entries)
        yield Report(Event(name=name, start=end, end=end), players, (now,))


def send_waiting(book: Book, federation: InventedFederation, day: date, actor: Actor) -> None:
    """Send in reports that the office finds in its queue; the warnings of one are accepted, so that it is ready."""
    for report in arriving_reports(federation, day):
        data, name = stored_bytes(report), f"{report.event.name}.json"
        accepted = ["all"] if report.event.name == READY else []
        submit(book, Incoming(load_bytes(data, name), name, day, accepted=accepted), actor)


def _correct(book: Book, place: Path, actor: Actor) -> None:
    apply_corrections(book, place / "corrections.csv", actor, accepted=["all"])
    rate_ready(book, actor)
    rerate(book, actor)


def _make_accounts(place: str, director: str) -> dict[str, str]:
    passwords: dict[str, str] = {}
    with closing(open_store(place)) as store, store.writing() as connection:
        for role in Role:
            member = director if role is Role.DIRECTOR else ""
            account = add_account(connection, role.value, role, member, (), now())
            if account is not None:
                passwords[role.value] = new_token(random_bytes, PASSWORD_BYTES)
                stored = hashed(passwords[role.value], random_bytes(SALT_BYTES))
                set_password(connection, account.id, stored)
    return passwords
