"""The values that travel through the program: reports, players, sections, results.

Everything here is immutable. A report says what a tournament director or an office knows; nothing in it is computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import IntFlag, StrEnum
from types import MappingProxyType
from typing import NamedTuple


class System(StrEnum):
    """One of the six rating systems of the February 2025 specification."""

    REGULAR = "regular"
    QUICK = "quick"
    BLITZ = "blitz"
    ONLINE_REGULAR = "online-regular"
    ONLINE_QUICK = "online-quick"
    ONLINE_BLITZ = "online-blitz"

    # The enumeration's own is written in Python, and systems are the keys of most tables.
    __hash__ = str.__hash__

    @property
    def online(self) -> bool:
        """Whether the system rates online events."""
        return self.value.startswith("online-")


class Record(StrEnum):
    """What all rated games of a player in one system have been so far."""

    MIXED = "mixed"
    WINS = "wins"
    LOSSES = "losses"


class Bound(IntFlag):
    """What a rating says as a lower bound only: the true figure may be higher."""

    PEAK = 1
    COUNTS = 2
    LIFE_MASTER_GAMES = 4


class SectionType(StrEnum):
    """How a section was played; only ``match`` and ``fide`` change how it is rated."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    MATCH = "match"
    FIDE = "fide"
    OTHER = "other"


class FloorKind(StrEnum):
    """Who or what set a floor that the office has entered."""

    MONEY = "money"
    OLM = "olm"
    LOWERED = "lowered"
    OFFICE = "office"


class FloorRequest(StrEnum):
    """The office's answer to a match result below a floor."""

    PENDING = "pending"
    GRANTED = "granted"
    DENIED = "denied"


class Sex(StrEnum):
    """A player's sex, as FIDE and federations register it; ``x`` is neither."""

    FEMALE = "f"
    MALE = "m"
    OTHER = "x"


