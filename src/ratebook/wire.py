"""What programs read of a server, field by field: nothing is published that is not written here.

``null`` always means that there is none. Server and client share these types.
"""

from datetime import date
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from ratebook.model import System

Item = TypeVar("Item")


class PublishedRating(Struct, frozen=True):
    """A rating as it is published; *provisional_games*, such as 12 or 12.5, is null for an established one."""

    rating: int
    provisional_games: float | None


class CurrentRating(Struct, frozen=True):
    """A player's rating in one system after everything that is rated so far, and that of the ``official_list``.

    *as_of* is the end of the last section or the day of the opening balance, null where only the list has a rating.
    """

    system: System
    current: PublishedRating | None
    official: PublishedRating | None
    rating_class: str
    as_of: date | None


class Title(Struct, frozen=True):
    """A title and the day on which it was earned."""

    code: str
    name: str
    earned: date


class Norm(Struct, frozen=True):
    """A norm: its level, the section that earned it, points made and expected there."""

    level: int
    event: str
    section: int
    end: date
    score: float
    expected: float


class FoundPlayer(Struct, frozen=True):
    """A player found by id or name."""

    id: str
    name: str
    state: str
    federation: str
    club: str


class Player(Struct, frozen=True):
    """What anyone may know of a player; *earlier_ids* were merged into this one.

    *official_list* is the month of the list whose ratings are official, *missing_list* that of one due and unpublished.
    """

    id: str
    name: str
    state: str
    earlier_ids: list[str]
    ratings: list[CurrentRating]
    titles: list[Title]
    norms: list[Norm]
    rated_sections: int
    official_list: str | None
    missing_list: str | None


class SectionResult(Struct, frozen=True):
    """What a section did to a player's rating in one system; *before* is null for who was unrated.

    Where *moved* says ``adjusted`` or ``raised``, the office moved the rating, and there is no section.
    """

    event: str | None
    event_name: str | None
    section: int | None
    section_name: str | None
    end: date
    system: System
    before: PublishedRating | None
    after: PublishedRating
    score: float
    games: int
    at_floor: bool
    moved: str | None


class Opponent(Struct, frozen=True):
    """A player's games against one opponent; points are compared where both were rated."""

    opponent: str
    name: str
    games: int
    wins: int
    draws: int
    losses: int
    points_of_rated: float
    expected_of_rated: float | None


class HeadToHead(Struct, frozen=True):
    """A player's score against one other in a system; *colour* is null for all games, points are as in `Opponent`."""

    system: System
    colour: str | None
    games: int
    wins: int
    draws: int
    losses: int
    points_of_rated: float
    expected_of_rated: float | None


class GameOfPlayer(Struct, frozen=True):
    """A rated game from the player's side; ratings are those before the section, null where unrated."""

    event: str
    section: int
    end: date
    round: int
    system: System
    opponent: str
    opponent_name: str
    score: float
    colour: str | None
    rating: int | None
    opponent_rating: int | None


class OfficialRating(Struct, frozen=True):
    """A rating in an official list, by its month."""

    month: str
    system: System
    rating: PublishedRating


class PlayerChange(Struct, frozen=True):
    """A rating that was changed after it was first given; *then* is null where it is no more, *until* the day."""

    event: str | None
    event_name: str | None
    section: int | None
    end: date
    system: System
    was: PublishedRating | None
    then: PublishedRating | None
    until: str
    because: list[str]


class EventChange(Struct, frozen=True):
    """What was decided about an event since it was rated (*decision*), or what a re-rating changed in it.

    A re-rating says how many ratings *moved*, by how many points at most (*largest*), and how many are *gone*.
    """

    day: str
    section: int | None
    decision: str | None
    system: System | None
    moved: int | None
    largest: int | None
    gone: int | None
    because: list[str]


class FigureRange(Struct, frozen=True):
    """The least and the most that a figure is over all ages of players whose ages are not public."""

    least: float
    most: float


class ExplainedGame(Struct, frozen=True):
    """A game as a step saw it."""

    round: int
    opponent: str
    score: float
    opponent_rating: float | FigureRange
    expected: float | FigureRange


class OwnGame(Struct, frozen=True):
    """A rated game; *rating_before* is the opponent's published one, null for "unrated"; *colour* is w, b or empty."""

    round: int
    colour: str
    opponent_seat: int
    opponent: str
    score: float
    rating_before: int | None


class ExplainedRule(Struct, frozen=True):
    """A rule that a step used, and where it is written."""

    rule: str
    value: float | str
    document: str
    where: str
    status: str


class RatingStep(Struct, frozen=True):
    """A step of a calculation, with its figures by name."""

    title: str
    text: list[str]
    figures: dict[str, float | str | FigureRange | None]
    games: list[ExplainedGame]
    rules: list[ExplainedRule]


