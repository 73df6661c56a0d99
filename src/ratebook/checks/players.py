"""Checks of players: their birth dates, memberships, floors, and ratings that do not fit their results."""

from collections.abc import Iterator, Mapping
from datetime import date

from ratebook.checks.submission import SeatedSection, Submission, place_of
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.cells import plain_number
from ratebook.formats.reading.fields import shown
from ratebook.model import SCORES, Entry, PlayerFacts, Rating, SectionType, System
from ratebook.rating.carry import games_of
from ratebook.rating.floors import is_level, levels_text
from ratebook.rules.in_force import CONSTANT
from ratebook.titles.title_rules import title_rules

LEAST_GAMES_OF_A_PERFORMANCE = 3
"""Fewer games say nothing of an id (docs/formats/office-checks.md#thresholds-of-this-program)."""

PERFORMANCE_SPREAD = 400.0
"""Points that a linear performance adds to the opponents' average for winning everything."""

FIDE_FLOOR_RAISED = date(2024, 3, 1)
LOWEST_FIDE_RATINGS = (1_000, 1_400)
"""FIDE publishes no lower rating before that day, and from it on (FIDE Council, the reform of 2024-03-01)."""

LEAST_AGE = 3
MOST_AGE = 110
"""Years; no one younger or older plays in rated events (docs/formats/office-checks.md#thresholds-of-this-program)."""


def check_birth_dates(submission: Submission) -> Iterator[Finding]:
    """Report players who were born after the last section in which they have an entry.

    Birth dates are private, so the message does not show them.
    """
    for player, end in last_sections(submission):
        if player.birth_date is not None and player.birth_date > end:
            place = Place(players=(player.id,), field="birth_date")
            yield finding("birth-date-after-event.after-event", place, end=end)


def check_ages(submission: Submission) -> Iterator[Finding]:
    """Report players who are under 3 or over 110 years old at the end of the last section in which they have an entry.

    A player who is impossibly young gets the initial rating of a player without a birth date. Neither the date nor the
    age is shown.
    """
    for player, end in last_sections(submission):
        if player.birth_date is not None and player.birth_date <= end:
            age = age_on(player.birth_date, end)
            if not LEAST_AGE <= age <= MOST_AGE:
                place = Place(players=(player.id,), field="birth_date")
                yield finding("age-unlikely", place, least_age=LEAST_AGE, most_age=MOST_AGE)


def check_fide_ratings(submission: Submission) -> Iterator[Finding]:
    """Report FIDE ratings below the lowest that FIDE had on their day, or on the last day of the player's last section.

    National events have national ratings in columns for FIDE ratings; they give wrong initial ratings.
    """
    for player, end in last_sections(submission):
        if player.fide is not None:
            floor = LOWEST_FIDE_RATINGS[(player.fide.as_of or end) >= FIDE_FLOOR_RAISED]
            if player.fide.rating < floor:
                place = Place(players=(player.id,), field="fide")
                yield finding(
                    "fide-rating-too-low", place, rating=plain_number(player.fide.rating), floor=floor
                )


def last_sections(submission: Submission) -> Iterator[tuple[PlayerFacts, date]]:
    """Yield every known player who has an entry, with the end of the last section with one."""
    ends: dict[str, date] = {}
    for seating in submission.sections:
        end = seating.section.end
        for player in seating.seats_of:
            if player not in ends or ends[player] < end:
                ends[player] = end
    players = submission.report.players
    yield from ((players[player], end) for player, end in ends.items() if player in players)


