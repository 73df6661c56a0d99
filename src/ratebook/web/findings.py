"""Findings as pages show them: what is wrong, what to do, and the places, which lead to where they can be mended."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ratebook.pages.submission import FoldedFinding

MOST_PLACES = 12


class Place(NamedTuple):
    """A place that a finding names, and where it can be mended."""

    text: str
    link: str


class ShownFinding(NamedTuple):
    """A finding with the places that are shown, and how many more there are."""

    finding: FoldedFinding
    places: tuple[Place, ...]
    more: int


def shown_findings(found: Iterable[FoldedFinding], place: Callable[[str], Place]) -> list[ShownFinding]:
    """Return findings with their places as *place* shows them."""
    return [
        ShownFinding(one, tuple(map(place, one.places[:MOST_PLACES])), len(one.places[MOST_PLACES:]))
        for one in found
    ]
