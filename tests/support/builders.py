"""Short ways to say what a test needs: players, sections, ratings before and after.

Rounds are written as in the native report: ``"W2w D3 H"``. Seats count from 1 and, unless a test says otherwise, seat 3
is player ``"3"``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from ratebook.model import (
    Cell,
    Entry,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.rating.columns import GameColumns, Starters, section_columns
from ratebook.rating.formulas import NO_AGE
from ratebook.rating.rate import rate_section
from ratebook.rating.special import MIXED
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from ratebook.rating.results import After, RatedEntry, RatedSection, Workings
    from ratebook.rating.steps import SectionColumns
    from ratebook.rules.in_force import RulesInForce

REGULAR = System.REGULAR
QUICK = System.QUICK
BLITZ = System.BLITZ
ONLINE_QUICK = System.ONLINE_QUICK
ONLINE_BLITZ = System.ONLINE_BLITZ
FIRST_DAY_OF_BLEND = "2020-06-01"
IN_2025 = "2025-06-15"

OPPONENT_LETTERS = frozenset("WLDNSRXFZ")

Start = Rating | InitialRating | PlayerFacts | None
"""What a player brings: a rating, an office's initial rating, all facts, or nothing at all."""

QUAD_OF_FOUR: list[Start] = [
    Rating(1700.0, 30),
    Rating(1500.0, 6),
    PlayerFacts(id="", adult=True),
    Rating(1850.0, 100),
]
QUAD_ROUNDS = ["W2 D3 L4", "L1 L3 D4", "D1 W2 L4", "W1 D2 W3"]
"""Four players of four kinds, and what they played."""


def rules_of(on: str, system: System = REGULAR, **changes: float) -> RulesInForce:
    """Return the rules in force on an ISO date, with single numbers changed where a test asks for it."""
    rules = load_rulebook().in_force(system, date.fromisoformat(on))
    unknown = changes.keys() - set(rules._fields)
    assert not unknown, f"no such rules: {unknown}"
    return type(rules)._make(changes.get(name, number) for name, number in rules._asdict().items())


def paired_by(report: Report | None) -> dict[str, float]:
    """Return the pairing ratings of a report that was read, by player."""
    assert report is not None
    return {key: one.pairing_rating for key, one in report.players.items() if one.pairing_rating is not None}


def unpaired(report: Report | None) -> Report:
    """Return *report* without its pairing ratings."""
    assert report is not None
    return report._replace(
        players={key: one._replace(pairing_rating=None) for key, one in report.players.items()}
    )


def cell(text: str) -> Cell:
    """Return the round cell written as *text*: a letter, the opponent's seat, the colour."""
    letter, rest = text[:1], text[1:]
    colour = rest[-1:] if rest[-1:] in ("w", "b") else ""
    seat = rest.removesuffix(colour) if colour else rest
    return Cell(letter, int(seat) if letter in OPPONENT_LETTERS and seat else None, colour)


def entry(seat: int, rounds: str, player: str = "") -> Entry:
    """Return the entry of *seat*; the player is named after the seat unless *player* says otherwise."""
    return Entry(seat, player or str(seat), tuple(cell(text) for text in rounds.split()))


def section(  # noqa: PLR0913 - each test says another thing about a section
    rounds: Sequence[str | Entry],
    *,
    on: str = "2024-06-01",
    end: str = "",
    kind: SectionType = SectionType.SWISS,
    half_k: bool = False,
    youth: bool = False,
    number: int = 1,
    time_control: str = "G/90;d5",
    online: bool = False,
) -> Section:
    """Return a section that starts on *on*; seats are numbered from 1 in the order of *rounds*."""
    return Section(
        number=number,
        name="",
        start=date.fromisoformat(on),
        end=date.fromisoformat(end or on),
        time_control=time_control,
        type=kind,
        online=online,
        half_k=half_k,
        youth=youth,
        entries=tuple(
            entry(seat, one) if isinstance(one, str) else one for seat, one in enumerate(rounds, start=1)
        ),
    )


def facts(key: str, start: Start, system: System = REGULAR) -> PlayerFacts:
    """Return the facts of the player *key* who brings *start* into *system*."""
    if isinstance(start, PlayerFacts):
        return start._replace(id=key)
    if isinstance(start, Rating):
        return PlayerFacts(id=key, ratings={system: start})
    if isinstance(start, InitialRating):
        return PlayerFacts(id=key, initial={system: start})
    return PlayerFacts(id=key)


