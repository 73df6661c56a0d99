"""From the calendar to what was really played: who entered which section, and the report without any mistake."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from ratebook.demo.chance import Chance
from ratebook.demo.names import Club, Names, place_abroad
from ratebook.demo.people import SCHOOL_AGE, Person, RecordedPerson
from ratebook.demo.play import ALL_PLAYED, Chances, Entrant, play_match, play_round_robin, play_swiss, result
from ratebook.demo.values import Habit
from ratebook.model import (
    MIRROR,
    Cell,
    Entry,
    Event,
    ForeignRating,
    PlayerFacts,
    Report,
    Section,
    SectionType,
)

_SATURDAY = 5
_WEEK = timedelta(days=7)
_NO_MATCHES_FOR = 75
"""Days at the beginning without matches and foreign events, whose players must be established."""

_MEMBERS_OF_THE_FIGURES = 2_000
_EVENTS_A_YEAR = (
    (Habit.OPEN, 14),
    (Habit.SCHOLASTIC, 24),
    (Habit.QUADS, 90),
    (Habit.ONLINE, 42),
    (Habit.MATCH, 24),
    (Habit.FOREIGN, 14),
)
"""Events of a year in a federation of 2,000; clubs have their own evenings."""

_NIGHTS_A_YEAR = 11


class PlannedEvent(NamedTuple):
    """An event of the calendar; *club* is the index of the club that holds it.

    Where it is *for_regulars*, those enter who play most often; elsewhere it is chance who comes.
    """

    habit: Habit
    start: date
    end: date
    club: int
    for_regulars: bool = False


def plan_events(chance: Chance, members: int, clubs: int, first: date, last: date) -> list[PlannedEvent]:
    """Return all events from *first* to *last*, in the order in which they begin."""
    planned: list[PlannedEvent] = []
    for year in range(first.year, last.year + 1):
        planned += _open_events(chance, members, clubs, year, at_least=int(year == first.year))
        for club in range(clubs):
            planned += _club_events(chance, club, year)
    no_matches_before = first + timedelta(days=_NO_MATCHES_FOR)
    events = [
        event
        for event in planned
        if first <= event.start
        and event.end <= last
        and (event.habit not in {Habit.MATCH, Habit.FOREIGN} or event.start >= no_matches_before)
    ]
    # Sorting keeps the order of events of one day.
    return sorted(events, key=lambda event: event.start)


def with_last_weekend(planned: Sequence[PlannedEvent], clubs: int, sunday: date) -> list[PlannedEvent]:
    """Return events and, until *sunday*, a night and an open of the first club for those who play most often.

    The second club has two nights before. Nothing else ends from Thursday on, so that no one plays in two places.
    """
    thursday, friday, saturday = (sunday - timedelta(days=days) for days in (3, 2, 1))
    nights = ((thursday, 1), (friday, 1), (friday, 0))
    return [
        *(event for event in planned if event.end < thursday),
        *(
            PlannedEvent(Habit.NIGHT, day, day, club, for_regulars=True)
            for day, club in nights
            if club < clubs
        ),
        PlannedEvent(Habit.OPEN, saturday, sunday, 0, for_regulars=True),
    ]


def _open_events(
    chance: Chance, members: int, clubs: int, year: int, *, at_least: int
) -> Iterator[PlannedEvent]:
    """Yield the events that more than one club enters, *at_least* so many of each kind."""
    for habit, usual in _EVENTS_A_YEAR:
        exact = usual * members / _MEMBERS_OF_THE_FIGURES
        count = int(exact) + chance.happens(exact - int(exact))
        for _ in range(max(count, at_least)):
            yield _event(chance, habit, year, chance.below(clubs))


def _event(chance: Chance, habit: Habit, year: int, club: int) -> PlannedEvent:
    """Return one event with its days: opens on weekends, scholastic events and quads on Saturdays."""
    start = date(year, 1, 1) + timedelta(days=chance.below(350))
    days = 1
    if habit in {Habit.OPEN, Habit.SCHOLASTIC, Habit.QUADS}:
        start += timedelta(days=(_SATURDAY - start.weekday()) % 7)
    if habit is Habit.OPEN:
        days = 2
    elif habit is Habit.MATCH:
        days = chance.between(1, 4)
    elif habit is Habit.FOREIGN:
        days = 9
    return PlannedEvent(habit, start, start + timedelta(days=days - 1), club)


def _club_events(chance: Chance, club: int, year: int) -> Iterator[PlannedEvent]:
    """Yield a tournament for each month, a round a week, and the quick and blitz nights of a club."""
    weekday = (club * 3 + 1) % 5
    for month in range(1, 13):
        first = date(year, month, 1)
        first += timedelta(days=(weekday - first.weekday()) % 7)
        rounds = 3 if month in {7, 8, 12} else 4
        yield PlannedEvent(Habit.CLUB, first, first + (rounds - 1) * _WEEK, club)
    for _ in range(_NIGHTS_A_YEAR):
        day = date(year, 1, 1) + timedelta(days=chance.below(365))
        yield PlannedEvent(Habit.NIGHT, day, day, club)


LEAST_PLAYERS = 4
_ROUND_ROBIN_UP_TO = 6
_QUAD = 4
_ASKED_FOR_A_MATCH = 400
_MATCH_APART = 130.0
_MATCH_CHANGE = 180.0
_FOREIGN_PLAYERS_AT_MOST = 3

CLASSES = ((1_800.0, "Open"), (1_300.0, "Under 1800"), (0.0, "Under 1300"))
GRADES = ((9.0, "Grades K-3"), (13.0, "Grades K-8"), (SCHOOL_AGE, "Grades K-12"))

OPEN_CONTROLS = (("40/90,SD/30;d5", "G/90;d5"), ("G/90;+30", "G/90;+30"), ("G/120;d5", "G/60;d5"))
SCHOLASTIC_CONTROLS = (("G/25;d5", 4), ("G/30;d5", 5), ("G/45;d5", 1))
CLUB_CONTROLS = (("G/60;d5", 4), ("G/75;d5", 3), ("G/90;+30", 2), ("G/45;d5", 2))
QUAD_CONTROLS = (("G/60;d5", 4), ("G/45;d5", 3), ("G/75;d5", 2))
NIGHT_CONTROLS = (("G/5;d0", 3), ("G/3;+2", 3), ("G/15;d3", 2), ("G/10;+5", 2), ("G/24;d5", 1))
ONLINE_CONTROLS = (("G/3;+2", 4), ("G/10;+2", 3), ("G/15;+5", 2), ("G/45;+5", 2))
_LONG_ONLINE = "G/45;+5"
_PACES = {"G/5;d0": "Blitz", "G/3;+2": "Blitz", _LONG_ONLINE: "Classical"}
"""Names of sections at these time controls; the others of nights and online events are Quick."""
_LONG_ONLINE_FROM = 2021
"""Longer online games are rated from June 2020 on; before, online quick and blitz only (rules/timeline)."""


_SECTION = Section(
    number=1, name="", start=None, end=date.max, time_control=None, type=SectionType.SWISS, entries=()
)
"""An over-the-board section at full K, without players."""


def _director(members: Sequence[Person]) -> str:
    """Return the adult of a club who has been a member for longest, and is one for longest; empty where it has none."""
    adults = [person for person in members if person.age_on(person.joined) > SCHOOL_AGE]
    return max(adults, key=_days_of_membership).id if adults else ""


def _days_of_membership(person: Person) -> tuple[bool, int]:
    return person.rated_before, sum((span.expires - span.starts).days for span in person.spans)


def _regulars(group: Sequence[Person], day: date, most: int) -> list[Person]:
    """Return at most *most* of *group* who are members on *day*: those who play most often."""
    members = [person for person in group if person.is_member_on(day)]
    return sorted(members, key=lambda person: -person.activity)[:most]


class Organizer:
    """Invites players to the events of the calendar and lets them play."""

    def __init__(
        self, chance: Chance, names: Names, clubs: Sequence[Club], recorded: Sequence[RecordedPerson]
    ) -> None:
        self._chance = chance
        self._titles = names
        self._clubs = clubs
        self._everyone = [known.person for known in recorded]
        self._established = [known for known in recorded if known.established]
        self._strangers = invent_strangers(names)
        self._of_club: list[list[Person]] = [[] for _ in clubs]
        self._of_state: dict[str, list[Person]] = {club.state: [] for club in clubs}
        for person in self._everyone:
            self._of_club[person.club].append(person)
            self._of_state[clubs[person.club].state].append(person)
        self._names = {person.id: person.member.facts.name for person in self._everyone}
        self._directors = [_director(members) for members in self._of_club]

    def hold(self, planned: PlannedEvent) -> Report | None:
        """Return the report of an event as it was played, without an id or a mistake; None where too few came."""
        holders = {
            Habit.OPEN: self._open,
            Habit.SCHOLASTIC: self._scholastic,
            Habit.CLUB: self._club_tournament,
            Habit.NIGHT: self._night,
            Habit.QUADS: self._quads,
            Habit.ONLINE: self._online,
            Habit.MATCH: self._match,
            Habit.FOREIGN: self._foreign,
        }
        return holders[planned.habit](planned)

    # Who comes

    def _coming(
        self, group: Sequence[Person], day: date, most: int, ages: tuple[float, float] = (0.0, 200.0)
    ) -> list[Person]:
        """Return at most *most* of *group* who enter on *day*, of an age from the one to below the other."""
        coming: list[Person] = []
        for person in self._chance.in_any_order(group):
            if len(coming) == most:
                break
            if ages[0] <= person.age_on(day) < ages[1] and person.comes_on(day, self._chance):
                coming.append(person)
        return coming

    def _from_home_and_elsewhere(self, planned: PlannedEvent, most: int) -> list[Person]:
        """Return who enters an open: players of its state, and a quarter from anywhere."""
        if planned.for_regulars:
            return _regulars(self._everyone, planned.start, most)
        home = self._of_state[self._clubs[planned.club].state]
        people = self._coming(home, planned.start, most * 3 // 4)
        coming = {person.id for person in people}
        guests = self._coming(self._everyone, planned.start, most - len(people))
        return people + [guest for guest in guests if guest.id not in coming]

    def _entrants(self, people: Sequence[Person], day: date) -> list[Entrant]:
        return [Entrant(person.id, person.strength_on(day)) for person in people]

    # Events of each kind

    def _open(self, planned: PlannedEvent) -> Report | None:
        """A weekend open: sections by strength, the first one at a slower time control."""
        people = self._from_home_and_elsewhere(planned, self._chance.between(24, 56))
        entrants = sorted(self._entrants(people, planned.start), key=lambda entrant: -entrant.strength)
        groups: list[tuple[str, list[Entrant]]] = []
        begin = 0
        for least, name in CLASSES:
            end = next(
                (at for at in range(begin, len(entrants)) if entrants[at].strength < least), len(entrants)
            )
            # A section that is too small plays with the next one.
            if end - begin >= _ROUND_ROBIN_UP_TO or (least == 0.0 and end - begin >= LEAST_PLAYERS):
                groups.append((name if groups else CLASSES[0][1], entrants[begin:end]))
                begin = end
        slow, fast = self._chance.one_of(OPEN_CONTROLS)
        rounds = self._chance.between(4, 5)
        usual = Chances(half_bye=0.05, late=0.02, forfeit=0.006, leaves=0.03)
        chances = ALL_PLAYED if planned.for_regulars else usual
        sections = [
            self._section(planned, number, name, slow if number == 1 else fast)._replace(
                entries=play_swiss(self._chance, group, rounds, chances)
            )
            for number, (name, group) in enumerate(groups, start=1)
        ]
        return self._report(planned, sections)

    def _scholastic(self, planned: PlannedEvent) -> Report | None:
        """A scholastic event: sections by age, full of newcomers."""
        control = self._chance.weighted(SCHOLASTIC_CONTROLS)
        chances = Chances(half_bye=0.004, late=0.01, forfeit=0.004, leaves=0.015)
        sections: list[Section] = []
        youngest = 0.0
        home = self._of_state[self._clubs[planned.club].state]
        for oldest, name in GRADES:
            people = self._coming(home, planned.start, self._chance.between(8, 20), (youngest, oldest))
            youngest = oldest
            if len(people) < LEAST_PLAYERS:
                continue
            section = self._section(planned, len(sections) + 1, name, control)
            sections.append(self._played(section, people, 5, chances))
        return self._report(planned, sections)

    def _club_tournament(self, planned: PlannedEvent) -> Report | None:
        """A club's tournament of the month, a round each week, with many half-point byes."""
        people = self._coming(self._of_club[planned.club], planned.start, self._chance.between(5, 13))
        rounds = (planned.end - planned.start).days // 7 + 1
        section = self._section(planned, 1, "Open", self._chance.weighted(CLUB_CONTROLS))
        chances = Chances(half_bye=0.08, late=0.03, forfeit=0.012, leaves=0.02)
        return self._single(planned, section, people, rounds, chances)

    def _night(self, planned: PlannedEvent) -> Report | None:
        invited = _regulars if planned.for_regulars else self._coming
        people = invited(self._of_club[planned.club], planned.start, self._chance.between(5, 10))
        section = self._paced(planned, self._chance.weighted(NIGHT_CONTROLS))
        return self._single(planned, section, people, self._chance.between(4, 5), Chances())

    def _online(self, planned: PlannedEvent) -> Report | None:
        people = self._coming(self._everyone, planned.start, self._chance.between(7, 20))
        control = self._chance.weighted(ONLINE_CONTROLS)
        if control == _LONG_ONLINE and planned.start.year < _LONG_ONLINE_FROM:
            control = ONLINE_CONTROLS[0][0]
        section = self._paced(planned, control)._replace(online=True)
        chances = Chances(half_bye=0.0, late=0.02, forfeit=0.012, leaves=0.03)
        return self._single(planned, section, people, self._chance.between(4, 6), chances)

    def _quads(self, planned: PlannedEvent) -> Report | None:
        """Quads: round robins of four players of about one strength."""
        people = self._coming(
            self._of_state[self._clubs[planned.club].state], planned.start, _QUAD * self._chance.between(1, 4)
        )
        control = self._chance.weighted(QUAD_CONTROLS)
        entrants = sorted(self._entrants(people, planned.start), key=lambda entrant: -entrant.strength)
        sections: list[Section] = []
        for at in range(0, len(entrants) - _QUAD + 1, _QUAD):
            number = len(sections) + 1
            section = self._section(planned, number, f"Quad {number}", control)
            entries = play_round_robin(self._chance, entrants[at : at + _QUAD], Chances())
            sections.append(section._replace(type=SectionType.ROUND_ROBIN, entries=entries))
        return self._report(planned, sections)

    def _match(self, planned: PlannedEvent) -> Report | None:
        """A match between two established players of nearly one rating, which is still about their strength."""
        day = planned.start
        ready: list[tuple[Entrant, float]] = []
        for known in islice(self._chance.in_any_order(self._established), _ASKED_FOR_A_MATCH):
            person, opening, strength = known.person, known.regular, known.person.strength_on(day)
            if (
                person.is_member_on(day)
                and opening is not None
                and abs(opening.rating - strength) < _MATCH_CHANGE
            ):
                ready.append((Entrant(person.id, strength), opening.rating))
        if not ready:
            return None
        player, rating = self._chance.one_of(ready)
        others = [
            opponent
            for opponent, other_rating in ready
            if opponent is not player
            and abs(opponent.strength - player.strength) < _MATCH_APART
            and abs(other_rating - rating) < _MATCH_APART
        ]
        if not others:
            return None
        opponent = self._chance.one_of(others)
        entries = play_match(self._chance, player, opponent, 2 * self._chance.between(2, 4))
        section = self._section(planned, 1, "Match", "G/90;d5")
        section = section._replace(type=SectionType.MATCH, entries=entries)
        return self._report(planned, [section])

    def _foreign(self, planned: PlannedEvent) -> Report | None:
        """A foreign FIDE event: the members who played there, and their opponents only."""
        ready = [
            rated.person
            for rated in self._established
            if rated.person.is_member_on(planned.start)
            and rated.person.member.facts.fide is not None
            and rated.person.member.facts.fide_opt_in
        ]
        count = self._chance.between(1, _FOREIGN_PLAYERS_AT_MOST)
        travellers = list(islice(self._chance.in_any_order(ready), count))
        if not travellers:
            return None
        section = self._section(planned, 1, "Open", "40/90,SD/30;+30")._replace(type=SectionType.FIDE)
        youth = all(person.age_on(planned.start) < SCHOOL_AGE for person in travellers)
        entrants = self._entrants(travellers, planned.start)
        entries, met = foreign_section(self._chance, self._strangers, entrants, planned.start)
        report = self._report(planned, [section._replace(youth=youth, entries=entries)], met)
        if report is None:
            return None
        city, country = place_abroad(self._chance)
        name = self._titles.event(planned.habit, planned.start, town=city)
        return report._replace(
            event=Event(name=name, start=planned.start, end=planned.end, city=city, country=country)
        )

    # Reports

    def _section(self, planned: PlannedEvent, number: int, name: str, control: str) -> Section:
        start, end = planned.start, planned.end
        return _SECTION._replace(number=number, name=name, start=start, end=end, time_control=control)

    def _paced(self, planned: PlannedEvent, control: str) -> Section:
        return self._section(planned, 1, _PACES.get(control, "Quick"), control)

    def _played(self, section: Section, people: Sequence[Person], rounds: int, chances: Chances) -> Section:
        """Return *section* played: a Swiss system, or a round robin where the players are few."""
        entrants = self._entrants(people, section.rules_date)
        if len(entrants) <= _ROUND_ROBIN_UP_TO:
            entries = play_round_robin(self._chance, entrants, chances)
            return section._replace(type=SectionType.ROUND_ROBIN, entries=entries)
        return section._replace(entries=play_swiss(self._chance, entrants, rounds, chances))

    def _single(
        self, planned: PlannedEvent, section: Section, people: Sequence[Person], rounds: int, chances: Chances
    ) -> Report | None:
        if len(people) < LEAST_PLAYERS:
            return None
        return self._report(planned, [self._played(section, people, rounds, chances)])

    def _report(
        self, planned: PlannedEvent, sections: Sequence[Section], strangers: Sequence[PlayerFacts] = ()
    ) -> Report | None:
        """Return the report, None where no section has a game; of members it knows ids and names."""
        rounds = ([cell for entry in section.entries for cell in entry.rounds] for section in sections)
        if not sections or not all(any(cell.rated for cell in cells) for cells in rounds):
            return None
        club = self._clubs[planned.club]
        players = {
            entry.player: PlayerFacts(entry.player, self._names.get(entry.player, ""))
            for section in sections
            for entry in section.entries
        }
        players |= {stranger.id: stranger for stranger in strangers}
        surnames = [self._names.get(entry.player, "").partition(",")[0] for entry in sections[0].entries]
        name = self._titles.event(
            planned.habit,
            planned.start,
            town=club.city,
            club=club.name,
            pace=sections[0].name,
            players=" - ".join(surnames),
        )
        event = Event(
            name=name,
            start=planned.start,
            end=planned.end,
            city=club.city,
            state=club.state,
            country="USA",
            affiliate=club.affiliate,
            chief_td=self._directors[planned.club],
        )
        return Report(event, players, tuple(sections))


