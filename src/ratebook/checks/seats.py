"""Checks of seats: the pairing numbers of a section and who sits there."""

from collections.abc import Iterator

from ratebook.checks.submission import Submission, place_of
from ratebook.findings import Finding, Place, finding, list_text
from ratebook.formats.reading.fields import shown
from ratebook.model import SectionType


def check_seats_are_taken_once(submission: Submission) -> Iterator[Finding]:
    """Report seats (pairing numbers) that two entries of a section have.

    A cell that names such a seat could mean either of the two.
    """
    for seating in submission.sections:
        seats: set[int] = set()
        for entry in seating.section.entries:
            if entry.seat in seats:
                yield finding("seat-twice.entries-of-seat", place_of(seating.section, entry), seat=entry.seat)
            seats.add(entry.seat)


def check_players_are_known(submission: Submission) -> Iterator[Finding]:
    """Report entries of players whom the report does not list.

    Nothing is known of them, not even that they are unrated.
    """
    players = submission.report.players
    for seating in submission.sections:
        for player, entries in seating.seats_of.items():
            if player not in players:
                yield finding("player-unknown", place_of(seating.section, entries[0]), player=shown(player))


def check_prizes_were_won_in_sections(submission: Submission) -> Iterator[Finding]:
    """Report prizes of players who have no seat in the section in which they are said to have won them."""
    seated = {seating.section.number: seating.seats_of for seating in submission.sections}
    for position, prize in enumerate(submission.report.prizes, start=1):
        if prize.player not in seated.get(prize.section, {}):
            place = Place(prize=position)
            yield finding("prize-without-seat", place, player=shown(prize.player), section=prize.section)


def check_one_seat_for_each_player(submission: Submission) -> Iterator[Finding]:
    """Report players under two seats of one section.

    They are rated as one player, and both seats show the same result (docs/rules/readings.md#a8).
    """
    for seating in submission.sections:
        if len(seating.seats_of) == len(seating.section.entries):
            continue
        for first, *others in seating.seats_of.values():
            for entry in others:
                if entry.seat != first.seat:
                    yield finding("player-two-seats", place_of(seating.section, entry), seat=first.seat)


def check_seats_have_no_gaps(submission: Submission) -> Iterator[Finding]:
    """Report pairing numbers that are missing between 1 and the highest.

    They have no gaps in any package that was measured (docs/formats/uschess.md#seats); a gap is often a lost
    entry. Foreign events, which list only some of the players, are left out.
    """
    for seating in submission.sections:
        if seating.section.type is SectionType.FIDE:
            continue
        seats = sorted(seating.entry_at)
        missing: list[str] = []
        for before, seat in zip([0, *seats], seats, strict=False):
            if seat == before + 2:
                missing.append(str(before + 1))
            elif seat > before + 2:
                missing.append(f"{before + 1} to {seat - 1}")
        if missing:
            place = Place(section=seating.section.number, field="seats")
            yield finding("seats-with-gaps", place, missing=list_text(missing))


def check_names_occur_once(submission: Submission) -> Iterator[Finding]:
    """Report different players of one section who have the same name.

    Order, commas and capitals make no difference. It may be one person with two ids, or two people of one name of whom
    one has the other's id (docs/formats/office-checks.md#what-the-office-checked).
    """
    players = submission.report.players
    for seating in submission.sections:
        first_seat: dict[str, int] = {}
        for player, entries in seating.seats_of.items():
            facts = players.get(player)
            if facts is None or not facts.name:
                continue
            name = " ".join(sorted(facts.name.casefold().replace(",", " ").split()))
            first = first_seat.setdefault(name, entries[0].seat)
            if name and first != entries[0].seat:
                yield finding("name-twice", place_of(seating.section, entries[0]), first=first)
