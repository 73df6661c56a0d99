"""Titles over a career: a fold over the sections of one player, in the order in which they are rated.

Norms are found in ``norms``. A title that was earned is never taken back; after a correction the fold starts again from
the section that changed.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from ratebook.rating.floors import NO_FLOOR, olm_floor
from ratebook.rating.formulas import rounded
from ratebook.rules.in_force import RulesInForce
from ratebook.titles.title_rules import TitleRequirements, title_rules


class RatedAt(NamedTuple):
    """A section in the order of rating (docs/rules/readings.md#a11): end date, event id, section number."""

    day: date
    event: str
    section: int


class Award(NamedTuple):
    """A title and the section that gave it; None where it was held before the first section known."""

    title: str
    earned: RatedAt | None


class SectionOutcome(NamedTuple):
    """What one OTB Regular section left a player with, as far as titles need it.

    Attributes:
        norm: the highest level at which a norm was made there, or None.
        established_rating: the rating after it, full precision, if that is established; else None.
        original_life_master: whether the games of an original Life Master are complete (``has_life_master_games``).
    """

    place: RatedAt
    norm: int | None = None
    established_rating: float | None = None
    original_life_master: bool = False


class TitleState(NamedTuple):
    """All that a later section needs to know of the sections before it; the default is a new player.

    Attributes:
        norms: number of norms made at each level as their highest, in the order of ``TitleRules.levels``; empty: none.
        peak: highest established rating after a section, full precision; None: never established.
        titles: titles held, in the order in which they were earned.
    """

    norms: tuple[int, ...] = ()
    peak: float | None = None
    titles: tuple[Award, ...] = ()


def has_life_master_games(rules: RulesInForce, life_master_games: float | None) -> bool:
    """Return whether so many games from an established 2200 or more make an original Life Master.

    *life_master_games* are those after the section (``model.Rating.life_master_games``); None is unknown.

    Source: D25, section 5; docs/rules/readings.md#olm-floor.
    """
    return life_master_games is not None and olm_floor(rules, float(life_master_games)) != NO_FLOOR


def norms_at(state: TitleState, level: int) -> int:
    """Return how many norms count at *level*: those made there or at a higher level.

    Source: docs/rules/outside.md#6a-titles-from-norms.

    >>> norms_at(TitleState(norms=(0, 2, 1, 0, 0, 0, 0)), 1400)
    3
    """
    if not state.norms:
        return 0
    counts = zip(title_rules().levels, state.norms, strict=True)
    return sum(count for at_level, count in counts if at_level >= level)


def opening_state(
    *, norms: Sequence[int] = (), peak: float | None = None, titles: Iterable[str] = ()
) -> TitleState:
    """Return the state of a player whose earlier sections are not known one by one.

    Titles that follow from what is given are held, so that no later section seems to have earned them.

    The *norms* are by level, in the order of ``TitleRules.levels``; *peak* is the highest established rating so far,
    and *titles* are codes of titles held already, whatever they were given for. A title or a number of levels that the
    rules do not have raises ``ValueError``.
    """
    held = set(titles)
    unknown = held.difference(title.code for title in title_rules().titles)
    if unknown:
        raise ValueError(f"no title has the code {', '.join(sorted(unknown))}")
    state = TitleState(tuple(norms), peak)
    return state._replace(
        titles=tuple(
            Award(title.code, None)
            for title in title_rules().titles
            if title.code in held or _earned(title, state, life_master=False)
        )
    )


def state_after(state: TitleState, outcome: SectionOutcome) -> tuple[TitleState, tuple[Award, ...]]:
    """Return the state after one more section, and the titles that it gave.

    A title is earned in the section after which all that it asks for is there; several can be earned at once, and each
    is kept forever.

    Outcomes come in the order of rating. A norm's level, or a number of levels of *state*, that the rules do not have
    raises ``ValueError``.

    Source: docs/rules/outside.md#6a-titles-from-norms, #6b-older-titles; docs/rules/readings.md#titles.
    """
    rules, norms = title_rules(), state.norms
    if outcome.norm is not None:
        if outcome.norm not in rules.levels:
            raise ValueError(f"no norm has the level {outcome.norm}")
        norms = tuple(
            count + (level == outcome.norm)
            for level, count in zip(rules.levels, norms or (0,) * len(rules.levels), strict=True)
        )
    known = [rating for rating in (state.peak, outcome.established_rating) if rating is not None]
    grown = TitleState(norms, max(known, default=None), state.titles)
    held = {award.title for award in state.titles}
    awards = tuple(
        Award(title.code, outcome.place)
        for title in rules.titles
        if title.code not in held and _earned(title, grown, life_master=outcome.original_life_master)
    )
    return grown._replace(titles=state.titles + awards), awards


def titles_after(outcomes: Iterable[SectionOutcome], *, start: TitleState | None = None) -> TitleState:
    """Return the state after a whole career: the outcomes of one player in the order of rating.

    It starts from a new player where no *start* is given. Two sections in the wrong order raise ``ValueError``.
    """
    career = list(outcomes)
    for one, two in pairwise(career):
        if one.place >= two.place:
            raise ValueError(f"sections must come in the order of rating: {two.place} after {one.place}")
    state = start or TitleState()
    for number, outcome in enumerate(career):
        if number == 0 or may_give_more(outcome, state):
            state, _ = state_after(state, outcome)
    return state


def may_give_more(outcome: SectionOutcome, state: TitleState) -> bool:
    """Return whether a section may give more than the sections did that *state* follows from; most do not."""
    rating = outcome.established_rating
    higher = rating is not None and (state.peak is None or rating > state.peak)
    return higher or outcome.norm is not None or outcome.original_life_master


def _earned(title: TitleRequirements, state: TitleState, *, life_master: bool) -> bool:
    """Return whether *state* and the games of an original Life Master are all that *title* asks for."""
    if title.norm_level is not None and norms_at(state, title.norm_level) < title.norms:
        return False
    if title.established is not None and (state.peak is None or rounded(state.peak) < title.established):
        return False
    return life_master or not title.original_life_master
