"""From a section and what is known of its players to the columns that the five steps run over."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from ratebook.model import (
    SCORES,
    Entry,
    FloorRequest,
    ForeignRating,
    PlayerFacts,
    Section,
    SectionType,
    System,
)
from ratebook.rating.carry import Carry, games_of, gather_counts, is_rated, prior_record
from ratebook.rating.decisions import (
    ENTERED_CEILING,
    FLOOR_KINDS,
    LOWERED_FLOOR,
    NOTHING_ENTERED,
    gather_entered,
)
from ratebook.rating.floors import NO_FLOOR, UNKNOWN
from ratebook.rating.settlement import (
    DENIED,
    GRANTED,
    NO_CEILING,
    NOT_ANSWERED,
    SettlementColumns,
    net_changes,
)
from ratebook.rating.special import MIXED
from ratebook.rating.step1 import (
    NO_BIRTH_DATE,
    NO_RATING,
    RATED,
    SOURCE_INITIAL,
    SOURCES,
    SourceColumns,
    age_for_k,
    initial_rating,
)
from ratebook.rating.steps import SectionColumns
from ratebook.rules.in_force import RulesInForce

SYSTEMS = tuple(System)

PlayedGame: TypeAlias = tuple[int, float, int, int]
"""The round of a rated game, the score, the opponent's place in the columns and the opponent's seat."""

REQUEST_CODES = {
    FloorRequest.PENDING: NOT_ANSWERED,
    FloorRequest.GRANTED: GRANTED,
    FloorRequest.DENIED: DENIED,
}


Columns = TypeVar("Columns", SectionColumns, SettlementColumns, SourceColumns)


def zeros(kind: type[Columns], size: int) -> Columns:
    """Return columns of so many zeros each, whole numbers where their fields hold such."""
    return kind._make([zero] * size for zero in _ZEROS[kind])


_ZEROS: Mapping[type, Sequence[float]] = {
    kind: [0 if int in get_args(values) else 0.0 for values in get_type_hints(kind).values()]
    for kind in (SectionColumns, SettlementColumns, SourceColumns)
}


class Starters(NamedTuple):
    """The players of a section after Step 1, one value each, in the order of their first seats."""

    players: list[str]
    places: dict[str, int]
    rating: list[float]
    games: list[float]
    age: list[float]
    newcomer: list[int]
    record: list[int]
    several_seats: list[int]
    sources: list[int]
    step1: SourceColumns | None
    unrated: Mapping[int, int] = MappingProxyType({})

    @classmethod
    def of(cls, players: list[str], several_seats: list[int]) -> "Starters":
        """Return the columns of *players*, without their ratings yet."""
        return cls(
            players=players,
            places={player: at for at, player in enumerate(players)},
            rating=[],
            games=[],
            age=[],
            newcomer=[],
            record=[],
            several_seats=several_seats,
            sources=[],
            step1=None,
        )


class GameColumns(NamedTuple):
    """The rated games of a section, side by side (``steps.SectionColumns``), with rounds and opponents' seats."""

    first_game: list[int]
    opponent: list[int]
    score: list[float]
    rounds: list[int]
    seats: list[int]


def gather_sources(players: list[PlayerFacts], end_day: float) -> SourceColumns:
    """Return the columns of Step 1 for *players*."""
    size = len(players) * SOURCES
    rating = [NO_RATING] * size
    games = [0.0] * size
    day = [end_day] * size

    def put_foreign(at: int, foreign: ForeignRating | None) -> None:
        if foreign is not None:
            rating[at] = float(foreign.rating)
            if foreign.as_of is not None:
                day[at] = float(foreign.as_of.toordinal())

    for number, facts in enumerate(players):
        base = number * SOURCES
        for offset, system in enumerate(SYSTEMS):
            other = facts.ratings.get(system)
            if other is not None:
                rating[base + offset] = float(other.rating)
                games[base + offset] = games_of(other.games)
                if other.as_of is not None:
                    day[base + offset] = float(other.as_of.toordinal())
        put_foreign(base + len(SYSTEMS), facts.fide)
        put_foreign(base + len(SYSTEMS) + 1, facts.cfc)
    return zeros(SourceColumns, size)._replace(
        rating=rating,
        games=games,
        day=day,
        birth_day=list(map(birth_day_of, players)),
        adult=[1 if facts.adult else 0 for facts in players],
        canadian=[1 if facts.canadian_resident else 0 for facts in players],
    )


