"""What a system has to do to rate the sections of a history beside the rules."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from ratebook.lab.days import birth_years_of
from ratebook.replay.memory import Array


class Entries(NamedTuple):
    """Entries of sections that are rated side by side: each member, by number in the history, has one of them.

    *day* is the number of the section's last day. Rating (what a newcomer begins with), N (infinite where only known to
    be established) and K are those of the rules before the section.
    """

    member: Array
    day: Array
    rating: Array
    games: Array
    k: Array

    def taken(self, places: Array | slice) -> "Entries":
        """Return the entries in some places."""
        return Entries(*(column[places] for column in self))


class SectionGames(NamedTuple):
    """The games of such sections, each once: who played, as places in the `Entries`, and the score of *entry*.

    *edge* is the rating points by which the colour favours *entry*; 0 where the study knows no advantage of White, or
    the history no colour.
    """

    entry: Array
    other: Array
    score: Array
    edge: Array

    def taken(self, places: Array | slice) -> "SectionGames":
        """Return the games in some places."""
        return SectionGames(*(column[places] for column in self))

    def both_sides(self) -> "SectionGames":
        """Return each game twice, once from either side."""
        return SectionGames(
            np.concatenate([self.entry, self.other]),
            np.concatenate([self.other, self.entry]),
            np.concatenate([self.score, 1.0 - self.score]),
            np.concatenate([self.edge, -self.edge]),
        )


class RatedMembers(NamedTuple):
    """Whom a system may rate.

    Attributes:
        size: how many there are; they are numbered from 0.
        birth_years: of each; 0 where unknown.
    """

    size: int
    birth_years: Array


def members_of(birth_days: Array) -> RatedMembers:
    """Return the members of a history by their days of birth, of which some are unknown."""
    return RatedMembers(len(birth_days), birth_years_of(birth_days))


class RatingSystem(Protocol):
    """A system that rates section after section, made with the `RatedMembers` and its constants as keywords.

    A section is rated as a whole: nothing of it is known before its last game.

    Attributes:
        FITS: constants that can be fitted on training years, with the values that are tried first, in rising order.
        OPTIONAL: constants that may be 0; may be missing, as may `FITS`.
        rating: of each member, rating points, of which 400 are ten to one; NaN for those who have not played.
        deviation: how far each rating can be trusted, rating points; None where a system does not say.
    """

    FITS: ClassVar[Mapping[str, tuple[float, ...]]]
    rating: Array

    @property
    def deviation(self) -> Array | None:
        """Return the deviation of each member."""

    def begin(self, entries: Entries) -> None:
        """Take members before their first section."""

    def wait(self, entries: Entries) -> None:
        """Let members come to their sections: time has passed since the last one of each."""

    def play(self, entries: Entries, games: SectionGames) -> None:
        """Rate the games of the sections."""
