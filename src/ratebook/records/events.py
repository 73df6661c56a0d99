"""Events, their sections and crosstables, and what was changed in them after they were rated."""

from datetime import date

from ratebook.model import InitialRating, Shown, System
from ratebook.records.players import PublicCause
from ratebook.records.record import Office, record


@record
class FoundEvent:
    """An event in a list of events; *start* and *end* are those of its sections."""

    id: str
    name: str
    start: date | None
    end: date
    city: str
    state: str
    sections: int
    players: int
    withdrawn: bool


@record
class EventSection:
    """A section of an event, the systems that rated it, and the number of its players."""

    number: int
    name: str
    end: date
    time_control: str
    type: str
    systems: tuple[System, ...]
    players: int
    withdrawn: bool


@record
class WholeEvent:
    """An event with its sections."""

    id: str
    name: str
    start: date | None
    end: date | None
    place: str
    affiliate: str
    chief_td: str
    sections: tuple[EventSection, ...]


@record
class CrosstableLine:
    """A line of a crosstable; a round is the letter of its result and the seat of the opponent.

    The rating after is *withheld* where it would tell an age. A newcomer's *initial* rating is no public one. The score
    that published ratings *expected*, and the *performance* rating, are there if all opponents were rated before.
    """

    system: System
    seat: int
    player: str
    name: str
    before: Shown | None
    initial: Office[InitialRating | None] = None
    after: Shown | None
    withheld: bool = False
    points: float
    expected: float | None = None
    performance: int | None = None
    rounds: tuple[str, ...]


@record
class Crosstable:
    """A section in one system, by points, then by the rating after, then by seat; *event* may have no id yet."""

    event: str
    event_name: str
    section: int
    section_name: str
    end: date
    system: System
    lines: tuple[CrosstableLine, ...]


@record
class EventDecision:
    """A decision about an event: its day, what was decided, and the section, where it is about one."""

    day: str
    words: str
    section: int | None


@record
class EventRerating:
    """What a re-rating changed in one system of a section.

    So many ratings *moved*, by so many points at most (*largest*), and so many are *gone*.
    """

    day: str
    section: int
    system: System
    moved: int
    largest: int
    gone: int
    because: tuple[PublicCause, ...]


@record
class EventChanges:
    """What was changed in an event after it was rated, the newest first; and whether a decision about it *waits*."""

    decisions: tuple[EventDecision, ...]
    reratings: tuple[EventRerating, ...]
    waits: bool
