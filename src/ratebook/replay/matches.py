"""What published ratings say against the matches of a history; a replay rates them all the same."""

from typing import Any, NamedTuple

import numpy as np

from ratebook.checks.eligibility import too_far_apart, too_few_games
from ratebook.findings import Finding, Place, finding
from ratebook.model import System
from ratebook.replay.load import Arrays, RawChunk, first_places
from ratebook.replay.memory import MATCH, SYSTEMS, Array
from ratebook.replay.prepare import RuleTable
from ratebook.replay.tables import EMPTY_COUNT

DAY_BITS = 32
"""Bits for a day number, below member and system in one sorted number."""


class ListedRatings(NamedTuple):
    """What the newest list says of both players of some matches in one system: arrays of one row a match.

    *known* is whether the player is on a list; *games* are infinite where the rating is established.
    """

    known: Array
    rating: Array
    games: Array


class MatchEligibility:
    """Counts the matches that the published ratings of their players do not allow, chunk by chunk.

    Each pair of a match section is looked at in each system that rates it, if the section starts on the day of the
    first list or later. Both players must be on a list by its start, established, and not too far apart by the rules
    of that day.

    Source: D25 section 7; docs/rules/readings.md#matches (the list in effect on the section's start date).
    """

    def __init__(self, published: Arrays, rules: RuleTable) -> None:
        self._rules = rules
        self._published = published
        self._places = places(published["member"], published["system"], published["list_date"])
        self._first_day = int(published["list_date"].min(initial=np.iinfo("i4").max))
        self._matches = self._refused = 0
        self._first: tuple[Place, str] | None = None

    def look_at(self, raw: RawChunk) -> None:
        """Take the matches of a chunk that was checked."""
        sections = raw.sections
        judged = (sections["kind"] == MATCH) & (sections["start"] >= self._first_day)
        if not judged.any():
            return
        section = np.repeat(np.arange(len(judged)), sections["entries"])
        games = raw.entries["games"]
        entry = np.flatnonzero(judged[section] & (games > 0))
        opponent = raw.games["opponent"][first_places(games)[entry]]
        opponent = opponent + first_places(sections["entries"])[section[entry]]
        pairs = np.stack([entry, opponent], axis=1)[entry < opponent]
        rows, players = section[pairs[:, 0]], raw.entries["member"][pairs]
        start, systems = sections["start"][rows], sections["systems"][rows]
        refused = np.zeros(len(rows), bool)
        for system in range(SYSTEMS):
            rated = np.flatnonzero((systems >> system) & 1)
            refused[rated] |= self._refuses(players[rated], system, start[rated])
        self._matches += len(rows)
        self._refused += int(refused.sum())
        if self._first is None and refused.any():
            at = int(np.argmax(refused))
            row = int(rows[at])
            reasons = [
                self._reason(players[at : at + 1], number, start[at : at + 1])
                for number in range(SYSTEMS)
                if systems[at] >> number & 1
            ]
            self._first = (
                Place(table="sections", rows=(raw.first_section + row,)),
                f"event {sections['event'][row]}, section {sections['number'][row]}: {next(filter(None, reasons))}",
            )

    def findings(self) -> list[Finding]:
        """Return one warning about all matches that were taken; none where all of them were allowed."""
        if self._first is None:
            return []
        place, first = self._first
        return [
            finding(
                "history-match-not-eligible", place, refused=self._refused, matches=self._matches, first=first
            )
        ]

    def _refuses(self, players: Array, system: int, start: Array) -> Array:
        """Return for each match whether its published ratings in *system* do not allow it."""
        published, rules = self._in_effect(players, system, start), self._in_force(system, start)
        return (
            ~published.known.all(axis=1)
            | too_few_games(rules, published.games.min(axis=1))
            | too_far_apart(rules, published.rating[:, 0], published.rating[:, 1])
        )

    def _reason(self, players: Array, system: int, start: Array) -> str | None:
        """Return why one match is refused in *system*; None where it is not."""
        if not self._refuses(players, system, start).all():
            return None
        published, rules = self._in_effect(players, system, start), self._in_force(system, start)
        name = list(System)[system]
        if not published.known.all():
            return f"a player has no published {name} rating"
        if too_few_games(rules, published.games.min()):
            return (
                f"a published {name} rating rests on {published.games.min():g} games and is not established"
            )
        apart = abs(int(published.rating[0, 0]) - int(published.rating[0, 1]))
        most = rules.match_difference[0]
        return f"the published {name} ratings are {apart} points apart, and a match allows {most:g}"

    def _in_effect(self, players: Array, system: int, start: Array) -> ListedRatings:
        wanted = places(players, system, start[:, None])
        row = np.searchsorted(self._places, wanted, side="right") - 1
        is_listed = (row >= 0) & (self._places[row] >> DAY_BITS == wanted >> DAY_BITS)
        games = self._published["games"][row]
        return ListedRatings(
            is_listed, self._published["rating"][row], np.where(games == EMPTY_COUNT, np.inf, games)
        )

    def _in_force(self, system: int, start: Array) -> Any:  # noqa: ANN401 - rules whose numbers are arrays
        return self._rules.records[self._rules.rows(system, start)].view(np.recarray)


def places(member: Array, system: Array | int, day: Array) -> Array:
    """Return one number for each member, system and day, in the order of these.

    >>> places(np.array([1, 1, 2]), np.array([0, 5, 0]), np.array([9, 1, 3])).argsort().tolist()
    [0, 1, 2]
    """
    return ((member.astype("i8") * SYSTEMS + system) << DAY_BITS) + day
