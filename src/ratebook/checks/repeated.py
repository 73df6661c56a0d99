"""Sections that come twice: known by who played whom, with which results, whatever their files are called."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ratebook.checks.submission import Submission
from ratebook.findings import Finding, Place, finding
from ratebook.formats.hints import is_placeholder, is_seat_id
from ratebook.model import SCORES, PlayerFacts, Section
from ratebook.player_lists.names import name_key

_LETTERS_OF_A_NAME = 30
"""Formats with columns cut longer names; those of US Chess have the narrowest ones."""


def check_sections_come_once(submission: Submission) -> Iterator[Finding]:
    """Report sections with the same players, the same results and the same last day as an earlier one.

    Two files of a folder may hold one section, which would be rated twice. Names of sections make no difference.
    """
    report = submission.report
    first: dict[str, int] = {}
    for section in report.sections:
        played = played_in(section, report.players)
        if played and first.setdefault(repr(played), section.number) != section.number:
            other = first[repr(played)]
            yield finding("section-twice", Place(section=section.number), other_section=other)


def played_in(section: Section, players: Mapping[str, PlayerFacts], form: str = "") -> list[Any]:
    """Return the last day of a section, its players and their results; empty without a game or with somebody unknown.

    Colours do not count: some formats have none.

    Args:
        section: what was played.
        players: of the report, by their keys.
        form: of member ids, as a regular expression; empty: any text.
    """
    seats = sorted(section.entries, key=lambda entry: entry.seat)
    known = [identity_of(players[entry.player], form) if entry.player in players else "" for entry in seats]
    if not all(known) or not any(cell.letter in SCORES for entry in seats for cell in entry.rounds):
        return []
    results = [[f"{cell.letter}{cell.opponent or ''}" for cell in entry.rounds] for entry in seats]
    return [
        section.end.isoformat(),
        [[entry.seat, who, cells] for entry, who, cells in zip(seats, known, results, strict=True)],
    ]


def identity_of(player: PlayerFacts, form: str) -> str:
    """Return what identifies a player: the member id, else the number at FIDE, else the name; empty: nothing does.

    A seat, or a key of the report's own, says nothing about a person.

    >>> from ratebook.model import PlayerFacts
    >>> [identity_of(PlayerFacts(key, "Lee, Ann"), "[0-9]{8}") for key in ("90000001", "P1")]
    ['90000001', 'ann lee']
    """
    if has_form(player.id, form):
        return player.id
    if player.fide_id:
        return f"FIDE {player.fide_id}"
    return name_key(player.name[:_LETTERS_OF_A_NAME])


def has_form(key: str, form: str) -> bool:
    """Return whether the *key* of a player is one of a member id of the *form*, not a seat or a word for no id."""
    return not is_seat_id(key) and not is_placeholder(key) and re.fullmatch(form or ".+", key) is not None