class Rating(NamedTuple):
    """A rating in one system and what it rests on.

    Attributes:
        rating: rating points, full precision.
        games: N, the games it is based on; None means established, number unknown.
        wins, draws, losses: rated games of each kind; None where unknown.
        record: whether all rated games were wins or losses; None where it follows from the counts, else mixed.
        long_events: sections with three or more rated games; None where unknown.
        peak: highest established post-event rating; None where unknown or never established.
        life_master_games: games played from an established rating of 2200 or more; None where unknown.
        published: the official rating, for match eligibility.
        published_games: games the official rating is based on; None means established.
        as_of: the day the rating was computed, for its staleness.
        at_least: which of peak, counts and life_master_games are only lower bounds.
    """

    rating: float
    games: float | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    record: Record | None = None
    long_events: int | None = None
    peak: float | None = None
    life_master_games: int | None = None
    published: int | None = None
    published_games: float | None = None
    as_of: date | None = None
    at_least: Bound = Bound(0)


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as it is published, without decimals; *provisional_games*, say 12.5, is null for an established one."""

    rating: int
    provisional_games: float | None = None


class ForeignRating(NamedTuple):
    """A FIDE or CFC rating and the date of its list."""

    rating: float
    as_of: date | None = None


class InitialRating(NamedTuple):
    """An initial rating that the office decided; it overrides Step 1."""

    rating: float
    games: float = 0


class EnteredFloor(NamedTuple):
    """A floor that the office has entered for one system."""

    system: System
    kind: FloorKind
    floor: float


class Ceiling(NamedTuple):
    """A level above which a rating may not rise (an Executive Director's decision)."""

    system: System
    ceiling: float


class EarlierMatch(NamedTuple):
    """The rating change of an earlier match, for the limits of match play."""

    system: System
    end: date
    change: float


class PlayerFacts(NamedTuple):
    """All that is known of one player before the event.

    Attributes:
        id: the report's own key for the player, or the member id; always text.
        ratings: ratings before the event; a system that is absent means unrated in it.
        initial: office decisions that override Step 1, by system.
        titles: codes of the titles held, separated by spaces (``C NM``).
        pairing_rating: the rating by which the player was paired; it names no system, and rates only who has no rating.
        fide_id: the player's number at FIDE, which is never a member id.
        federation: FIDE's code of the player's federation.
        title: FIDE title, as the file writes it (GM, m).
        club: club or school.
        state: the player's home.
    """

    id: str
    name: str = ""
    birth_date: date | None = None
    adult: bool | None = None
    canadian_resident: bool = False
    ratings: Mapping[System, Rating] = MappingProxyType({})
    fide: ForeignRating | None = None
    cfc: ForeignRating | None = None
    floors: tuple[EnteredFloor, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    us_member: bool = False
    usa_flag: bool = False
    fide_opt_in: bool = False
    matches: tuple[EarlierMatch, ...] = ()
    initial: Mapping[System, InitialRating] = MappingProxyType({})
    titles: str = ""
    pairing_rating: float | None = None
    fide_id: str = ""
    federation: str = ""
    sex: Sex | None = None
    title: str = ""
    club: str = ""
    state: str = ""


class Cell(NamedTuple):
    """One round of one seat: a result letter, the opponent's seat and the colour.

    Letters: ``W L D`` played; ``N S R`` played, reported by one side only (win, loss, draw); ``X F Z`` forfeit win,
    loss, draw; ``B H U`` full bye, half bye, unpaired; empty: nothing. Only ``W L D N S R`` are rated games.
    """

    letter: str = ""
    opponent: int | None = None
    colour: str = ""

    @property
    def rated(self) -> bool:
        """Whether the cell is a rated game."""
        return self.letter in SCORES

    @property
    def points(self) -> float:
        """Points for the standings, byes and forfeits included."""
        return POINTS[self.letter]


SCORES = {"W": 1.0, "D": 0.5, "L": 0.0, "N": 1.0, "R": 0.5, "S": 0.0}
"""Scores of rated games by result letter."""

POINTS = {**SCORES, "X": 1.0, "Z": 0.5, "F": 0.0, "B": 1.0, "H": 0.5, "U": 0.0, "": 0.0}
"""Points for the standings by result letter."""

MIRROR = {"W": "L", "L": "W", "D": "D"}
"""The letter that the opponent must have; asymmetric results have none."""


class Entry(NamedTuple):
    """One seat of a section: who sits there and what happened in each round.

    Attributes:
        rank: the final rank, where a file's own ranks are not those of the points.
    """

    seat: int
    player: str
    rounds: tuple[Cell, ...]
    update: bool = False
    floor_request: FloorRequest | None = None
    rank: int | None = None


class Section(NamedTuple):
    """The unit that is rated.

    Attributes:
        start: first day, or None where unknown (the end date then selects the rules).
        end: last day.
        time_control: as the tournament director wrote it; None where the report does not say.
        half_k: rated at half K (sections that start before March 2006 only).
        youth: a foreign FIDE youth event (chooses the youth conversion).
        chief_td, assistant_td: directors of the section; empty: those of the event.
        scholastic: level of a scholastic section, as 2C codes it (S, P, J).
        grand_prix, grand_prix_points: whether the section gives points of the Grand Prix, and how many.
        fide_rated: whether FIDE rates the section too.
        described: how the section was played, in a tournament report's own words (record 092).
        pairing_system: FIDE's code of it (record 192).
        trf_records: lines of a tournament report that say what no other format does, as they are.
    """

    number: int
    name: str
    start: date | None
    end: date
    time_control: str | None
    type: SectionType = SectionType.OTHER
    online: bool = False
    half_k: bool = False
    youth: bool = False
    entries: tuple[Entry, ...] = ()
    chief_td: str = ""
    assistant_td: str = ""
    scholastic: str = ""
    grand_prix: bool = False
    grand_prix_points: int | None = None
    fide_rated: bool = False
    described: str = ""
    pairing_system: str = ""
    trf_records: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the section in short, without its entries."""
        return (
            f"<Section {self.number} {self.name!r}, {self.start} to {self.end}, entries: {len(self.entries)}>"
        )

    @property
    def rules_date(self) -> date:
        """The day whose rules apply: the start, or the end where no start is known.

        Source: docs/rules/readings.md#2-dated-values.
        """
        return self.start if self.start is not None else self.end

    def with_ids(self, ids: Mapping[str, str]) -> "Section":
        """Return the section with other *ids* for the players who have them there."""
        return self._replace(
            entries=tuple(
                entry._replace(player=ids.get(entry.player, entry.player)) for entry in self.entries
            )
        )


class Event(NamedTuple):
    """The header of a report.

    Attributes:
        assistant_td: assistants of the chief director, separated by semicolons where there are several.
        other_tds: the other directors, as the file lists them.
    """

    id: str = ""
    name: str = ""
    start: date | None = None
    end: date | None = None
    city: str = ""
    state: str = ""
    country: str = ""
    affiliate: str = ""
    chief_td: str = ""
    assistant_td: str = ""
    other_tds: str = ""
    postal_code: str = ""


class SectionPrize(NamedTuple):
    """A cash prize that a player won on the last day of a section.

    Attributes:
        section: number of the section.
        player: key of who won it.
        amount: dollars.
        limit: upper limit of the section or prize: it was open to players rated below.
    """

    section: int
    player: str
    amount: float
    limit: float


class Report(NamedTuple):
    """One event with everything that rating it needs."""

    event: Event
    players: Mapping[str, PlayerFacts]
    sections: tuple[Section, ...]
    prizes: tuple[SectionPrize, ...] = ()

    def __repr__(self) -> str:
        """Return the report in short: its name and its sections."""
        return f"<Report {self.event.name!r}, players: {len(self.players)}, sections: {list(self.sections)}>"
