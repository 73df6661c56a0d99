"""Random valid reports for the tests of every format.

`reports` gives reports in which no check finds an error and which the office can rate: a format module writes one,
reads it back and compares. Everything in them is invented. Strategies are made once, for they cost more than draws.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from ratebook.model import (
    Bound,
    Ceiling,
    Cell,
    EarlierMatch,
    EnteredFloor,
    Entry,
    Event,
    FloorRequest,
    ForeignRating,
    InitialRating,
    PlayerFacts,
    Rating,
    Record,
    Report,
    Section,
    SectionType,
    System,
)
from ratebook.rating.floors import LEVEL, LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable

Built = TypeVar("Built")

FIRST_ID = 90_000_001
MOST_PLAYERS_OF_A_SECTION = 12
MOST_ROUNDS = 9
MOST_SECTIONS = 3

NAMES = (
    "ADAMS EXAMPLE",
    "Baker, Example",
    "Clark, Example Q.",
    "O'DAVIS-EXAMPLE, ANNE",
    "Éloïse Beispiel-Müller",
    "MUÑOZ EXAMPLE",
    "Łukasz Przykład",
    "Öztürk, Örnek",
    "EXAMPLE WITH A NAME THAT IS LONGER THAN ANY COLUMN",
    "ADAMS EXAMPLE",
    "",
)
"""Names as reports have them: both orders, accents within and beyond Latin-1, too long for columns, twice, none."""

AWKWARD_CHARACTERS = "AbÉñŁ ,'-.;\"=+@|#&<3"

_ROUND_AFTER_ROUND = (SectionType.SWISS, SectionType.ROUND_ROBIN, SectionType.OTHER)

# First and last day of the years a section may lie in, with controls that are ratable in all of them.
_RECENT = (date(2021, 1, 1), date(2026, 11, 1))
_HALF_K_YEARS = (date(2002, 1, 1), date(2006, 1, 31))
_RECENT_CONTROLS = ("G/90;d5", "G/60;d5", "G/45; d5", "G/25;+5", "G/15;d3", "G/5;d0", "40/90,SD/30;+30")
_OLD_CONTROLS = ("G/90", "40/90,SD/30", "G/29")


class Half(NamedTuple):
    """What one side of a pairing has in its cell.

    Attributes:
        names: whether the cell names the opponent.
    """

    letter: str
    names: bool


_PLAYED = tuple((Half(own, names=True), Half(other, names=True)) for own, other in ("WL", "LW", "DD"))
_ASYMMETRIC = tuple((Half(own, names=True), Half(other, names=True)) for own in "NSR" for other in "NSR")
_ONE_SIDED = tuple(
    (Half(own, names=True), Half(other, names=False)) for own in "NSR" for other in ("U", "H", "")
)
_FORFEITED = tuple(
    (Half(own, names=names), Half(other, names=names))
    for own, other in ("XF", "FX", "ZZ", "FF")
    for names in (False, True)
)
_NOT_PLAYED = tuple(
    (Half(own, names=False), Half(other, names=False))
    for own in ("B", "H", "U", "", "X", "F")
    for other in ("B", "H", "U", "")
)

_pairings = st.one_of(
    *[st.sampled_from(_PLAYED)] * 4, st.sampled_from(_NOT_PLAYED + _FORFEITED + _ASYMMETRIC + _ONE_SIDED)
)
_first_pairings = st.sampled_from(_PLAYED)
_byes = st.sampled_from([Cell("B"), Cell("H"), Cell("U"), Cell("X"), Cell("")])
_colours = st.sampled_from(("wb", "bw", ""))


@cache
def days_between(first: date, last: date) -> st.SearchStrategy[date]:
    """Return days of an interval."""
    return st.integers(first.toordinal(), last.toordinal()).map(date.fromordinal)


@cache
def orders(size: int) -> st.SearchStrategy[list[int]]:
    """Return the numbers below *size* in any order."""
    return st.permutations(range(size))


@cache
def seat_numbers(size: int) -> st.SearchStrategy[list[int]]:
    """Return *size* different seats."""
    return st.lists(st.integers(1, 400), min_size=size, max_size=size, unique=True)


def built(
    kind: Callable[..., Built], *fields: st.SearchStrategy[Any], **named: st.SearchStrategy[Any]
) -> st.SearchStrategy[Built]:
    """Return values of *kind* with these fields drawn; ``st.builds`` alone would draw those with a default too."""

    def make(*some: object, **others: object) -> Built:
        return kind(*some, **others)

    return st.builds(make, *fields, **named)


_yes_or_no = st.booleans()
_now_and_then = st.sampled_from((False, False, True))
_seldom = st.sampled_from((False, False, False, True))
_days_before = days_between(date(1995, 1, 1), date(2000, 12, 31))
_perhaps_days_before = st.none() | _days_before
_points = st.integers(100, 2_800).map(float) | st.integers(100_000, 2_800_000).map(
    lambda value: value / 1_000
)
_names = st.sampled_from(NAMES) | st.text(AWKWARD_CHARACTERS, max_size=40).map(
    lambda text: " ".join(text.split())
)


_counts = st.none() | st.integers(0, 60)
_records = st.sampled_from((None, None, *Record))
# Where all counts are known, they are the games; a half comes from sections rated at half K.
_games_besides = st.none() | st.integers(0, 40) | st.just(0.5)
_no_games_besides = st.sampled_from((None, 0, 0.5))
_long_events = st.none() | st.integers(0, 30)
_peaks = st.none() | _points
_life_master_games = st.none() | st.integers(0, 400)
_bounds = st.sampled_from([Bound(bits) for bits in range(sum(Bound) + 1)])
_published = st.none() | st.integers(100, 2_800)
_published_games = st.none() | st.integers(0, 90).map(float)


@st.composite
def ratings(draw: st.DrawFn) -> Rating:
    """Return a rating with any of its facts known or unknown; the counts never contradict the record."""
    counts = [draw(_counts) for _ in range(3)]
    record = draw(_records)
    if record is Record.WINS:
        counts[1:] = [0, 0]
    elif record is Record.LOSSES:
        counts[:2] = [0, 0]
    elif record is Record.MIXED:
        counts[1] = None if counts[1] == 0 else counts[1]
    besides = draw(_games_besides if None in counts else _no_games_besides)
    games = None if besides is None else float(sum(count or 0 for count in counts) + besides)
    points = draw(_points)
    # Only an established rating can have been a peak, and no lower one is.
    peak = draw(_peaks) if games is None or games > 25 else None
    return Rating(
        rating=points,
        games=games,
        wins=counts[0],
        draws=counts[1],
        losses=counts[2],
        record=record,
        long_events=draw(_long_events),
        peak=None if peak is None else max(peak, points),
        life_master_games=draw(_life_master_games),
        published=draw(_published),
        published_games=draw(_published_games),
        as_of=draw(_perhaps_days_before),
        at_least=draw(_bounds),
    )


_plain_ratings = built(Rating, rating=_points, games=st.none() | st.integers(1, 60).map(float))
_foreign_ratings = built(
    ForeignRating, rating=st.integers(1_000, 2_800).map(float), as_of=_perhaps_days_before
)
_initial_ratings = built(InitialRating, rating=_points, games=st.integers(0, 20).map(float))
_systems = st.sampled_from(System)
_levels = [
    (kind, float(level))
    for kind, (lowest, highest) in LEVELS.items()
    for level in range(lowest, highest + LEVEL, LEVEL)
]
_floors = st.tuples(_systems, st.sampled_from(_levels)).map(lambda one: EnteredFloor(one[0], *one[1]))
# Above every floor that a player can have, so that floor and ceiling never contradict each other.
_ceilings = built(Ceiling, _systems, st.integers(2_300, 2_700).map(float))
_matches = built(EarlierMatch, _systems, _days_before, st.integers(-500, 500).map(lambda value: value / 10))


_few_ratings = st.dictionaries(_systems, _plain_ratings, max_size=2)
_many_ratings = st.dictionaries(_systems, ratings(), max_size=6)
_decided_ratings = st.dictionaries(_systems, _initial_ratings, max_size=2)
_birth_dates = st.none() | days_between(date(1930, 1, 1), date(1998, 12, 31))
_perhaps = st.none() | _yes_or_no
_perhaps_foreign = st.none() | _foreign_ratings
_some_floors = st.lists(_floors, max_size=2)
_some_ceilings = st.lists(_ceilings, max_size=2)
_some_matches = st.lists(_matches, max_size=2)


def player_facts(draw: st.DrawFn, key: str) -> PlayerFacts:
    """Draw the facts of the player *key*: often only a name and a rating, sometimes everything there is."""
    name = draw(_names)
    if draw(_yes_or_no):
        return PlayerFacts(key, name, ratings=draw(_few_ratings))
    known = draw(_many_ratings)
    decided = draw(_decided_ratings)
    return PlayerFacts(
        id=key,
        name=name,
        birth_date=draw(_birth_dates),
        adult=draw(_perhaps),
        canadian_resident=draw(_yes_or_no),
        ratings=known,
        fide=draw(_perhaps_foreign),
        cfc=draw(_perhaps_foreign),
        floors=tuple(draw(_some_floors)),
        ceilings=tuple(draw(_some_ceilings)),
        us_member=draw(_yes_or_no),
        usa_flag=draw(_yes_or_no),
        fide_opt_in=draw(_yes_or_no),
        matches=tuple(draw(_some_matches)),
        initial={system: rating for system, rating in decided.items() if system not in known},
    )


def as_match_player(player: PlayerFacts) -> PlayerFacts:
    """Return *player* with established, published ratings that a match allows."""
    rating = Rating(1_600.0 + int(player.id) % 100, 60.0, published=1_610, published_games=55.0)
    return player._replace(
        ratings={**player.ratings, System.REGULAR: rating, System.QUICK: rating},
        initial={
            system: one
            for system, one in player.initial.items()
            if system not in {System.REGULAR, System.QUICK}
        },
    )


def round_cells(draw: st.DrawFn, players: dict[int, str], *, first: bool) -> dict[int, Cell]:
    """Draw one round by seat; in the *first* one, the first pairing is a played game."""
    seats = [sorted(players)[place] for place in draw(orders(len(players)))]
    cells: dict[int, Cell] = {}
    while len(seats) > 1:
        own, other = seats[0], seats[1]
        # Two seats of one person never meet.
        if players[own] == players[other]:
            cells[own] = draw(_byes)
            seats = seats[1:]
            continue
        seats = seats[2:]
        mine, theirs = draw(_first_pairings if first else _pairings)
        first = False
        colours = draw(_colours)
        for seat, opponent, half, colour in (
            (own, other, mine, colours[:1]),
            (other, own, theirs, colours[1:]),
        ):
            cells[seat] = Cell(half.letter, opponent, colour) if half.names else Cell(half.letter)
    for seat in seats:
        cells[seat] = draw(_byes)
    return cells


_floor_requests = st.none() | st.sampled_from(FloorRequest)


def entries_of(draw: st.DrawFn, keys: list[str], rounds: int, kind: SectionType) -> tuple[Entry, ...]:
    """Draw the entries of a section among the players *keys*; a seat takes the player of its place."""
    spread = draw(_now_and_then)
    seats = sorted(draw(seat_numbers(len(keys)))) if spread else list(range(1, len(keys) + 1))
    players = dict(zip(seats, keys, strict=True))
    played = [round_cells(draw, players, first=number == 0) for number in range(rounds)]
    is_match, is_fide = kind is SectionType.MATCH, kind is SectionType.FIDE
    return tuple(
        Entry(
            seat=seat,
            player=player,
            rounds=tuple(cells[seat] for cells in played),
            update=is_fide and (seat == seats[0] or draw(_yes_or_no)),
            floor_request=draw(_floor_requests) if is_match else None,
        )
        for seat, player in players.items()
    )


_kinds = st.sampled_from((*_ROUND_AFTER_ROUND, *SectionType))
_recent_controls, _old_controls = st.sampled_from(_RECENT_CONTROLS), st.sampled_from(_OLD_CONTROLS)
_section_names = st.sampled_from(("Open", "Under 1800", "Sección Única", "Quad A", ""))
_numbers_of_players = st.integers(2, MOST_PLAYERS_OF_A_SECTION)
_numbers_of_sections, _numbers_of_rounds = st.integers(1, MOST_SECTIONS), st.integers(1, MOST_ROUNDS)
_lengths = st.integers(0, 9)
_events = built(
    Event,
    id=st.sampled_from(("", "202611140001")),
    name=st.sampled_from(("", "Autumn Quad", 'Fête d\'Été; a "long" name for a chess event, 2026')),
    city=st.sampled_from(("", "Exampleville")),
    state=st.sampled_from(("", "NY")),
    country=st.sampled_from(("", "USA")),
    affiliate=st.sampled_from(("", "A9000001")),
    chief_td=st.sampled_from(("", "90000999")),
)


@st.composite
def reports(draw: st.DrawFn, *, unseated: bool = False) -> Report:
    """Return a valid report; with *unseated*, some players of its list may sit in no section."""
    size = draw(_numbers_of_players)
    keys = [str(FIRST_ID + number) for number in range(size)]
    old = draw(_seldom)
    first = draw(days_between(*(_HALF_K_YEARS if old else _RECENT)))
    last = first + timedelta(days=draw(_lengths))
    starts_known = draw(_yes_or_no)
    event_starts = starts_known and draw(_yes_or_no)
    event_ends = draw(_yes_or_no)
    sections = []
    match_players: set[str] = set()
    for number in range(1, draw(_numbers_of_sections) + 1):
        end = draw(days_between(first, last))
        kind = draw(_kinds)
        is_match, is_fide = kind is SectionType.MATCH, kind is SectionType.FIDE
        seated = [keys[place] for place in draw(orders(size))][
            : 2 if is_match else draw(st.integers(2, size))
        ]
        if len(seated) > 3 and draw(_seldom):
            # One person under two seats: docs/rules/readings.md#a8.
            seated[-1] = seated[0]
        if is_match:
            match_players.update(seated)
        control = draw(_old_controls if old else _recent_controls)
        start = draw(days_between(first, end)) if starts_known else None
        sections.append(
            Section(
                number=number,
                name=draw(_section_names),
                start=start,
                end=end,
                time_control=draw(st.sampled_from((None, control)))
                if is_fide
                else "G/90"
                if is_match
                else control,
                type=kind,
                online=not (old or is_match or is_fide) and draw(_yes_or_no),
                half_k=old and draw(_yes_or_no),
                youth=is_fide and draw(_yes_or_no),
                entries=entries_of(draw, seated, draw(_numbers_of_rounds), kind),
            )
        )
    used = {entry.player for section in sections for entry in section.entries}
    players = {}
    for key in keys:
        if key in used or unseated:
            player = player_facts(draw, key)
            players[key] = as_match_player(player) if key in match_players else player
    event = draw(_events)._replace(start=first if event_starts else None, end=last if event_ends else None)
    return Report(event, players, tuple(sections))