_STRANGERS = 160
_ROUNDS = 9
_NEAR = 220.0
"""Points within which opponents of an open abroad are found."""


class Stranger(NamedTuple):
    """An opponent abroad; FIDE's list has the strength."""

    id: str
    name: str
    rating: int


def invent_strangers(names: Names) -> tuple[Stranger, ...]:
    """Return the players abroad."""
    return tuple(
        Stranger(f"FIDE{79_000_001 + number}", names.person(), 1_450 + 7 * number)
        for number in range(_STRANGERS)
    )


def foreign_section(
    chance: Chance, strangers: Sequence[Stranger], members: Sequence[Entrant], day: date
) -> tuple[tuple[Entry, ...], tuple[PlayerFacts, ...]]:
    """Return the entries of *members* and of those whom they met, and the facts of the latter.

    The members' ratings are updated; of the others only the games against members are reported.
    """
    rows: dict[str, list[Cell]] = {member.id: [Cell()] * _ROUNDS for member in members}
    seat_of: dict[str, int] = {member.id: number for number, member in enumerate(members, start=1)}
    met: dict[str, Stranger] = {}
    for member in members:
        # As a pairing would: opponents of about the same strength, each once in a round.
        near = [stranger for stranger in strangers if abs(stranger.rating - member.strength) < _NEAR]
        mine = list(chance.in_any_order(near or strangers[-_ROUNDS:]))
        for number in range(_ROUNDS):
            if chance.happens(1 / 30):
                rows[member.id][number] = Cell("U")
                continue
            available = (
                stranger
                for stranger in mine
                if stranger.id not in rows or rows[stranger.id][number] == Cell()
            )
            free = next(available, None)
            if free is None:
                continue
            mine.remove(free)
            met.setdefault(free.id, free)
            seat = seat_of.setdefault(free.id, len(seat_of) + 1)
            rows.setdefault(free.id, [Cell()] * _ROUNDS)
            colour, other_colour = ("w", "b") if number % 2 == 0 else ("b", "w")
            letter = result(chance, member.strength, float(free.rating))
            rows[member.id][number] = Cell(letter, seat, colour)
            rows[free.id][number] = Cell(MIRROR[letter], seat_of[member.id], other_colour)
    ours = {member.id for member in members}
    entries = tuple(Entry(seat_of[key], key, tuple(row), update=key in ours) for key, row in rows.items())
    listed = ForeignRating(0.0, day.replace(day=1))
    facts = tuple(
        PlayerFacts(free.id, free.name, fide=listed._replace(rating=free.rating)) for free in met.values()
    )
    return entries, facts
