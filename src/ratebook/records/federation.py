"""The federation: what is served, rankings, official lists, rules."""

from datetime import date

from ratebook.model import Shown, System
from ratebook.records.record import Office, record


@record
class BookSummary:
    """The federation's book; *revision* rises with every change of a rating."""

    name: str
    revision: int
    newest_section: date | None
    newest_list: str | None
    systems: tuple[System, ...]
    version: str


@record
class RankingPlace:
    """A place of a ranking; ratings that are published as equal share a rank. *official*: that of the newest list."""

    rank: int
    player: str
    name: str
    state: str
    rating: Office[float] = 0.0
    current: Shown
    official: Shown | None = None


@record
class ListSummary:
    """An official list: its month, the last day whose sections count, how many ratings it has."""

    month: str
    cut_off: date
    ratings: int
    published_at: str
    published_by: Office[str] = ""


@record
class RatingOfList:
    """A rating of an official list; name and state are what the book says today."""

    player: str
    name: str
    state: str
    system: System
    official: Shown


@record
class RuleInForce:
    """A rule in force, since when, and where it is written; *status* is documented, published or inferred."""

    rule: str
    value: float | str
    since: date
    status: str
    document: str
    where: str
    note: str


@record
class Activity:
    """How much was rated of late, and when the book was rated last; None: never."""

    games: int
    sections: int
    rated_at: str | None


@record
class BigChange:
    """A section that moved a rating far."""

    player: str
    name: str
    system: System
    before: Shown
    after: Shown
    event: str
    section: int


@record
class RatingBand:
    """How many players have a rating of *least* points or up to 99 more."""

    least: int
    players: int
