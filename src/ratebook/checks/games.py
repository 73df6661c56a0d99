"""Checks of games: both sides must tell the same story, each against an opponent who is there."""

from collections.abc import Iterator

from ratebook.checks.submission import (
    ASYMMETRIC,
    BYES,
    PLAYERS_OF_A_MATCH,
    SeatedSection,
    Submission,
    answer_to,
    place_of,
    unmirrored_cells,
)
from ratebook.findings import Finding, Place, finding
from ratebook.model import MIRROR, SCORES, SectionType

MOST_MEETINGS = 2
"""No two players meet more often in a tournament; the bonus has the same bound.

Source: docs/rules/readings.md#2-dated-values.
"""

FORFEIT_WIN = "X"
FORFEIT_DRAW = "Z"


def check_games_have_opponents(submission: Submission) -> Iterator[Finding]:
    """Report played games that name no opponent.

    A game cannot be rated without an opponent.
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter in SCORES and cell.opponent is None:
            place = place_of(seating.section, entry, number)
            yield finding("game-without-opponent", place, letter=cell.letter)


def check_opponents_exist(submission: Submission) -> Iterator[Finding]:
    """Report played games against a seat that the section does not have.

    Forfeits are not games; programs write them with an opponent, with 0 or with nothing
    (docs/formats/uschess.md#round-cells).
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter in SCORES and cell.opponent is not None and cell.opponent not in seating.entry_at:
            place = place_of(seating.section, entry, number)
            yield finding("opponent-missing", place, opponent=cell.opponent)


def check_players_do_not_meet_themselves(submission: Submission) -> Iterator[Finding]:
    """Report games of a seat against itself, or of one person's two seats against each other.

    Two seats of one person are rated as one player (docs/rules/readings.md#a8), so that player
    would be the opponent too.
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter in SCORES and cell.opponent is not None:
            other = seating.entry_at.get(cell.opponent)
            if other is not None and other.player == entry.player:
                place = place_of(seating.section, entry, number)
                yield finding("self-pairing", place, opponent=cell.opponent)


def check_opponents_agree(submission: Submission) -> Iterator[Finding]:
    """Report played games in which the opponent names another seat, or none, in the same round.

    Games that only one side reports (N, S, R) are left out, since the other side need not report them
    (docs/rules/readings.md#a15).
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter not in MIRROR or cell.opponent == entry.seat:
            continue
        other = answer_to(seating, cell, number)
        if other is not None and other.opponent != entry.seat:
            place = place_of(seating.section, entry, number)
            if other.opponent is None:
                yield finding("opponents-disagree.no-opponent", place, opponent=cell.opponent)
            else:
                seats = {"opponent": cell.opponent, "other_seat": other.opponent}
                yield finding("opponents-disagree.other-opponent", place, **seats)


def check_results_agree(submission: Submission) -> Iterator[Finding]:
    """Report played games whose two results cannot both be true: W must face L, and D must face D.

    If both sides report a played game, only the lower seat gets the finding.
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter not in MIRROR or cell.opponent is None or cell.opponent == entry.seat:
            continue
        other = answer_to(seating, cell, number)
        if other is None or other.opponent != entry.seat or other.letter == MIRROR[cell.letter]:
            continue
        if other.letter not in MIRROR or entry.seat < cell.opponent:
            yield finding(
                "results-disagree",
                place_of(seating.section, entry, number),
                letter=cell.letter,
                opponent=cell.opponent,
                letter_2=other.letter,
                mirror=MIRROR[cell.letter],
            )


def check_forfeits_agree(submission: Submission) -> Iterator[Finding]:
    """Report forfeits in which the two sides get more than one point from one game.

    X faces F (docs/formats/uschess.md#round-cells), and two F are a game that both sides forfeited; but two X, or X and
    Z, cannot both be true. A forfeit without an opponent, or with one who names another seat, says nothing about the
    other side.
    """
    for seating in submission.sections:
        for entry in seating.section.entries:
            for number, cell in enumerate(entry.rounds, start=1):
                if cell.letter != FORFEIT_WIN or cell.opponent is None:
                    continue
                other = answer_to(seating, cell, number)
                if other is None or other.opponent != entry.seat:
                    continue
                if other.letter == FORFEIT_DRAW or (
                    other.letter == FORFEIT_WIN and entry.seat < cell.opponent
                ):
                    place = place_of(seating.section, entry, number)
                    yield finding("forfeits-disagree", place, opponent=cell.opponent, letter=other.letter)


def check_byes_have_no_opponents(submission: Submission) -> Iterator[Finding]:
    """Report byes and unpaired rounds that name an opponent.

    They are read by their letter; nothing is rated.
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter in BYES and cell.opponent is not None:
            place = place_of(seating.section, entry, number)
            yield finding("bye-with-opponent", place, letter=cell.letter, opponent=cell.opponent)


def check_asymmetric_results(submission: Submission) -> Iterator[Finding]:
    """Report games that only one side reports (N, S, R), to be confirmed.

    They are rated for that side only (docs/rules/readings.md#a15), which is rarely what was meant
    (docs/formats/office-checks.md#what-other-programs-check).
    """
    for seating, entry, number, cell in unmirrored_cells(submission):
        if cell.letter in ASYMMETRIC:
            yield finding("result-asymmetric", place_of(seating.section, entry, number), letter=cell.letter)


def check_meetings(submission: Submission) -> Iterator[Finding]:
    """Report pairs of players who met more than twice in a section that is neither a match nor between two players.

    Such a section is often a match, or several events in one. A player who met an opponent more than twice gets no
    bonus.
    """
    for seating in submission.sections:
        if seating.section.type is SectionType.MATCH or len(seating.seats_of) <= PLAYERS_OF_A_MATCH:
            continue
        reported: set[tuple[str, str]] = set()
        for player in seating.seats_of:
            for other, games in frequent_opponents(seating, player):
                if (other, player) not in reported:
                    reported.add((player, other))
                    seat, other_seat = seating.seats_of[player][0].seat, seating.seats_of[other][0].seat
                    place = Place(section=seating.section.number, seats=(seat,))
                    yield finding("met-too-often", place, other_seat=other_seat, games=games)


def frequent_opponents(seating: SeatedSection, player: str) -> Iterator[tuple[str, int]]:
    """Yield the opponents whom *player* met more than `MOST_MEETINGS` times, with the number of games."""
    seats = [
        cell.opponent for seat in seating.seats_of[player] for cell in seat.rounds if cell.letter in SCORES
    ]
    # Two games more than seats met: fewer cannot hide a third meeting, unless another player has two seats.
    if len(seats) - len(set(seats)) < MOST_MEETINGS and len(seating.seats_of) == len(seating.entry_at):
        return
    met: dict[str, int] = {}
    for seat in seats:
        other = None if seat is None else seating.entry_at.get(seat)
        if other is not None and other.player != player:
            met[other.player] = met.get(other.player, 0) + 1
    yield from ((other, games) for other, games in met.items() if games > MOST_MEETINGS)
