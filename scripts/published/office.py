"""What the office did otherwise than its rules say, and how it is recognised."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ratebook.model import System
from ratebook.rating.rate import rate_section
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from scripts.published.stored import StoredSection

    from ratebook.rating.results import RatedSection

ONLINE_RERATED = date(2021, 6, 23)
"""In June 2021 the office announced that all online sections since 2014 had been rated with a wrong K, and rated them
anew; pages that were last rated before show the wrong values, which are those of half K."""


def rated_by_mistake(section: StoredSection) -> bool:
    """Return whether *section* is an online section that was last rated with a wrong K."""
    return section.systems[0].online and section.rated < ONLINE_RERATED


def at_half_k(rated: RatedSection) -> RatedSection:
    """Return the section rated at the half K of the years before 2006, as the office did by mistake."""
    half = load_rulebook().in_force(System.REGULAR, load_rulebook().first_day)
    rules = rated.rules._replace(
        half_k_numerator=half.half_k_numerator, half_k_game_weight=half.half_k_game_weight
    )
    section = rated.section._replace(half_k=True)
    return rate_section(section, rated.facts, rated.system, rules, dual_rated=rated.dual_rated)