def age_on(born: date, day: date) -> int:
    """Return how many birthdays a person has had.

    >>> from datetime import date
    >>> age_on(date(2012, 5, 2), date(2026, 5, 1))
    13
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def check_memberships(submission: Submission) -> Iterator[Finding]:
    """Report players whose membership had expired on the last day of their section.

    Checked only for players whose last day of membership is on a list. The end of the section counts
    (docs/formats/office-checks.md#what-the-office-checked).
    """
    expires = submission.facts.expires
    if not expires:
        return
    for seating in submission.sections:
        for player, entries in seating.seats_of.items():
            last = expires.get(player)
            if last is not None and last < seating.section.end:
                place = place_of(seating.section, entries[0])
                yield finding("membership-expired", place, last=last, end=seating.section.end)


def check_birth_dates_of_newcomers(submission: Submission) -> Iterator[Finding]:
    """Report unrated players whose initial rating depends on an unknown age.

    They have a rated game, but no rating in any system, from FIDE, from CFC or by the office, no birth date, and no
    statement whether they are adults. Their initial rating is the constant for players without a birth date.
    """
    players = submission.report.players
    for seating in submission.sections:
        if seating.section.type is SectionType.FIDE:
            continue
        seats = [
            entry.seat
            for player, (entry, *others) in seating.seats_of.items()
            if player in players
            and needs_birth_date(players[player], seating)
            and any(cell.letter in SCORES for seat in (entry, *others) for cell in seat.rounds)
        ]
        if seats:
            place = Place(section=seating.section.number, seats=tuple(seats))
            yield finding("unrated-without-birth-date", place)


def needs_birth_date(player: PlayerFacts, seating: SeatedSection) -> bool:
    """Return whether Step 1 would ask for the age of *player*, and nothing is known of it."""
    if player.birth_date is not None or player.adult is not None:
        return False
    asking = [system for system, rules in seating.systems if rules.initial_method != CONSTANT]
    if seating.systems and not asking:
        return False
    known = (player.pairing_rating, player.fide, player.cfc)
    if player.ratings or any(rating is not None for rating in known):
        return False
    return not player.initial or any(system not in player.initial for system in asking)


def check_floors_are_levels(submission: Submission) -> Iterator[Finding]:
    """Report players with an entered floor at a level that no rule of its kind gives.

    Files and lists are checked while they are read; this finds the floors of a report made by a program.
    """
    for player in submission.report.players.values():
        for floor in player.floors:
            if not is_level(floor.kind, floor.floor):
                yield finding(
                    "floor-level-wrong",
                    Place(players=(player.id,), system=floor.system),
                    floor=floor.floor,
                    kind=floor.kind,
                    levels=levels_text(floor.kind),
                )


def check_floors_below_ceilings(submission: Submission) -> Iterator[Finding]:
    """Report players whose entered floor in a system is above their ceiling in it (docs/rules/readings.md#a17)."""
    for player in submission.report.players.values():
        for ceiling in player.ceilings:
            floors = [floor.floor for floor in player.floors if floor.system is ceiling.system]
            if floors and max(floors) > ceiling.ceiling:
                place = Place(players=(player.id,), system=ceiling.system)
                yield finding(
                    "floor-above-ceiling.as-reported", place, floors=max(floors), ceiling=ceiling.ceiling
                )


def check_performances(submission: Submission) -> Iterator[Finding]:
    """Report established players who performed more than 600 points above or below their rating.

    The id then often belongs to another person: digits were swapped, or two siblings, or two players of the same name
    (docs/formats/office-checks.md#what-the-office-checked). Performance = average rating of the opponents + 400 (wins -
    losses) / games, over at least three games against rated opponents. A player who wins every game performed at least
    that well, one who loses every game at most that well; the check compares this bound. Provisional ratings are
    expected to change and are left out. In a dual-rated section the system with more rated players is used.
    The profile of a book may name another number of points.
    """
    players = submission.report.players
    for seating in submission.sections:
        rated_in = system_of_most_ratings(seating, players)
        if rated_in is None:
            continue
        system, established_above = rated_in
        own: dict[str, Rating] = {}
        for player in seating.seats_of:
            rating = players[player].ratings.get(system) if player in players else None
            if rating is not None:
                own[player] = rating
        points = {
            seat: own[entry.player].rating for seat, entry in seating.entry_at.items() if entry.player in own
        }
        for player, rating in own.items():
            if games_of(rating.games) <= established_above:
                continue
            entries = seating.seats_of[player]
            distance = distance_from_rating(entries, rating.rating, points)
            if abs(distance) > submission.facts.thresholds.points_from_rating:
                yield finding(
                    "performance-unlikely",
                    place_of(seating.section, entries[0]),
                    distance=abs(distance),
                    word="above" if distance > 0 else "below",
                    system=system,
                    rating=rating.rating,
                )


def system_of_most_ratings(
    seating: SeatedSection, players: Mapping[str, PlayerFacts]
) -> tuple[System, float] | None:
    """Return the section's system in which most players are rated, with the games above which one is established."""
    best: tuple[System, float] | None = None
    most = 0
    for system, rules in seating.systems:
        rated = sum(player in players and system in players[player].ratings for player in seating.seats_of)
        if rated > most:
            best, most = (system, rules.established_above_games), rated
    return best


def distance_from_rating(entries: list[Entry], own: float, points: Mapping[int, float]) -> float:
    """Return how far a player performed above (or, negative, below) the rating *own*; 0 where that is not known.

    The *entries* are the player's seats; *points* are all ratings before the section, by seat.
    """
    games = 0
    total = 0.0
    balance = 0.0
    for entry in entries:
        for letter, opponent, _ in entry.rounds:
            score = SCORES.get(letter)
            if score is not None and opponent is not None and opponent in points:
                games += 1
                total += points[opponent]
                balance += score + score - 1.0
    if games < LEAST_GAMES_OF_A_PERFORMANCE:
        return 0.0
    distance = (total + PERFORMANCE_SPREAD * balance) / games - own
    if balance == games:
        return max(distance, 0.0)
    if balance == -games:
        return min(distance, 0.0)
    return distance


def check_titles_are_known(submission: Submission) -> Iterator[Finding]:
    """Report codes of titles that no title has.

    They are left out where a report's new titles are shown; no rating reads them.
    """
    codes = {title.code for title in title_rules().titles}
    for player in submission.report.players.values():
        for code in player.titles.split():
            if code not in codes:
                place = Place(players=(player.id,), field="titles")
                yield finding("title-unknown", place, code=shown(code), known=" ".join(sorted(codes)))
