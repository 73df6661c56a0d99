"""What the checks look at: a report, what its file states beside it, and each section with its seats looked up."""

from collections.abc import Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ratebook.findings import Place
from ratebook.model import MIRROR, SCORES, Cell, Entry, Report, Section, SectionType, System
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.rulebook import Rulebook, RuleNotKnown
from ratebook.rules.timecontrol import systems_of_section

PLAYERS_OF_A_MATCH = 2

BYES = frozenset("BHU")

ASYMMETRIC = frozenset(SCORES) - frozenset(MIRROR)
"""Letters of games that one side alone reports: N, S and R."""

MEMBER_ID = r"(?!0{8})[0-9]{8}"
"""A US Chess member id has eight digits; 00000000 is an unknown one (docs/formats/uschess.md#seats)."""


PAIRING = "pairing"
"""Instead of a system: the rating by which a player was paired, whose system is not said."""


class Thresholds(NamedTuple):
    """Which checks a federation makes, and where it draws the line.

    Attributes:
        days_to_report: days after the event within which a report is taken without asking.
        points_from_rating: points between rating and performance above which the id may be another person's.
        off: codes of warnings that it does not want.

    Source of the numbers: docs/formats/office-checks.md#what-the-office-checked.
    """

    days_to_report: int = 10
    points_from_rating: int = 600
    off: tuple[str, ...] = ()


USUAL = Thresholds()


class ReportedFacts(NamedTuple):
    """What a file or a list says beside the report, for the checks alone; nothing is rated from it.

    Attributes:
        stated_rounds: number of rounds that the file states, by section number.
        stated_systems: letter of the system that the file states (R, D, Q or B), by section number.
        received: the day on which the report came in.
        today: the day on which it is read, where that may be told.
        expires: last day of membership, by player.
        stated_ratings: ratings before the event, by player and name of the system; `PAIRING` where it names none.
        member_id_pattern: regular expression of a whole member id; None: the report's ids tell it; empty: not checked.
        thresholds: of the federation.
    """

    stated_rounds: Mapping[int, int] = MappingProxyType({})
    stated_systems: Mapping[int, str] = MappingProxyType({})
    received: date | None = None
    expires: Mapping[str, date] = MappingProxyType({})
    stated_ratings: Mapping[str, Mapping[str, float]] = MappingProxyType({})
    member_id_pattern: str | None = None
    thresholds: Thresholds = USUAL
    today: date | None = None


NOTHING_STATED = ReportedFacts()


class SeatedSection(NamedTuple):
    """A section with what several checks look up in it.

    Attributes:
        entry_at: entry by seat; the first one where a seat is taken twice.
        seats_of: entries by player; two where one person has two seats (docs/rules/readings.md#a8).
        unmirrored: entries with a cell that the opponent's cell does not answer as it should. Only in these can a
            game be wrong, so that the checks of games cost nothing where everything agrees.
        systems: the systems that rate the section, with their rules; none where that is not known, or a foreign event.
        foreign: the rules of a foreign event.
    """

    section: Section
    entry_at: Mapping[int, Entry]
    seats_of: Mapping[str, list[Entry]]
    unmirrored: tuple[Entry, ...]
    systems: tuple[tuple[System, RulesInForce], ...]
    foreign: RulesInForce | None = None


class Submission(NamedTuple):
    """A report as it was sent in, ready to be checked."""

    report: Report
    facts: ReportedFacts
    sections: tuple[SeatedSection, ...]


def submission_of(report: Report, facts: ReportedFacts, rulebook: Rulebook) -> Submission:
    """Return *report* ready to be checked; the rules are those of each section's own day."""
    return Submission(report, facts, tuple(seated(section, rulebook) for section in report.sections))


def seated(section: Section, rulebook: Rulebook) -> SeatedSection:
    """Return *section* with its seats looked up."""
    entry_at: dict[int, Entry] = {}
    seats_of: dict[str, list[Entry]] = {}
    for entry in section.entries:
        entry_at.setdefault(entry.seat, entry)
        seats_of.setdefault(entry.player, []).append(entry)
    unmirrored = tuple(entry for entry in section.entries if not is_mirrored(entry, entry_at))
    systems = systems_of_section(section, rulebook)
    return SeatedSection(
        section=section,
        entry_at=entry_at,
        seats_of=seats_of,
        unmirrored=unmirrored,
        systems=tuple((system, rulebook.in_force(system, section.rules_date)) for system in systems),
        foreign=_foreign_rules(section, rulebook),
    )


def _foreign_rules(section: Section, rulebook: Rulebook) -> RulesInForce | None:
    if section.type is not SectionType.FIDE:
        return None
    try:
        return rulebook.in_force(System.REGULAR, section.rules_date)
    except RuleNotKnown:
        return None


def is_mirrored(entry: Entry, entry_at: Mapping[int, Entry]) -> bool:
    """Return whether the opponents of *entry* answer every cell as they should: result, seat and colour.

    Byes, forfeits and empty rounds need no answer; a bye that names an opponent and a game that one side alone reports
    are never answered as they should.
    """
    seat, player, rounds = entry.seat, entry.player, entry.rounds
    for at, (letter, opponent, colour) in enumerate(rounds):
        answer = MIRROR.get(letter)
        if answer is None:
            if letter in ASYMMETRIC or (opponent is not None and letter in BYES):
                return False
            continue
        other = None if opponent is None else entry_at.get(opponent)
        if other is None or other.player == player or at >= len(other.rounds):
            return False
        other_letter, other_opponent, other_colour = other.rounds[at]
        if other_opponent != seat or other_letter != answer or (colour and other_colour == colour):
            return False
    return True


def place_of(section: Section, entry: Entry, number: int | None = None) -> Place:
    """Return the place of a seat, or of the cell of one of its rounds."""
    return Place(section=section.number, seats=(entry.seat,), round=number)


def unmirrored_cells(submission: Submission) -> Iterator[tuple[SeatedSection, Entry, int, Cell]]:
    """Yield the cells among which every wrong game is, with their sections, entries and round numbers."""
    for seating in submission.sections:
        for entry in seating.unmirrored:
            for number, cell in enumerate(entry.rounds, start=1):
                yield seating, entry, number, cell


def answer_to(seating: SeatedSection, cell: Cell, number: int) -> Cell | None:
    """Return the opponent's cell in round *number*, empty where it has fewer rounds; None where no one sits there."""
    other = None if cell.opponent is None else seating.entry_at.get(cell.opponent)
    if other is None:
        return None
    return other.rounds[number - 1] if number <= len(other.rounds) else Cell()
