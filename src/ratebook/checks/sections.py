"""Checks of sections as a whole: who is in them, how they are coded, and what the file states of them."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ratebook.checks.submission import SeatedSection, Submission, place_of
from ratebook.findings import Finding, Place, finding
from ratebook.formats.reading.fields import shown
from ratebook.model import SCORES, Cell, Entry, PlayerFacts, Section, SectionType, System
from ratebook.rating.foreign import finds_unmarked, not_eligible_because
from ratebook.rules.in_force import RulesInForce

NOT_PLAYED = frozenset(("", "U"))
"""The letters in the columns of rounds that a section does not have (docs/formats/uschess.md#seats, D_RNDnn)."""

EXTRA = "extra"
"""The word by which directors name a section of extra games (docs/formats/uschess.md#real-packages)."""

SYSTEMS_OF_LETTER = {
    "R": ({System.REGULAR}, {System.ONLINE_REGULAR}),
    "Q": ({System.QUICK}, {System.ONLINE_QUICK}),
    "D": ({System.REGULAR, System.QUICK}, {System.BLITZ}, {System.ONLINE_BLITZ}),
    "B": ({System.BLITZ}, {System.ONLINE_BLITZ}),
}
"""For each letter of S_R_SYSTEM the sets of systems one of which must rate the section.

R is written for dual-rated sections too, and D for blitz, which has no letter of its own
(docs/formats/uschess.md#sections).
"""


def check_sections_exist(submission: Submission) -> Iterator[Finding]:
    """Report a report without any section."""
    if not submission.report.sections:
        yield finding("sections-empty.no-section", Place(field="sections"))


def check_sections_have_entries(submission: Submission) -> Iterator[Finding]:
    """Report sections without players."""
    for section in submission.report.sections:
        if not section.entries:
            yield finding("entries-empty.no-entry", Place(section=section.number, field="entries"))


def check_section_numbers_differ(submission: Submission) -> Iterator[Finding]:
    """Report section numbers that occur twice.

    Findings and results name a section by its number.
    """
    numbers: set[int] = set()
    for section in submission.report.sections:
        if section.number in numbers:
            place = Place(section=section.number, field="number")
            yield finding("section-number-twice.other-section", place, number=section.number)
        numbers.add(section.number)


def check_matches_are_between_two_players(submission: Submission) -> Iterator[Finding]:
    """Report players of a match who met more than one opponent.

    A section may hold many matches, as a team match does. Two seats of one person are one player
    (docs/rules/readings.md#a8). The other conditions of a match depend on the rules of its day.
    """
    for seating in submission.sections:
        if seating.section.type is not SectionType.MATCH:
            continue
        for entries in seating.seats_of.values():
            opponents = {
                seating.entry_at[cell.opponent].player
                for entry in entries
                for cell in entry.rounds
                if cell.rated and cell.opponent is not None and cell.opponent in seating.entry_at
            }
            if len(opponents) > 1:
                place = place_of(seating.section, entries[0])
                yield finding("match-several-opponents", place, opponents=len(opponents))


def check_foreign_events_update_players(submission: Submission) -> Iterator[Finding]:
    """Report foreign FIDE sections in which no entry is marked, and no player is eligible without a mark."""
    players = submission.report.players
    for section, *_, rules in submission.sections:
        if section.type is not SectionType.FIDE:
            continue
        if not any(_is_updated(entry, players, rules) for entry in section.entries):
            yield finding("update-missing", Place(section=section.number, field="entries"))


def check_sections_have_games(submission: Submission) -> Iterator[Finding]:
    """Report sections without any rated game: all rounds are byes, forfeits or empty.

    No rating changes (docs/rules/readings.md#a9). Most often the results were not entered.
    """
    for section in submission.report.sections:
        played = any(cell.letter in SCORES for entry in section.entries for cell in entry.rounds)
        if section.entries and not played:
            yield finding("section-without-games", Place(section=section.number, field="entries"))


def check_rounds_were_played(submission: Submission) -> Iterator[Finding]:
    """Report rounds that no one played although a later one was: their results were most often not entered.

    Sections in which players were paired in half of the rounds or less, such as ladders and extra games, have no
    common rounds (docs/formats/uschess.md#real-packages).
    """
    for section in submission.report.sections:
        played = Counter(
            number
            for entry in section.entries
            for number, cell in enumerate(entry.rounds, start=1)
            if cell.letter not in NOT_PLAYED or cell.opponent
        )
        if 2 * sum(played.values()) <= len(played) * len(section.entries):
            continue
        for number in range(1, max(played, default=0)):
            if number not in played:
                yield finding("round-empty", Place(section=section.number, round=number))


def rounds_played(section: Section) -> int:
    """Return the number of the last round with a cell that is neither unpaired nor empty."""
    last = 0
    for entry in section.entries:
        for number in range(len(entry.rounds), last, -1):
            if entry.rounds[number - 1].letter not in NOT_PLAYED:
                last = number
                break
    return last


def has_extra_games_only(seating: SeatedSection, submission: Submission) -> bool:
    """Return whether a section holds extra games: one for each player, beside the sections of the event.

    One game each alone might be a section with its first round entered only. So its name says "extra", or in every
    game at least one side also sits in another section (docs/formats/uschess.md#real-packages).
    """
    games: list[tuple[str, Cell]] = []
    for entry in seating.section.entries:
        cells = [cell for cell in entry.rounds if cell.letter not in NOT_PLAYED]
        if len(cells) > 1:
            return False
        games += [(entry.player, cell) for cell in cells if cell.letter in SCORES]
    if EXTRA in seating.section.name.casefold():
        return bool(games)
    elsewhere: set[str] = set()
    for other in submission.sections:
        if other is not seating:
            elsewhere.update(other.seats_of)
    for player, cell in games:
        opponent = None if cell.opponent is None else seating.entry_at.get(cell.opponent)
        if player not in elsewhere and (opponent is None or opponent.player not in elsewhere):
            return False
    return bool(games)


def check_stated_rounds(submission: Submission) -> Iterator[Finding]:
    """Report sections with more or fewer rounds than the file states (S_TOT_RNDS).

    Columns in which all players are empty or unpaired are not rounds. A round robin may state the number of players
    instead (docs/formats/uschess.md), a section of extra games the rounds of the event
    (docs/formats/uschess.md#real-packages).
    """
    for seating in submission.sections:
        section = seating.section
        stated = submission.facts.stated_rounds.get(section.number)
        if stated is None or not section.entries:
            continue
        played = rounds_played(section)
        by_players = section.type is SectionType.ROUND_ROBIN and stated == len(section.entries)
        of_the_event = played < stated and has_extra_games_only(seating, submission)
        if played != stated and not by_players and not of_the_event:
            place = Place(section=section.number, field="rounds")
            yield finding("rounds-differ", place, stated=stated, played=played)


def check_stated_systems(submission: Submission) -> Iterator[Finding]:
    """Report sections whose time control is not rated in the system that the file states (S_R_SYSTEM).

    The time control decides (docs/formats/office-checks.md#what-the-office-checked). R fits Regular and dual-rated
    sections, Q Quick and dual-rated ones, D dual-rated ones and blitz, B blitz alone
    (docs/formats/uschess.md#sections).
    """
    for seating in submission.sections:
        stated = submission.facts.stated_systems.get(seating.section.number, "").strip().upper()
        systems = {system for system, _ in seating.systems}
        if not stated or not systems:
            continue
        if not any(wanted <= systems for wanted in SYSTEMS_OF_LETTER.get(stated, ())):
            named = " and ".join(system for system, _ in seating.systems)
            control = shown(seating.section.time_control)
            place = Place(section=seating.section.number, field="system")
            yield finding(
                "system-contradicts-time-control", place, stated=shown(stated), control=control, named=named
            )


def check_foreign_opponents_have_ratings(submission: Submission) -> Iterator[Finding]:
    """Report opponents of updated players in foreign FIDE sections who have no FIDE rating.

    Games against them drop out before anything is counted (docs/rules/readings.md#foreign-fide-events).
    """
    players = submission.report.players
    for section, *_, rules in submission.sections:
        if section.type is not SectionType.FIDE:
            continue
        met = {
            cell.opponent
            for entry in section.entries
            if _is_updated(entry, players, rules)
            for cell in entry.rounds
            if cell.letter in SCORES
        }
        for entry in section.entries:
            player = players.get(entry.player)
            if entry.seat in met and (player is None or player.fide is None):
                yield finding("fide-rating-missing", place_of(section, entry))


def _is_updated(entry: Entry, players: Mapping[str, PlayerFacts], rules: RulesInForce | None) -> bool:
    """Return whether the section changes the rating of *entry*, as far as report and lists tell."""
    if entry.update:
        return True
    if rules is None or not finds_unmarked(rules) or entry.player not in players:
        return False
    return not not_eligible_because(players[entry.player], System.REGULAR, rules)
