"""Checks of a whole report: what no single field shows.

Each check is a small function from a report to its findings, listed in `CHECKS`; a new one is added there.
A check looks at the report alone; match eligibility and half K are checked where the rules are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.model import MIRROR, Cell, SectionType
from ratebook.problems import error, note, warning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ratebook.model import Entry, Report, Section
    from ratebook.problems import Problem

    Check = Callable[[Report], Iterator[Problem]]


_NO_GAME = Cell()
_BYES = frozenset("BHU")
_PLAYERS_OF_A_MATCH = 2


def check_report(report: Report) -> list[Problem]:
    """Return the findings of all checks, check by check."""
    return [problem for check in CHECKS for problem in check(report)]


def _place(section: Section, entry: Entry, number: int) -> str:
    return f"section {section.number}, seat {entry.seat}, round {number}"


def _rated_games(report: Report) -> Iterator[tuple[Section, Entry, int, Cell, int]]:
    """Yield each rated cell that names an opponent: section, entry, round number, cell, opponent's seat."""
    for section in report.sections:
        for entry in section.entries:
            for number, cell in enumerate(entry.rounds, start=1):
                if cell.rated and cell.opponent is not None:
                    yield section, entry, number, cell, cell.opponent


def _games_by_player(section: Section) -> dict[str, int]:
    """Return how many rated games each player has; two seats of one player are one (RULINGS A8)."""
    games: dict[str, int] = {}
    for entry in section.entries:
        games[entry.player] = games.get(entry.player, 0) + sum(cell.rated for cell in entry.rounds)
    return games


def check_games_have_opponents(report: Report) -> Iterator[Problem]:
    """Report played games that name no opponent."""
    for section in report.sections:
        for entry in section.entries:
            for number, cell in enumerate(entry.rounds, start=1):
                if cell.rated and cell.opponent is None:
                    yield error(
                        "game-without-opponent",
                        _place(section, entry, number),
                        f"The result {cell.letter} is a played game, but it names no opponent.",
                        "Add the opponent's seat, or code a forfeit (X, F, Z) or a bye (B, H, U).",
                    )


def check_byes_have_no_opponents(report: Report) -> Iterator[Problem]:
    """Report byes and unpaired rounds that name an opponent."""
    for section in report.sections:
        for entry in section.entries:
            for number, cell in enumerate(entry.rounds, start=1):
                if cell.letter in _BYES and cell.opponent is not None:
                    yield warning(
                        "bye-with-opponent",
                        _place(section, entry, number),
                        f"The result {cell.letter} is a bye, but it names an opponent, seat {cell.opponent}.",
                        "Remove the seat; or code a game (W, D, L) or a forfeit (X, F, Z).",
                    )


def check_opponents_exist(report: Report) -> Iterator[Problem]:
    """Report rated games against a seat that the section does not have."""
    seats = {section.number: {entry.seat for entry in section.entries} for section in report.sections}
    for section, entry, number, _, opponent in _rated_games(report):
        if opponent not in seats[section.number]:
            yield error(
                "opponent-missing",
                _place(section, entry, number),
                f"The opponent is seat {opponent}, which the section does not have.",
                "Add the opponent's entry, or correct the seat.",
            )


def check_nobody_plays_himself(report: Report) -> Iterator[Problem]:
    """Report games of a seat, or of one person under two seats, against itself."""
    players = {
        section.number: {entry.seat: entry.player for entry in section.entries} for section in report.sections
    }
    for section, entry, number, _, opponent in _rated_games(report):
        if players[section.number].get(opponent) == entry.player:
            yield error(
                "self-pairing",
                _place(section, entry, number),
                f"The opponent, seat {opponent}, is the same player.",
                "Correct the opponent's seat, or the player of one of the seats.",
            )


