"""Findings as pages show them: what is wrong, what to do, and the places, which lead to where they can be mended."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ratebook.findings import Finding, Place, Severity
from ratebook.pages.submission import FoldedFinding

MOST_PLACES, MOST_MESSAGES = 12, 3


class FindingPlace(NamedTuple):
    """A place that a finding names, and where it can be mended."""

    text: str
    link: str = ""


class PlacedMessage(NamedTuple):
    """What a finding says of some places; *more* of them are not shown. An offer mends it with a click."""

    message: str
    places: tuple[FindingPlace, ...]
    more: int
    offers: tuple[FindingPlace, ...] = ()


class ShownFinding(NamedTuple):
    """The findings of one code, with one remedy: the *first* of what they say, and the *rest*, which is folded."""

    code: str
    severity: Severity
    accepted_by: str
    remedy: str
    first: tuple[PlacedMessage, ...]
    rest: tuple[PlacedMessage, ...]


def shown_findings(
    folded: Iterable[FoldedFinding],
    place_of: Callable[[Place], FindingPlace],
    remedy_of: Callable[[Finding], str] = lambda finding: finding.on_page,
    offers_of: Callable[[Finding], tuple[FindingPlace, ...]] = lambda _: (),
) -> list[ShownFinding]:
    """Return findings by their codes, with their places as *place_of* and their remedies as *remedy_of* show them.

    Where a finding is of one place, *offers_of* says what would mend it.
    """
    messages: dict[tuple[str, Severity, str, str], list[PlacedMessage]] = {}
    for finding, places, accepted_by in folded:
        shown = tuple(map(place_of, places[:MOST_PLACES]))
        kind = finding.code, finding.severity, accepted_by, remedy_of(finding)
        offers = offers_of(finding) if len(places) == 1 else ()
        placed = PlacedMessage(finding.message, shown, len(places) - len(shown), offers)
        messages.setdefault(kind, []).append(placed)
    return [
        ShownFinding(*kind, tuple(of_kind[:MOST_MESSAGES]), tuple(of_kind[MOST_MESSAGES:]))
        for kind, of_kind in messages.items()
    ]