def players(starts: Sequence[Start], system: System = REGULAR) -> dict[str, PlayerFacts]:
    """Return the players "1", "2", ... who bring *starts* into *system*."""
    return {str(number): facts(str(number), start, system) for number, start in enumerate(starts, start=1)}


def rate(  # noqa: PLR0913 - each test says another thing about a section
    starts: Sequence[Start] | Mapping[str, PlayerFacts],
    rounds: Sequence[str] | Section,
    *,
    on: str = "2024-06-01",
    system: System = REGULAR,
    rules: RulesInForce | None = None,
    dual_rated: bool = False,
) -> RatedSection:
    """Rate *rounds* among players who bring *starts*."""
    played = rounds if isinstance(rounds, Section) else section(rounds, on=on)
    known = starts if isinstance(starts, Mapping) else players(starts, system)
    in_force = rules if rules is not None else load_rulebook().in_force(system, played.rules_date)
    return rate_section(played, known, system, in_force, dual_rated=dual_rated)


def seat_of(rated: RatedSection, seat: int) -> RatedEntry:
    """Return the rated entry of *seat*."""
    return next(one for one in rated.entries if one.seat == seat)


def after_of(rated: RatedSection, seat: int) -> After:
    """Return the rating after the section of a *seat* that is rated by now."""
    after = seat_of(rated, seat).after
    assert after is not None, f"seat {seat} is still unrated"
    return after


def workings_of(rated: RatedSection, seat: int) -> Workings:
    """Return the workings of a *seat* that played a rated game."""
    workings = seat_of(rated, seat).workings
    assert workings is not None, f"seat {seat} played no rated game"
    return workings


def ratings_after(rated: RatedSection) -> list[float]:
    """Return the ratings after the section, in the order of the seats."""
    return [after_of(rated, one.seat).rating for one in rated.entries]


def steps_of(rated: RatedSection, step: str) -> list[float | None]:
    """Return one figure of the workings (``step3``, ``step4``, ``step5`` ...), in the order of the seats."""
    figures = [getattr(workings_of(rated, one.seat), step) for one in rated.entries]
    return [None if figure is None else float(figure) for figure in figures]


def columns_of(  # noqa: PLR0913 - the columns that are not empty at the start
    ratings: Sequence[float],
    games: Sequence[float],
    pairings: tuple[Sequence[int], Sequence[int], Sequence[float]],
    *,
    record: Sequence[int] = (),
    several_seats: Sequence[int] = (),
    ages: Sequence[float] = (),
) -> SectionColumns:
    """Return the columns of a section whose Step 1 is done, with their workings still empty.

    Args:
        ratings: R0 of each player.
        games: N of each player.
        pairings: index of each player's first game and one more, opponent's index and score of each game.
        record: of all earlier games; mixed unless given.
        several_seats: 1 for players with more than one seat; nobody unless given.
        ages: in years; unknown unless given.
    """
    size = len(ratings)
    keys = [str(number) for number in range(size)]
    starters = Starters(
        players=keys,
        places={key: at for at, key in enumerate(keys)},
        rating=list(ratings),
        games=list(games),
        age=list(ages) or [NO_AGE] * size,
        newcomer=[0] * size,
        record=list(record) or [MIXED] * size,
        several_seats=list(several_seats) or [0] * size,
        sources=[0] * size,
        step1=None,
        unrated={},
    )
    first, opponent, score = pairings
    nowhere = [0] * len(score)
    return section_columns(starters, GameColumns(list(first), list(opponent), list(score), nowhere, nowhere))


def newcomer(  # noqa: PLR0913 - each test knows another thing of the player
    ratings: dict[System, Rating] | None = None,
    *,
    fide: ForeignRating | None = None,
    cfc: ForeignRating | None = None,
    born: date | None = None,
    adult: bool | None = None,
    canadian: bool = False,
) -> PlayerFacts:
    return PlayerFacts(
        id="",
        ratings=ratings or {},
        fide=fide,
        cfc=cfc,
        birth_date=born,
        adult=adult,
        canadian_resident=canadian,
    )


def rate_newcomer(facts: PlayerFacts, system: System, on: str, end: str = "") -> RatedSection:
    opponent = PlayerFacts(id="2", ratings={system: Rating(1500.0, 50)})
    played = section(["D2", "D1"], on=on, end=end)
    return rate({"1": facts._replace(id="1"), "2": opponent}, played, system=system)


def first_rating(facts: PlayerFacts, system: System, on: str, end: str = "") -> tuple[Any, float, str]:
    """Return the rating that Step 1 gives, its N, and where it comes from."""
    before = seat_of(rate_newcomer(facts, system, on, end), 1).before
    return before.rating, before.games, before.source
