"""Players as anyone, and as the office, may know them: who they are, their ratings, sections, games and opponents."""

from datetime import date

from ratebook.model import Shown, System
from ratebook.records.record import Office, record


@record
class FoundPlayer:
    """A player found by id, by parts of the name, or by what else the book knows; *title* is one of FIDE."""

    id: str
    name: str
    state: str
    club: str
    federation: str
    title: str
    fide_id: Office[str] = ""


@record
class Peak:
    """The highest rating of a player in a system, an established one if there is any, and the first day that had it."""

    rating: int
    as_of: date


@record
class GameRecord:
    """How many of a player's rated games in a system were won, drawn and lost, as far as the book has them."""

    wins: int
    draws: int
    losses: int


@record
class Rank:
    """The place of an official rating among the active players of its list, and how many there are.

    Active is whoever was rated in the system in the twelve months before the cut-off. The same within the player's
    *state*, which is null where none is known.
    """

    place: int
    active: int
    state_place: int | None
    state_active: int | None


@record
class CurrentRating:
    """A player's rating in one system after everything that is rated so far, and that of the ``official_list``.

    *current* and *as_of*, the end of the last section or the day of the opening balance, are null where only the list
    has a rating: its sections were withdrawn since. *games* are those rated in the book; *rank* is null for who is not
    active.
    """

    system: System
    rating: Office[float | None] = None
    current: Shown | None
    official: Shown | None
    rating_class: str
    as_of: date | None
    games: int = 0
    peak: Peak | None = None
    record: GameRecord | None = None
    rank: Rank | None = None

    @property
    def change(self) -> int | None:
        """Return the rating points that it moved since the official list; None where either is missing."""
        return self.current.rating - self.official.rating if self.current and self.official else None


@record
class Title:
    """A title and the day on which it was earned."""

    code: str
    name: str
    earned: date


@record
class Norm:
    """A norm: its level, the section that earned it, points made and expected there."""

    level: int
    event: str
    event_name: str
    section: int
    end: date
    score: float
    expected: float


@record
class NextTitle:
    """A title that a player may earn next: norms made and needed, and the established rating that it takes; 0: any."""

    code: str
    name: str
    level: int
    norms: int
    norms_needed: int
    established: int


@record
class Player(FoundPlayer):
    """A player; *earlier_ids* were merged into this one.

    *rated_games* are counted once, whatever the number of systems; *first_rated* is the end of the first section.
    *official_list* is the month of the list whose ratings are official, *missing_list* that of one due and unpublished.
    """

    earlier_ids: tuple[str, ...]
    ratings: tuple[CurrentRating, ...]
    titles: tuple[Title, ...]
    norms: tuple[Norm, ...]
    rated_sections: int
    rated_games: int
    first_rated: date | None
    next_title: NextTitle | None
    official_list: str | None
    missing_list: str | None


@record
class SectionResult:
    """What a section did to a player's rating in one system; *before* is null for who was unrated.

    Where *moved* says ``adjusted`` or ``raised``, the office moved the rating, and there is no section. *results* has a
    letter for each round: W, D or L for a rated game, X, Z or F for a forfeit, B, H or U for a bye.
    """

    event: str | None
    event_name: str | None
    section: int | None
    section_name: str | None
    end: date
    system: System
    before: Shown | None
    after: Shown
    rating: Office[float] = 0.0
    rating_class: Office[str] = ""
    change: Office[float | None] = None
    score: float
    games: int
    at_floor: bool
    moved: str | None
    results: str

    @property
    def points(self) -> int | None:
        """Return the rating points that it moved, of ratings as they are shown; None for who was unrated."""
        return None if self.before is None else self.after.rating - self.before.rating


@record
class Score:
    """Results of games; points are compared in the *games_of_rated*, those between two who both had a rating."""

    games: int
    wins: int
    draws: int
    losses: int
    games_of_rated: int
    points_of_rated: float
    expected_of_rated: float | None

    @property
    def points(self) -> float:
        """Return the points of all games."""
        return self.wins + self.draws / 2

    @property
    def against_expectation(self) -> str:
        """Return by how much the points made differ from those expected; nothing where none were."""
        if self.expected_of_rated is None:
            return ""
        difference = f"{self.points_of_rated - self.expected_of_rated:+.1f}"
        return "0.0" if float(difference) == 0.0 else difference


@record
class Opponent:
    """A player's games against one opponent in a system."""

    opponent: str
    name: str
    score: Score


@record
class HeadToHead:
    """A player's score in a system; *colour* is null for all games, and empty where it was not reported."""

    system: System
    colour: str | None
    score: Score


@record
class GameOfPlayer:
    """A rated game from the player's side; ratings are those before the section, null where unrated."""

    event: str
    event_name: str
    section: int
    end: date
    round: int
    system: System
    opponent: str
    opponent_name: str
    score: float
    colour: str
    rating: int | None
    opponent_rating: int | None


@record
class OfficialRating:
    """A player's rating in an official list, by its month."""

    month: str
    system: System
    official: Shown


@record
class PublicCause:
    """Why something was rated again, and the event that was corrected, if it is another one."""

    words: str
    event: str | None = None
    event_name: str | None = None

    @property
    def text(self) -> str:
        """Return it as a clause."""
        return f"{self.words} in {self.event_name or self.event}" if self.event else self.words


@record
class PlayerChange:
    """A rating as it was *until* a day, and as it is since; *then* is null where it is no more.

    The office also sees the *run* that changed it, the moment of that, and the *reasons* in full.
    """

    event: str | None
    event_name: str | None
    section: int | None
    end: date
    system: System
    was: Shown
    then: Shown | None
    until: str
    run_at: Office[str] = ""
    run: Office[int] = 0
    because: tuple[PublicCause, ...]
    reasons: Office[tuple[str, ...]] = ()
