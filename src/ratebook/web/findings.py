"""Findings as pages show them: what is wrong, what to do, and the places, which lead to where they can be mended."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from string import Formatter
from typing import NamedTuple, Protocol

from ratebook.findings import Severity, texts
from ratebook.pages.submission import FoldedFinding, FoundPlace

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


class Remedied(Protocol):
    """A finding, or findings of one code."""

    @property
    def code(self) -> str: ...  # noqa: D102 - as in `Finding`

    @property
    def remedy(self) -> str: ...  # noqa: D102 - as above


def remedy_on_page(found: Remedied) -> str:
    """Return what to do in a browser about a finding whose remedy may name commands and options.

    >>> from ratebook.findings import finding
    >>> remedy_on_page(finding("rerate-waits.rated-as-posted", "event 202611140001"))
    'Re-rate, then ask again.'
    """
    for remedy, on_page in _on_pages().get(found.code, ()):
        there = remedy.fullmatch(found.remedy)
        if there:
            return on_page.format_map(there.groupdict())
    return found.remedy


@cache
def _on_pages() -> dict[str, list[tuple[re.Pattern[str], str]]]:
    """Return the remedies of each code that are others in a browser: as they are written, and as they are there."""
    known: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for name, text in texts().items():
        if text.on_page:
            known.setdefault(name.partition(".")[0], []).append((_filled_pattern(text.remedy), text.on_page))
    return known


def _filled_pattern(text: str) -> re.Pattern[str]:
    """Return what a text matches with any values in its places, the same value where a place comes again."""
    words: list[str] = []
    seen: set[str] = set()
    for before, place, _, _ in Formatter().parse(text):
        words.append(re.escape(before))
        if place:
            words.append(f"(?P={place})" if place in seen else f"(?P<{place}>.*)")
            seen.add(place)
    return re.compile("".join(words))


def shown_findings(
    found: Iterable[FoldedFinding], place: Callable[[FoundPlace], FindingPlace]
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