def birth_day_of(facts: PlayerFacts) -> float:
    """Return the day number of a player's birth; ``NO_BIRTH_DATE`` where it is unknown."""
    return NO_BIRTH_DATE if facts.birth_date is None else float(facts.birth_date.toordinal())


def start_players(
    section: Section, facts: Mapping[str, PlayerFacts], system: System, rules: RulesInForce
) -> Starters:
    """Do Step 1: find each player's R0 and N, and where they come from.

    Source: D25 sections 1 and 2; docs/rules/readings.md#a10.
    """
    seats = Counter(entry.player for entry in section.entries)
    players = list(seats)
    known = [facts[player] for player in players]
    end_day = float(section.end.toordinal())
    several = [1 if seats[player] > 1 else 0 for player in players]
    starters = Starters.of(players, several)
    unrated = [
        at for at, player in enumerate(known) if system not in player.ratings and system not in player.initial
    ]
    step1 = gather_sources([known[at] for at in unrated], end_day) if unrated else None
    starters = starters._replace(step1=step1, unrated={at: place for place, at in enumerate(unrated)})
    for at, player in enumerate(known):
        rating = player.ratings.get(system)
        decided = player.initial.get(system)
        record = MIXED
        if rating is not None:
            carry = Carry(rating)
            value, games = float(rating.rating), carry.games
            source = RATED if is_rated(rules, carry) else SOURCE_INITIAL
            record = prior_record(rules, carry)
        elif decided is not None:
            value, games, source = float(decided.rating), float(decided.games), SOURCE_INITIAL
        else:
            assert step1 is not None, "it has all who are unrated"  # noqa: S101 - for the type checker
            value, games, source = initial_rating(rules, step1, starters.unrated[at], end_day)
        starters.rating.append(value)
        starters.games.append(games)
        starters.age.append(age_for_k(rules, birth_day_of(player), end_day))
        starters.newcomer.append(1 if games == 0.0 and source != RATED else 0)
        starters.record.append(record)
        starters.sources.append(source)
    return starters


def gather_games(section: Section, starters: Starters) -> GameColumns:
    """Return the rated games of *section*, each player's in the order of rounds.

    Two seats of one player are one player (docs/rules/readings.md#a8): the games of both, a round's ordered by what
    they are, so that the order of seats changes nothing.
    """
    at_seat = {entry.seat: starters.places[entry.player] for entry in section.entries}
    played = (_games_of(entry, at_seat) for entry in section.entries)
    if len(starters.players) == len(section.entries):
        return game_columns(played)
    rating = starters.rating
    games_of_players: list[list[PlayedGame]] = [[] for _ in starters.players]
    for entry, games in zip(section.entries, played, strict=True):
        games_of_players[starters.places[entry.player]] += games
    for own in games_of_players:
        own.sort(key=lambda game: (*game[:2], rating[game[2]], *game[2:]))
    return game_columns(games_of_players)


def _games_of(entry: Entry, at_seat: Mapping[int, int]) -> Iterator[PlayedGame]:
    """Yield the rated games of a seat."""
    for number, cell in enumerate(entry.rounds, start=1):
        score = SCORES.get(cell.letter)
        if score is not None and cell.opponent is not None:
            yield number, score, at_seat[cell.opponent], cell.opponent


