"""Random valid reports for the tests of every format.

`reports` gives reports in which no check finds an error and which the office can rate: a format module writes one,
reads it back and compares. Everything in them is invented.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from hypothesis import strategies as st

from ratebook.model import (
    Ceiling,
    Cell,
    EarlierMatch,
    EnteredFloor,
    Entry,
    Event,
    FloorKind,
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
_byes = st.sampled_from([Cell("B"), Cell("H"), Cell("U"), Cell("X"), Cell("")])
_colours = st.sampled_from(("wb", "bw", ""))


def days_between(first: date, last: date) -> st.SearchStrategy[date]:
    """Return days of an interval."""
    return st.integers(first.toordinal(), last.toordinal()).map(date.fromordinal)


_days_before = days_between(date(1995, 1, 1), date(2000, 12, 31))
_points = st.integers(100, 2_800).map(float) | st.integers(100_000, 2_800_000).map(
    lambda value: value / 1_000
)
_names = st.sampled_from(NAMES) | st.text(AWKWARD_CHARACTERS, max_size=40).map(
    lambda text: " ".join(text.split())
)


@st.composite
def ratings(draw: st.DrawFn) -> Rating:
    """Return a rating with any of its facts known or unknown; the counts never contradict the record."""
    counts = [draw(st.none() | st.integers(0, 60)) for _ in range(3)]
    record = draw(st.sampled_from((None, None, *Record)))
    if record is Record.WINS:
        counts[1:] = [0, 0]
    elif record is Record.LOSSES:
        counts[:2] = [0, 0]
    elif record is Record.MIXED:
        counts[1] = None if counts[1] == 0 else counts[1]
    least = sum(count or 0 for count in counts)
    # Where all counts are known, they are the games; a half comes from sections rated at half K.
    more = st.just(0) if None not in counts else st.integers(0, 40)
    games = draw(st.none() | more.map(lambda others: float(least + others)) | st.just(least + 0.5))
    points = draw(_points)
    return Rating(
        rating=points,
        games=games,
        wins=counts[0],
        draws=counts[1],
        losses=counts[2],
        record=record,
        long_events=draw(st.none() | st.integers(0, 30)),
        # Only an established rating can have been a peak, and no lower one is.
        peak=draw(st.none() | _points.map(lambda peak: max(peak, points)))
        if games is None or games > 25
        else None,
        life_master_games=draw(st.none() | st.integers(0, 400)),
        published=draw(st.none() | st.integers(100, 2_800)),
        published_games=draw(st.none() | st.integers(0, 90).map(float)),
        as_of=draw(st.none() | _days_before),
    )


_plain_ratings = st.builds(Rating, rating=_points, games=st.none() | st.integers(1, 60).map(float))
_foreign_ratings = st.builds(
    ForeignRating, rating=st.integers(1_000, 2_800).map(float), as_of=st.none() | _days_before
)
_initial_ratings = st.builds(InitialRating, rating=_points, games=st.integers(0, 20).map(float))
_systems = st.sampled_from(System)
_floors = st.builds(
    EnteredFloor, _systems, st.sampled_from(FloorKind), st.integers(1, 20).map(lambda level: 100.0 * level)
)
# Above every floor that a player can have, so that floor and ceiling never contradict each other.
_ceilings = st.builds(Ceiling, _systems, st.integers(2_300, 2_700).map(float))
_matches = st.builds(
    EarlierMatch, _systems, _days_before, st.integers(-500, 500).map(lambda value: value / 10)
)


@st.composite
def player_facts(draw: st.DrawFn, key: str) -> PlayerFacts:
    """Return the facts of the player *key*: often only a name and a rating, sometimes everything there is."""
    name = draw(_names)
    if draw(st.booleans()):
        known = draw(st.dictionaries(_systems, _plain_ratings, max_size=2))
        return PlayerFacts(key, name, ratings=known)
    known = draw(st.dictionaries(_systems, ratings(), max_size=6))
    decided = draw(st.dictionaries(_systems, _initial_ratings, max_size=2))
    return PlayerFacts(
        id=key,
        name=name,
        birth_date=draw(st.none() | days_between(date(1930, 1, 1), date(1998, 12, 31))),
        adult=draw(st.none() | st.booleans()),
        canadian_resident=draw(st.booleans()),
        ratings=known,
        fide=draw(st.none() | _foreign_ratings),
        cfc=draw(st.none() | _foreign_ratings),
        floors=tuple(draw(st.lists(_floors, max_size=2))),
        ceilings=tuple(draw(st.lists(_ceilings, max_size=2))),
        us_member=draw(st.booleans()),
        usa_flag=draw(st.booleans()),
        fide_opt_in=draw(st.booleans()),
        matches=tuple(draw(st.lists(_matches, max_size=2))),
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


@st.composite
def round_cells(draw: st.DrawFn, players: dict[int, str], *, first: bool) -> dict[int, Cell]:
    """Return one round by seat; in the *first* one, the first pairing is a played game."""
    seats = draw(st.permutations(sorted(players)))
    cells: dict[int, Cell] = {}
    while len(seats) > 1:
        own, other = seats[0], seats[1]
        # Two seats of one person never meet.
        if players[own] == players[other]:
            cells[own] = draw(_byes)
            seats = seats[1:]
            continue
        seats = seats[2:]
        mine, theirs = draw(st.sampled_from(_PLAYED) if first else _pairings)
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


@st.composite
def entries_of(draw: st.DrawFn, keys: list[str], rounds: int, kind: SectionType) -> tuple[Entry, ...]:
    """Return the entries of a section among the players *keys*; a seat takes the player of its place."""
    if draw(st.sampled_from((False, False, True))):
        spread = st.lists(st.integers(1, 400), min_size=len(keys), max_size=len(keys), unique=True)
        seats = sorted(draw(spread))
    else:
        seats = list(range(1, len(keys) + 1))
    players = dict(zip(seats, keys, strict=True))
    played = [draw(round_cells(players, first=number == 0)) for number in range(rounds)]
    is_match, is_fide = kind is SectionType.MATCH, kind is SectionType.FIDE
    return tuple(
        Entry(
            seat=seat,
            player=player,
            rounds=tuple(cells[seat] for cells in played),
            update=is_fide and (seat == seats[0] or draw(st.booleans())),
            floor_request=draw(st.none() | st.sampled_from(FloorRequest)) if is_match else None,
        )
        for seat, player in players.items()
    )


@st.composite
def reports(draw: st.DrawFn, *, unseated: bool = False) -> Report:
    """Return a valid report; with *unseated*, some players of its list may sit in no section."""
    size = draw(st.integers(2, MOST_PLAYERS_OF_A_SECTION))
    keys = [str(FIRST_ID + number) for number in range(size)]
    old = draw(st.sampled_from((False, False, False, True)))
    first = draw(days_between(*(_HALF_K_YEARS if old else _RECENT)))
    last = first + timedelta(days=draw(st.integers(0, 9)))
    starts_known = draw(st.booleans())
    event_starts = starts_known and draw(st.booleans())
    event_ends = draw(st.booleans())
    sections = []
    match_players: set[str] = set()
    for number in range(1, draw(st.integers(1, MOST_SECTIONS)) + 1):
        end = draw(days_between(first, last))
        kind = draw(st.sampled_from((*_ROUND_AFTER_ROUND, *SectionType)))
        is_match, is_fide = kind is SectionType.MATCH, kind is SectionType.FIDE
        seated = draw(st.permutations(keys))[: 2 if is_match else draw(st.integers(2, size))]
        if len(seated) > 3 and draw(st.sampled_from((False, False, False, True))):
            # One person under two seats: docs/rules/readings.md#a8.
            seated[-1] = seated[0]
        if is_match:
            match_players.update(seated)
        control = draw(st.sampled_from(_OLD_CONTROLS if old else _RECENT_CONTROLS))
        start = draw(days_between(first, end)) if starts_known else None
        sections.append(
            Section(
                number=number,
                name=draw(st.sampled_from(("Open", "Under 1800", "Sección Única", "Quad A", ""))),
                start=start,
                end=end,
                time_control=draw(st.none() | st.just(control))
                if is_fide
                else "G/90"
                if is_match
                else control,
                type=kind,
                online=not (old or is_match or is_fide) and draw(st.booleans()),
                half_k=old and draw(st.booleans()),
                youth=is_fide and draw(st.booleans()),
                entries=draw(entries_of(seated, draw(st.integers(1, MOST_ROUNDS)), kind)),
            )
        )
    used = {entry.player for section in sections for entry in section.entries}
    players = {}
    for key in keys:
        if key in used or unseated:
            player = draw(player_facts(key))
            players[key] = as_match_player(player) if key in match_players else player
    event = Event(
        id=draw(st.sampled_from(("", "202611140001"))),
        name=draw(st.sampled_from(("", "Autumn Quad", 'Fête d\'Été; a "long" name for a chess event, 2026'))),
        start=first if event_starts else None,
        end=last if event_ends else None,
        city=draw(st.sampled_from(("", "Exampleville"))),
        state=draw(st.sampled_from(("", "NY"))),
        country=draw(st.sampled_from(("", "USA"))),
        affiliate=draw(st.sampled_from(("", "A9000001"))),
        chief_td=draw(st.sampled_from(("", "90000999"))),
    )
    return Report(event, players, tuple(sections))
