"""An invented federation, put together: members, balances, what arrived at the office, and what it corrects later."""

from collections.abc import Callable
from datetime import date

from ratebook.demo.arrivals import SentIn, arrived, dated, sent_in
from ratebook.demo.calendar import plan_events
from ratebook.demo.chance import Chance
from ratebook.demo.events import Organizer
from ratebook.demo.mistakes import Mishaps, wrong_birth_dates
from ratebook.demo.names import invent_clubs
from ratebook.demo.people import invent_people, with_records
from ratebook.demo.values import InventedFederation

LEAST_MEMBERS = 20
MOST_MEMBERS = 1_000_000
EARLIEST_YEAR = 2016
LATEST_YEAR = 2100


def build_federation(
    members: int = 2_000,
    years: int = 6,
    first_year: int = 2020,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> InventedFederation:
    """Return an invented federation; the same arguments give the same values, everywhere.

    Args:
        members: how many members there are in the end; about 60 of 100 are rated before the first event.
        years: calendar years with events.
        first_year: the first of them; blitz and online ratings must exist.
        seed: another seed gives another federation.
        progress: called with the events held so far and their number.

    Raises:
        ValueError: fewer than 20 or more than 1,000,000 members, no year, or years outside 2016 to 2100.

    >>> federation = build_federation(members=20, years=1)
    >>> federation.members[0].facts.id, federation.arrivals[0].number
    ('90000001', 1)
    """
    if not LEAST_MEMBERS <= members <= MOST_MEMBERS:
        raise ValueError(f"members must be from {LEAST_MEMBERS} to {MOST_MEMBERS}, not {members}")
    if years < 1 or first_year < EARLIEST_YEAR or first_year + years - 1 > LATEST_YEAR:
        raise ValueError(f"years must lie within {EARLIEST_YEAR} to {LATEST_YEAR}")
    first, last = date(first_year, 1, 1), date(first_year + years - 1, 12, 31)
    clubs = invent_clubs(Chance(seed, "clubs"), members)
    people = invent_people(Chance(seed, "people"), clubs, members, first, last)
    chance = Chance(seed, "balances")
    recorded = [with_records(chance, person, first, last) for person in people]
    organizer = Organizer(Chance(seed, "play"), clubs, recorded)
    planned = plan_events(Chance(seed, "calendar"), members, len(clubs), first, last)
    mishaps = Mishaps(Chance(seed, "mistakes"), [person.id for person in people], first)
    chance = Chance(seed, "arrivals")
    on_the_way: list[SentIn] = []
    for number, plan in enumerate(planned, start=1):
        event = organizer.hold(plan)
        if event is not None:
            on_the_way += sent_in(chance, mishaps, event, number)
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