def game_columns(games_of_players: Iterable[Iterable[PlayedGame]]) -> GameColumns:
    """Return the games of all players, one player's after another's, as columns."""
    games = GameColumns([0], [], [], [], [])
    for own in games_of_players:
        for number, score, opponent, seat in own:
            games.opponent.append(opponent)
            games.score.append(score)
            games.rounds.append(number)
            games.seats.append(seat)
        games.first_game.append(len(games.opponent))
    return games


def section_columns(starters: Starters, games: GameColumns) -> SectionColumns:
    """Return the columns of the five steps with their workings still empty."""
    players = len(starters.rating)
    sides = len(games.opponent)
    first = games.first_game
    # A zero as the formula: not rated.
    return zeros(SectionColumns, players)._replace(
        rating=starters.rating,
        games=starters.games,
        age=starters.age,
        newcomer=starters.newcomer,
        record=starters.record,
        several_seats=starters.several_seats,
        first_game=first,
        opponent=games.opponent,
        score=games.score,
        # One value for each game and side: a list of floats would need four times the memory.
        expectancy3=array("d", bytes(8 * sides)),
        expectancy4=array("d", bytes(8 * sides)),
        expectancy5=array("d", bytes(8 * sides)),
        ramps=[0.0] * max((first[at + 1] - first[at] for at in range(players)), default=0),
    )


def entered_in(facts: PlayerFacts, system: System) -> list[float]:
    """Return what the office entered for a player in *system*: the highest floor of each kind, the lowest ceiling."""
    entered = list(NOTHING_ENTERED)
    for floor in facts.floors:
        if floor.system is system:
            kind = FLOOR_KINDS.index(floor.kind)
            # Of lowered floors the last one holds, whatever came before it.
            entered[kind] = float(floor.floor if kind == LOWERED_FLOOR else max(entered[kind], floor.floor))
    ceilings = [float(ceiling.ceiling) for ceiling in facts.ceilings if ceiling.system is system]
    if ceilings:
        entered[ENTERED_CEILING] = min(ceilings)
    return entered


def settlement_columns(
    section: Section,
    facts: Mapping[str, PlayerFacts],
    system: System,
    rules: RulesInForce,
    columns: SectionColumns,
    players: list[str],
) -> SettlementColumns:
    """Return what decides between Step 5 and the stored rating, for all *players* in the order of the *columns*."""
    size = len(columns.rating)
    foreign = 1 if section.type is SectionType.FIDE else 0
    answers = {
        entry.player: entry.floor_request for entry in section.entries if entry.floor_request is not None
    }
    # A zero as the answer to a request: none.
    settlement = zeros(SettlementColumns, size)._replace(
        peak=[UNKNOWN] * size,
        wins=[UNKNOWN] * size,
        draws=[UNKNOWN] * size,
        long_sections=[UNKNOWN] * size,
        olm_games=[UNKNOWN] * size,
        lowered=[NO_FLOOR] * size,
        entered=[NO_FLOOR] * size,
        ceiling=[NO_CEILING] * size,
        personal=[NO_FLOOR] * size,
        from_peak=[NO_FLOOR] * size,
        from_olm=[NO_FLOOR] * size,
        lowered_to=[NO_FLOOR] * size,
    )
    for at, player in enumerate(players):
        known = facts[player]
        scores = columns.score[columns.first_game[at] : columns.first_game[at + 1]]
        carry = Carry(known.ratings.get(system))
        won, drawn = scores.count(1.0), scores.count(0.5)
        gather_counts(rules, carry, columns, settlement, at, won, drawn, foreign)
        if known.floors or known.ceilings:
            gather_entered(entered_in(known, system), settlement, at)
        settlement.request[at] = REQUEST_CODES[answers.get(player, FloorRequest.PENDING)]
        if known.matches:
            settlement.net_short[at], settlement.net_long[at] = net_changes(
                rules, known.matches, system, section.end
            )
    return settlement
