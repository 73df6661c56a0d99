"""Findings as pages show them: what is wrong, what to do, and the places, which lead to where they can be mended."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ratebook.findings import Severity
from ratebook.pages.submission import FoldedFinding

MOST_PLACES, MOST_MESSAGES = 12, 3


class FindingPlace(NamedTuple):
    """A place that a finding names, and where it can be mended."""

    text: str
    link: str


class Said(NamedTuple):
    """What a finding says of some places; *more* of them are not shown."""

    message: str
    places: tuple[FindingPlace, ...]
    more: int


class ShownFinding(NamedTuple):
    """The findings of one code, with one remedy: the *first* of what they say, and the *rest*, which is folded."""

    code: str
    severity: Severity
    accepted_by: str
    remedy: str
    first: tuple[Said, ...]
    rest: tuple[Said, ...]


def shown_findings(
    found: Iterable[FoldedFinding], place: Callable[[str], FindingPlace]
) -> list[ShownFinding]:
    """Return findings by their codes, with their places as *place* shows them."""
    said: dict[tuple[str, Severity, str, str], list[Said]] = {}
    for one in found:
        places = tuple(map(place, one.places[:MOST_PLACES]))
        kind = one.code, one.severity, one.accepted_by, one.remedy
        said.setdefault(kind, []).append(Said(one.message, places, len(one.places) - len(places)))
    return [
        ShownFinding(*kind, tuple(them[:MOST_MESSAGES]), tuple(them[MOST_MESSAGES:]))
        for kind, them in said.items()
    ]
