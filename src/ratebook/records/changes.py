"""What changed last in a book, for copies that follow it."""

from datetime import date
from typing import Literal

from ratebook.model import Shown, System
from ratebook.records.federation import ListSummary
from ratebook.records.players import Title
from ratebook.records.record import record


@record
class RatingNow:
    """A rating after everything that is rated so far."""

    system: System
    current: Shown
    rating_class: str
    as_of: date


@record
class PlayerNow:
    """A player as the book has him now."""

    id: str
    name: str
    state: str
    ratings: tuple[RatingNow, ...]
    titles: tuple[Title, ...]


@record
class SectionNow:
    """A section as the book has it now, and the systems in which it is rated; its standings lie at the address."""

    event: str
    event_name: str
    number: int
    name: str
    end: date
    systems: tuple[System, ...]
    withdrawn: bool


@record
class Change:
    """What changed last at a revision, where it is found, and what it is now.

    A ``player`` has new facts, ratings or titles; an ``erasure`` is a player whose personal data are gone, and must go
    from copies; a ``merge`` is an id whose games count for that of *into* from now on; a ``section`` was rated, rated
    again, corrected or withdrawn; a ``list`` was published.
    """

    revision: int
    kind: Literal["player", "section", "list", "merge", "erasure"]
    address: str
    player: PlayerNow | None = None
    into: str | None = None
    section: SectionNow | None = None
    list: ListSummary | None = None