class RatingExplanation(Struct, frozen=True):
    """Why a rating moved; unless it is *exact*, figures are computed from published ratings, and *games* are listed."""

    system: System
    rules_date: str
    short: list[str]
    steps: list[RatingStep]
    exact: bool
    games: list[OwnGame]


class FoundEvent(Struct, frozen=True):
    """An event in a list of events; *start* and *end* are those of its sections."""

    id: str
    name: str
    start: date | None
    end: date
    city: str
    state: str
    sections: int
    players: int


class EventSection(Struct, frozen=True):
    """A section of an event, and the systems that rate it."""

    number: int
    name: str
    end: date
    time_control: str
    type: str
    systems: list[System]
    players: int
    withdrawn: bool


class WholeEvent(Struct, frozen=True):
    """An event with its sections."""

    id: str
    name: str
    start: date | None
    end: date | None
    place: str
    affiliate: str
    chief_td: str
    sections: list[EventSection]


class CrosstableLine(Struct, frozen=True):
    """A line of a crosstable; a round is the letter of its result and the seat of the opponent."""

    system: System
    seat: int
    player: str
    name: str
    before: PublishedRating | None
    after: PublishedRating | None
    points: float
    rounds: list[str]


class RankingPlace(Struct, frozen=True):
    """A place of a ranking."""

    rank: int
    player: str
    name: str
    state: str
    rating: PublishedRating


class ListSummary(Struct, frozen=True):
    """An official list: its month, the last day whose sections count, how many ratings it has."""

    month: str
    cut_off: date
    ratings: int


class RatingOfList(Struct, frozen=True):
    """A rating of an official list; the name is what the book says today."""

    player: str
    name: str
    system: System
    rating: PublishedRating


class RuleInForce(Struct, frozen=True):
    """A rule in force, since when, and where it is written; *status* is documented, published or inferred."""

    rule: str
    value: float | str
    since: date
    status: str
    document: str
    where: str


class RatingNow(Struct, frozen=True):
    """A rating after everything that is rated so far."""

    system: System
    current: PublishedRating
    rating_class: str
    as_of: date


class PlayerNow(Struct, frozen=True):
    """A player as the book has him now."""

    id: str
    name: str
    state: str
    ratings: list[RatingNow]
    titles: list[Title]


class SectionNow(Struct, frozen=True):
    """A section as the book has it now, and the systems in which it is rated; its standings lie at the address."""

    event: str
    event_name: str
    number: int
    name: str
    end: date
    systems: list[System]
    withdrawn: bool


class Change(Struct, frozen=True):
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


class BookSummary(Struct, frozen=True):
    """The federation's book; *revision* rises with every change of a rating."""

    name: str
    revision: int
    newest_section: date | None
    newest_list: str | None
    systems: list[System]
    version: str


class Items(Struct, Generic[Item], frozen=True):
    """A part of a collection; *next* is the cursor of the part that follows, null where this is the last."""

    items: list[Item]
    next: str | None = None


class SaidFinding(Struct, frozen=True):
    """A finding (docs/findings.md)."""

    code: str
    severity: str
    where: str
    message: str
    remedy: str


class Problem(Struct, omit_defaults=True, frozen=True):
    """A problem with *code* and *remedy* of the first finding; *allowed* is what a wrong *parameter* takes."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str = ""
    remedy: str = ""
    parameter: str = ""
    allowed: str = ""
    findings: list[SaidFinding] = []


class TriedPlayer(Struct, frozen=True):
    """A player of a section that was tried; *after* is not official.

    It is *withheld* where it depends on the age of a player who had no rating, until the report is rated.
    """

    seat: int
    name: str
    before: PublishedRating | None
    after: PublishedRating | None
    withheld: bool
    points: float
    rounds: list[str]


class TriedSection(Struct, frozen=True):
    """A section as it would be rated in one system."""

    number: int
    name: str
    system: System
    players: list[TriedPlayer]


class ReportPreview(Struct, frozen=True):
    """What would become of a report by what the book knows at a *revision*: nothing of it is stored or official.

    There are no sections where a finding is an error. *known* is the submission that said the same before.
    """

    name: str
    source: str
    revision: int
    event_name: str | None
    known: int | None
    findings: list[SaidFinding]
    sections: list[TriedSection]


class SubmissionStatus(Struct, frozen=True):
    """A report in the queue of the office, and what holds it back or was found."""

    number: int
    event: str
    event_name: str
    source: str
    received: date
    status: str
    findings: list[SaidFinding]


class PrivateFacts(Struct, frozen=True):
    """What the office knows of a person; a text that is not known is empty."""

    id: str
    name: str
    birth_date: date | None
    adult: bool | None
    state: str
    canadian_resident: bool
    usa_flag: bool
    fide_opt_in: bool
    fide_id: str
    sex: str
    title: str
    federation: str
    club: str
