"""Findings as pages show them: what is wrong, what to do, and the places, which lead to where they can be mended."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from ratebook.findings import Finding, Place, Severity
from ratebook.pages.queue import problem
from ratebook.pages.submission import FoldedFinding, beside_buttons
from ratebook.web.layout.words import in_running_text

Seat: TypeAlias = tuple[int, int]
"""The number of a section, and a seat in it."""

MOST_PLACES, MOST_MESSAGES = 12, 3
THE_REPORT = Place(subject="report")
"""The page is that of the report."""


class FindingPlace(NamedTuple):
    """A place that a finding names, and where it can be mended: a *link*, or what a button of the page's form says."""

    text: str
    link: str = ""
    choice: str = ""


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


def seat_anchor(section: int, seat: int) -> str:
    """Return by what links lead to the row of a seat."""
    return f"row-{section}-{seat}"


class SeatProblem(NamedTuple):
    """What is wrong with a seat, in a few *words*, and the *code* of the first of it."""

    words: str
    code: str

    @property
    def anchor(self) -> str:
        """Return by what links lead to the finding."""
        return f"problem-{self.code}"


def seat_problems(folded: Iterable[FoldedFinding], seat_of: Mapping[str, Seat]) -> dict[Seat, SeatProblem]:
    """Return what holds a report back because of each seat; *seat_of* has the seats of players."""
    codes: dict[Seat, dict[str, None]] = {}
    for each in folded:
        for place in each.places if each.holds else ():
            if place.seats:
                seats = [(place.section or 0, seat) for seat in place.seats]
            else:
                seats = [seat_of[player] for player in place.players if player in seat_of]
            for seat in seats:
                codes.setdefault(seat, {})[each.first.code] = None
    return {
        seat: SeatProblem(", ".join(map(problem, of_seat)), next(iter(of_seat)))
        for seat, of_seat in codes.items()
    }


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
        shown = tuple(map(place_of, (place for place in places[:MOST_PLACES] if place != THE_REPORT)))
        offers = offers_of(finding) if len(places) == 1 else ()
        remedy = remedy_of(beside_buttons(finding) if offers else finding)
        kind = finding.code, finding.severity, accepted_by, in_running_text(remedy)
        placed = PlacedMessage(
            in_running_text(finding.message), shown, max(len(places) - MOST_PLACES, 0), offers
        )
        messages.setdefault(kind, []).append(placed)
    return [
        ShownFinding(*kind, tuple(of_kind[:MOST_MESSAGES]), tuple(of_kind[MOST_MESSAGES:]))
        for kind, of_kind in messages.items()
    ]
