"""A list of players beside the rounds, as a file or a sheet of its own: names with their ids or ratings."""

import contextlib
import csv
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ratebook.findings import Findings
from ratebook.formats.archive import SourceFile
from ratebook.formats.hints import is_seat_id, plain_id
from ratebook.formats.pairings import table
from ratebook.formats.pairings.lines import Side
from ratebook.formats.reading.fields import RATINGS, shown
from ratebook.formats.reading.sheets.figures import parse_rating
from ratebook.formats.reading.sheets.header import (
    MOST_ROWS_ABOVE,
    NAMES,
    PARTS_OF_NAMES,
    Header,
    plain_title,
    round_of,
)
from ratebook.formats.reading.sheets.synonyms import SYNONYMS
from ratebook.formats.reading.text import decoded_text
from ratebook.model import PlayerFacts, Report

_COLUMNS = {
    "name": table.NAME_TITLES,
    **{part: SYNONYMS["report"][part] for part in PARTS_OF_NAMES},
    "member": table.MEMBER_TITLES,
    "rating": ("regular", *SYNONYMS["report"]["regular"], *table.RATING_TITLES),
    "seat": table.NUMBER_TITLES,
}
_MOST_LINES = 20_000


class Roster(NamedTuple):
    """The file that lists the players, its header, and the rows below it with their numbers."""

    file: SourceFile
    header: Header
    rows: list[tuple[int, list[str]]]

    def players(self, findings: Findings) -> Iterator[Side]:
        """Yield the players; report ratings that cannot be read."""
        for number, row in self.rows:
            member, rating, seat = (
                row[at] if (at := self.header.places.get(column, len(row))) < len(row) else ""
                for column in ("member", "rating", "seat")
            )
            if parse_rating(rating) is None:
                place = self.file.place.but(rows=(number,))
                findings.add("pairing-rating-unreadable", place, text=shown(rating), **RATINGS)
            side = table.side_in(number, self.header.name_of(row), plain_id(member), rating, seat)
            if side.name:
                yield side

    def completed(self, findings: Findings, report: Report) -> Report:
        """Return *report* with the ids and the ratings of players who lack these, by names that only one here has."""
        sides: dict[frozenset[str], list[Side]] = {}
        for side in self.players(findings):
            sides.setdefault(_words(side.name), []).append(side)
        players: dict[str, PlayerFacts] = {}
        ids: dict[str, str] = {}
        for key, player in report.players.items():
            named = sides.get(_words(player.name), ())
            side = named[0] if len(named) == 1 else Side(0, "")
            if side.member and is_seat_id(key) and side.member not in report.players:
                ids[key] = side.member
            rating = player.pairing_rating if player.ratings else player.pairing_rating or side.rating
            players[ids.get(key, key)] = player._replace(id=ids.get(key, key), pairing_rating=rating)
        sections = tuple(section.with_ids(ids) for section in report.sections)
        return report._replace(players=players, sections=sections)


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name.casefold()))


def roster_in(files: Sequence[SourceFile]) -> Roster | None:
    """Return the list of players among *files*, the one with most facts of each; None where there is none."""
    rosters = [roster for file in files if (roster := _roster_of(file)) is not None]
    return max(rosters, key=lambda roster: len(roster.header.places), default=None)


def _roster_of(file: SourceFile) -> Roster | None:
    text = decoded_text(file.data)[0]
    if "\0" in text or text.count("\n") > _MOST_LINES:
        return None
    with contextlib.suppress(csv.Error):
        rows = [*table.rows_in(text)]
        for at, (number, row) in enumerate(rows[:MOST_ROWS_ABOVE], start=1):
            titles = [*map(plain_title, row)]
            places = {
                column: place
                for column, words in _COLUMNS.items()
                for place, title in reversed([*enumerate(titles)])
                if title in words
            }
            if NAMES & places.keys() and {"member", "rating"} & places.keys():
                return (
                    None
                    if any(map(round_of, titles))
                    else Roster(file, Header(places, {}, row, number), rows[at:])
                )
    return None
