"""An invented federation, put together: members, balances, what arrived at the office, and what it corrects later."""

from collections.abc import Callable
from datetime import date, timedelta
from itertools import groupby

from ratebook.demo.arrivals import Mishaps, SentIn, arrived, dated, sent_at_once, sent_in, wrong_birth_dates
from ratebook.demo.chance import Chance
from ratebook.demo.events import Organizer, plan_events, with_last_weekend
from ratebook.demo.names import Names, invent_clubs
from ratebook.demo.people import invent_people, rated_in_all_systems, with_records
from ratebook.demo.values import InventedFederation, MembershipSpan

LEAST_MEMBERS = 20
MOST_MEMBERS = 1_000_000
EARLIEST, LATEST = date(2016, 1, 1), date(2100, 12, 31)
START = date(2020, 1, 1)
_DAY, _YEAR = timedelta(days=1), timedelta(days=365)
_LAPSED = 6
"""How many memberships of a recent federation have lapsed."""


def build_federation(  # noqa: PLR0913 - how many, when, and how the years end
    members: int = 2_000,
    years: int = 6,
    start: date = START,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
    *,
    recent: bool = False,
) -> InventedFederation:
    """Return an invented federation; the same arguments give the same values, everywhere.

    Args:
        members: how many members there are in the end; about 60 of 100 are rated before the first event.
        years: years with events.
        start: the first day of them; blitz and online ratings must exist.
        seed: another seed gives another federation.
        progress: called with the events held so far and their number.
        recent: whether the years end on a Sunday, until which those who play most often meet at the first club, and
            strong players are rated in all systems from the beginning.

    Raises:
        ValueError: fewer than 20 or more than 1,000,000 members, no year, or years outside 2016 to 2100.

    >>> federation = build_federation(members=20, years=1)
    >>> federation.members[0].facts.id, federation.arrivals[0].number
    ('90000001', 1)
    """
    if not LEAST_MEMBERS <= members <= MOST_MEMBERS:
        raise ValueError(f"members must be from {LEAST_MEMBERS} to {MOST_MEMBERS}, not {members}")
    if years < 1 or start < EARLIEST or start.year + years - 1 > LATEST.year:
        raise ValueError(f"years must lie within {EARLIEST.year} to {LATEST.year}")
    last = date(start.year + years, start.month, 1) + timedelta(days=start.day - 2)
    names = Names(Chance(seed, "names"))
    clubs = invent_clubs(Chance(seed, "clubs"), members)
    people = invent_people(Chance(seed, "people"), names, clubs, members, start, last)
    chance = Chance(seed, "balances")
    recorded = [with_records(chance, person, start, last) for person in people]
    if recent:
        chance = Chance(seed, "balances in all systems")
        recorded = [rated_in_all_systems(chance, person, start) for person in recorded]
    organizer = Organizer(Chance(seed, "play"), names, clubs, recorded)
    planned = plan_events(Chance(seed, "calendar"), members, len(clubs), start, last)
    if recent:
        planned = with_last_weekend(planned, len(clubs), last)
    mishaps = Mishaps(Chance(seed, "mistakes"), [person.id for person in people], start)
    chance = Chance(seed, "arrivals")
    on_the_way: list[SentIn] = []
    for number, plan in enumerate(planned, start=1):
        report = organizer.hold(plan)
        if report is not None and plan.for_regulars:
            on_the_way.append(sent_at_once(plan, report, number))
        elif report is not None:
            on_the_way += sent_in(chance, mishaps, plan, report, number)
        if progress is not None:
            progress(number, len(planned))
    arrivals, corrections = arrived(on_the_way)
    listed, of_birth_dates = wrong_birth_dates(
        Chance(seed, "birth dates"), [member.person for member in recorded]
    )
    return InventedFederation(
        members=tuple(person.member for person in listed),
        memberships=tuple(span for person in people for span in person.spans),
        external_ratings=tuple(rating for member in recorded for rating in member.external),
        opening_balances=tuple(balance for member in recorded for balance in member.balances),
        arrivals=arrivals,
        corrections=dated((*corrections, *of_birth_dates), arrivals),
    )


def recent_federation(
    members: int, years: int, today: date, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> InventedFederation:
    """Return a federation whose *years* end on the Sunday before *today*, with what has arrived until today.

    Whoever has played or directed in the last year is a member; a few others have let their membership lapse.
    """
    last = today - timedelta(days=today.isoweekday())
    start = date(last.year - years, last.month, 1) + timedelta(days=last.day)
    federation = build_federation(members, years, start, seed, progress, recent=True)
    arrivals = tuple(arrival for arrival in federation.arrivals if arrival.received <= today)
    events = {arrival.report.event.id for arrival in arrivals} | {""}
    return _renewed(federation, today)._replace(
        arrivals=arrivals,
        corrections=tuple(
            correction._replace(on=today)
            for correction in federation.corrections
            if correction.event_id in events
        ),
    )


def _renewed(federation: InventedFederation, today: date) -> InventedFederation:
    """Return *federation* with memberships without a gap in the last year, but for a few that lapsed long ago."""
    year_ago = today - _YEAR
    active = {arrival.report.event.chief_td for arrival in federation.arrivals}
    for arrival in federation.arrivals:
        for section in arrival.report.sections:
            if section.end >= year_ago:
                active |= {entry.player for entry in section.entries}
    lapsed = sorted(
        (member.expires, member.facts.id)
        for member in federation.members
        if member.expires < today and member.facts.id not in active
    )
    lapsed_members = {key for _, key in lapsed[:_LAPSED]}
    memberships: list[MembershipSpan] = []
    for key, group in groupby(federation.memberships, key=lambda span: span.member):
        spans = [*group]
        memberships += spans if key in lapsed_members else _without_gaps(spans, year_ago, today)
    expires = {span.member: span.expires for span in memberships}
    members = (member._replace(expires=expires[member.facts.id]) for member in federation.members)
    return federation._replace(members=tuple(members), memberships=tuple(memberships))


def _without_gaps(spans: list[MembershipSpan], since: date, until: date) -> list[MembershipSpan]:
    """Return memberships each of which, if it ends from *since* to *until*, is renewed at once."""
    renewed = spans[:1]
    for span in spans[1:]:
        starts = renewed[-1].expires + _DAY if span.starts > since else span.starts
        renewed.append(span._replace(starts=starts))
    while renewed[-1].expires < until:
        starts = renewed[-1].expires + _DAY
        renewed.append(MembershipSpan(renewed[-1].member, starts, starts + _YEAR - _DAY))
    return renewed