def check_sides_agree(report: Report) -> Iterator[Problem]:
    """Report games on which the two sides disagree: who met whom, or the result.

    N, S and R need no mirror: one side alone reports them (RULINGS A15).
    """
    rounds_of = {
        section.number: {entry.seat: entry.rounds for entry in section.entries} for section in report.sections
    }
    for section, entry, number, cell, opponent in _rated_games(report):
        rounds = rounds_of[section.number].get(opponent)
        if cell.letter not in MIRROR or rounds is None or opponent == entry.seat:
            continue
        other = rounds[number - 1] if number <= len(rounds) else _NO_GAME
        if other.opponent != entry.seat:
            said = "has no opponent" if other.opponent is None else f"names seat {other.opponent}"
            yield error(
                "opponents-disagree",
                _place(section, entry, number),
                f"The opponent is seat {opponent}, which {said} in this round.",
                "Correct one of the two cells: each side must name the other.",
            )
        # Both seats see the same wrong pair of results; it is reported at the lower one.
        elif other.letter != MIRROR[cell.letter] and (other.letter not in MIRROR or entry.seat < opponent):
            yield error(
                "results-disagree",
                _place(section, entry, number),
                f"The result is {cell.letter}, but seat {opponent} has {other.letter} in this round, "
                f"not {MIRROR[cell.letter]}.",
                "Correct one of the two cells; where each side keeps its own result, code both N, S or R.",
            )


def check_one_seat_for_each_player(report: Report) -> Iterator[Problem]:
    """Report players under two seats of one section: they are rated as one (RULINGS A8)."""
    for section in report.sections:
        first_seat: dict[str, int] = {}
        for entry in section.entries:
            first = first_seat.setdefault(entry.player, entry.seat)
            if first != entry.seat:
                yield warning(
                    "player-two-seats",
                    f"section {section.number}, seat {entry.seat}",
                    f"The player of seat {first} has this seat too: both are rated as one player.",
                    "Nothing, if this is one person; otherwise correct the player of one of the seats.",
                )


def check_matches_have_two_players(report: Report) -> Iterator[Problem]:
    """Report sections coded as a match that have more or fewer than two players."""
    for section in report.sections:
        count = len(_games_by_player(section))
        if section.type is SectionType.MATCH and count != _PLAYERS_OF_A_MATCH:
            yield error(
                "match-not-two-players",
                f"section {section.number}, type",
                f"A match is between two players; this section has {count}.",
                "Correct the entries, or give the section another type.",
            )


def check_foreign_events_update_somebody(report: Report) -> Iterator[Problem]:
    """Report foreign FIDE sections in which no entry is to be updated."""
    for section in report.sections:
        if section.type is SectionType.FIDE and not any(entry.update for entry in section.entries):
            yield error(
                "update-missing",
                f"section {section.number}, entries",
                "A foreign FIDE event updates the entries marked so, and none is.",
                'Add "update": true to the entries of the US players.',
            )


def check_foreign_opponents_have_ratings(report: Report) -> Iterator[Problem]:
    """Name the opponents in foreign FIDE sections who bring no FIDE rating."""
    for section in report.sections:
        if section.type is not SectionType.FIDE:
            continue
        for entry in section.entries:
            player = report.players.get(entry.player)
            if not entry.update and (player is None or player.fide is None):
                yield note(
                    "fide-rating-missing",
                    f"section {section.number}, seat {entry.seat}",
                    "The opponent has no FIDE rating: games against this seat do not count.",
                    'Add "fide" to the player, if there is a FIDE rating.',
                )


def check_floors_below_ceilings(report: Report) -> Iterator[Problem]:
    """Report players whose floor in a system is above their ceiling in it (RULINGS A17)."""
    for player in report.players.values():
        for ceiling in player.ceilings:
            floors = [floor.floor for floor in player.floors if floor.system is ceiling.system]
            if floors and max(floors) > ceiling.ceiling:
                yield error(
                    "floor-above-ceiling",
                    f"player {player.id}, {ceiling.system}",
                    f"The floor of {max(floors):g} is above the ceiling of {ceiling.ceiling:g}.",
                    "Remove the floor or the ceiling, or correct one of them.",
                )


CHECKS: tuple[Check, ...] = (
    check_games_have_opponents,
    check_byes_have_no_opponents,
    check_opponents_exist,
    check_nobody_plays_himself,
    check_sides_agree,
    check_one_seat_for_each_player,
    check_matches_have_two_players,
    check_foreign_events_update_somebody,
    check_foreign_opponents_have_ratings,
    check_floors_below_ceilings,
)
"""All checks, in the order in which their findings are shown."""
