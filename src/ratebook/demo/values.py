"""What an invented federation is made of: frozen values, as tests, benchmarks and files take them."""

from datetime import date
from enum import StrEnum
from typing import NamedTuple

from ratebook.formats.contract import Hints
from ratebook.model import EnteredFloor, PlayerFacts, Rating, Report, System


class Habit(StrEnum):
    """What an arrival is, and what went wrong with it."""

    OPEN = "weekend open"
    SCHOLASTIC = "scholastic event"
    CLUB = "club tournament"
    NIGHT = "quick or blitz night"
    QUADS = "quads"
    ONLINE = "online event"
    MATCH = "match"
    FOREIGN = "foreign FIDE event"
    LATE = "late report"
    DUPLICATE = "reported twice"
    WRONG_RESULT = "wrong result"
    WRONG_MEMBER = "id of another member"
    UNKNOWN_MEMBER = "id of nobody"
    WRONG_DATE = "wrong date"
    WRONG_TIME_CONTROL = "wrong time control"
    NOT_TO_RATE = "section that should not be rated"


class CorrectionSubject(StrEnum):
    """What a correction changes."""

    RESULT = "result"
    MEMBER = "member"
    DATE = "date"
    TIME_CONTROL = "time-control"
    WITHDRAW = "withdraw"
    BIRTH_DATE = "birth-date"


class ExternalSource(StrEnum):
    """Whose rating list an external rating is from."""

    FIDE = "fide"
    CFC = "cfc"


class Member(NamedTuple):
    """A member: the facts of the members list, the home state, and the last day of the latest membership."""

    facts: PlayerFacts
    state: str
    expires: date


class MembershipSpan(NamedTuple):
    """One membership, both days included."""

    member: str
    starts: date
    expires: date


class RatingAbroad(NamedTuple):
    """A member's rating on one list of another federation."""

    member: str
    source: ExternalSource
    list_date: date
    rating: int


class OpeningBalance(NamedTuple):
    """A member's rating in one system before the first event; ``rating.as_of`` is its day."""

    member: str
    system: System
    rating: Rating
    floor: EnteredFloor | None


class Arrival(NamedTuple):
    """A report as it came to the office, by its *number* from 1, without ratings and birth dates.

    *hints* are what its format cannot say, *habits* the kind of its event and what is wrong with it.
    """

    number: int
    report: Report
    received: date
    format: str
    hints: Hints
    habits: tuple[Habit, ...]


class Correction(NamedTuple):
    """A correction that the office makes when everything has arrived; of a birth date without an event.

    The *value* is the right result letter of the seat, member id, first day or time control, or the member whose birth
    date is wrong; the *opponent_value* the opponent's letter, the last day, or the birth date.
    """

    on: date
    by: str
    kind: CorrectionSubject
    event_id: str = ""
    section: int | None = None
    seat: int | None = None
    round: int | None = None
    value: str = ""
    opponent_value: str = ""
    reason: str = ""


class InventedFederation(NamedTuple):
    """An invented federation; arrivals are in the order in which they came in."""

    members: tuple[Member, ...]
    memberships: tuple[MembershipSpan, ...]
    external_ratings: tuple[RatingAbroad, ...]
    opening_balances: tuple[OpeningBalance, ...]
    arrivals: tuple[Arrival, ...]
    corrections: tuple[Correction, ...]

    @property
    def sections(self) -> int:
        """How many sections arrived, those of duplicates included."""
        return sum(len(arrival.report.sections) for arrival in self.arrivals)

    @property
    def games(self) -> int:
        """How many rated games arrived, those of duplicates included."""
        cells = (
            cell
            for arrival in self.arrivals
            for section in arrival.report.sections
            for entry in section.entries
            for cell in entry.rounds
        )
        return sum(cell.rated for cell in cells) // 2
