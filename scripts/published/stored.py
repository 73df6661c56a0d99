"""The stored sections: who played whom, and the ratings that were published before and after."""

from __future__ import annotations

import gzip
import json
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from scripts.pages.places import TESTS

from ratebook.model import SCORES, SectionType, System

FOLDER = TESTS / "published"
FILE = FOLDER / "sections-1992-2021.json.gz"


class Published(NamedTuple):
    """The ratings of one seat in one system; games are None for an established rating, before for no rating."""

    before: int | None
    games_before: int | None
    after: int
    games_after: int | None

    @property
    def established_before(self) -> int | None:
        """The rating before, where it was an established one."""
        return self.before if self.games_before is None else None

    @property
    def established_after(self) -> int | None:
        """The rating after, where it is an established one."""
        return self.after if self.games_after is None else None


class StoredSeat(NamedTuple):
    """One seat: rounds as published, a letter and the opponent's seat each."""

    seat: int
    person: int
    ratings: dict[System, Published]
    rounds: tuple[str, ...]

    @property
    def scores(self) -> list[float]:
        """The scores of the rated games."""
        return [SCORES[text[0]] for text in self.rounds if text[0] in SCORES]


class StoredSection(NamedTuple):
    """One section as it was published; *event* and the persons have invented numbers."""

    event: int
    number: int
    start: date
    end: date
    type: SectionType
    time_control: str | None
    systems: tuple[System, ...]
    rated: date
    seats: tuple[StoredSeat, ...]

    @property
    def place(self) -> tuple[date, int, int]:
        """Where the section has its place in the order of rating (docs/rules/readings.md#a11)."""
        return self.end, self.event, self.number

    def with_rating_after(self, system: System, seat: int, after: int) -> StoredSection:
        """Return the section as if *after* had been published of *seat* (a wrong rating, planted on purpose)."""
        seats = []
        for each in self.seats:
            ratings = each.ratings
            if each.seat == seat:
                ratings = {**ratings, system: ratings[system]._replace(after=after)}
            seats.append(each._replace(ratings=ratings))
        return self._replace(seats=tuple(seats))


def section_of(row: dict[str, Any]) -> StoredSection:
    """Return one section of the file."""
    return StoredSection(
        event=row["event"],
        number=row["section"],
        start=date.fromisoformat(row["start"]),
        end=date.fromisoformat(row["end"]),
        type=SectionType(row["type"]),
        time_control=row["time_control"],
        systems=tuple(System(system) for system in row["systems"]),
        rated=date.fromisoformat(row["rated"]),
        seats=tuple(
            StoredSeat(
                seat,
                person,
                {System(system): Published(*values) for system, values in ratings.items()},
                tuple(rounds.split()),
            )
            for seat, person, ratings, rounds in row["rows"]
        ),
    )


@cache
def stored_sections() -> tuple[StoredSection, ...]:
    """Return all sections of the file in the order of rating."""
    document = json.loads(gzip.decompress(FILE.read_bytes()))
    return tuple(sorted(map(section_of, document["sections"]), key=lambda section: section.place))
