"""Ratings after that a report prints, compared with those that the program computes."""

from collections.abc import Iterator, Mapping

from ratebook.findings import Finding, finding
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.rating.results import RatedSection

FIRST_NAMED = 5

LEAST_DECIMAL = 0.01
"""A printed rating with decimals differs from this on; a whole one where its rounded numbers differ."""


def compare_printed(
    rated: RatedSection, printed: Mapping[tuple[int, int, System], float]
) -> Iterator[Finding]:
    """Yield the warning about all *printed* ratings of a section that are not the computed ones."""
    section = rated.section.number
    differing = []
    compared = 0
    for entry in rated.entries:
        value = printed.get((section, entry.seat, rated.system))
        if value is None:
            continue
        compared += 1
        after = None if entry.after is None else entry.after.rating
        if after is None or _differ(value, after):
            name = rated.facts[entry.player].name or f"seat {entry.seat}"
            digits = 0 if value.is_integer() else 2
            computed = "unrated" if after is None else f"{after if digits else rounded(after):.{digits}f}"
            differing.append(f"{name} {value:.{digits}f} (computed {computed})")
    if differing:
        more = f" and {len(differing) - FIRST_NAMED} more" if len(differing) > FIRST_NAMED else ""
        yield finding(
            "rating-after-differs",
            f"section {section}, {rated.system}",
            differing=len(differing),
            compared=compared,
            players=f"{'; '.join(differing[:FIRST_NAMED])}{more}",
        )


def _differ(printed: float, computed: float) -> bool:
    """Return whether a *printed* rating is not the *computed* one.

    >>> _differ(1850, 1850.4), _differ(1850, 1850.6), _differ(1850.25, 1850.254)
    (False, True, False)
    """
    if printed.is_integer():
        return rounded(computed) != printed
    return abs(printed - computed) >= LEAST_DECIMAL
