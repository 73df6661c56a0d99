"""Titles over a career: a fold over the sections of one player, in the order in which they are rated.

What it does not do: it finds no norms (``norms`` does), and a title that was earned is never taken back; after a
correction the fold starts again from the section that changed.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from ratebook.rating.floors import NO_FLOOR, olm_floor
from ratebook.rating.formulas import rounded
from ratebook.rules.in_force import RulesInForce
from ratebook.titles.title_rules import Title, TitleRules, title_rules


class Place(NamedTuple):
    """A section in the order of rating (docs/rules/readings.md#a11): end date, event id, section number."""

    day: date
    event: str
    section: int


class Award(NamedTuple):
    """A title and the section that gave it; None where it was held before the first section known."""

    title: str
    earned: Place | None


class SectionOutcome(NamedTuple):
    """What one OTB Regular section left a player with, as far as titles need it.

    Attributes:
        place: the section.
        norm: the highest level at which a norm was made there, or None.
        established_rating: the rating after it, full precision, if that is established; else None.
        original_life_master: whether the games of an original Life Master are complete (``has_life_master_games``).
    """

    place: Place
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

    Args:
        rules: the rules in force for the section.
        life_master_games: the games after the section (``model.Rating.life_master_games``); None is unknown.

    Source: D25, section 5; docs/rules/readings.md#olm-floor.
    """
    return life_master_games is not None and olm_floor(rules, float(life_master_games)) != NO_FLOOR


def norms_at(state: TitleState, level: int, *, rules: TitleRules | None = None) -> int:
    """Return how many norms count at *level*: those made there or at a higher level.

    Source: docs/rules/outside.md#6a-titles-from-norms.

    >>> norms_at(TitleState(norms=(0, 2, 1, 0, 0, 0, 0)), 1400)
    3
    """
    return _norms_at(state.norms, level, rules or title_rules())


def opening_state(
    *,
    norms: Sequence[int] = (),
    peak: float | None = None,
    titles: Iterable[str] = (),
    rules: TitleRules | None = None,
) -> TitleState:
    """Return the state of a player whose earlier sections are not known one by one.

    Titles that follow from what is given are held, so that no later section seems to have earned them.

    Args:
        norms: norms by level, in the order of ``TitleRules.levels``.
        peak: highest established rating so far; None if never established.
        titles: codes of titles held already, whatever they were given for.
        rules: the rules of titles; the packaged ones where not given.

    Raises:
        ValueError: if a title or the number of levels is not that of *rules*.
    """
    in_force = rules or title_rules()
    held = set(titles)
    unknown = held.difference(title.code for title in in_force.titles)
    if unknown:
        raise ValueError(f"no title has the code {', '.join(sorted(unknown))}")
    state = TitleState(tuple(norms), peak)
    return state._replace(
        titles=tuple(
            Award(title.code, None)
            for title in in_force.titles
            if title.code in held or _earned(title, state, in_force, life_master=False)
        )
    )


def state_after(
    state: TitleState, outcome: SectionOutcome, *, rules: TitleRules | None = None
) -> tuple[TitleState, tuple[Award, ...]]:
    """Return the state after one more section, and the titles that it gave.

    A title is earned in the section after which all that it asks for is there; several can be earned at once, and each
    is kept for ever.

    Args:
        state: the state after all earlier sections.
        outcome: the next section in the order of rating.
        rules: the rules of titles; the packaged ones where not given.

    Raises:
        ValueError: if the norm's level, or the number of levels of *state*, is not that of *rules*.

    Source: docs/rules/outside.md#6a-titles-from-norms, #6b-older-titles; docs/rules/readings.md#titles.
    """
    in_force = rules or title_rules()
    norms = state.norms
    if outcome.norm is not None:
        if outcome.norm not in in_force.levels:
            raise ValueError(f"no norm has the level {outcome.norm}")
        norms = tuple(
            count + (level == outcome.norm)
            for level, count in zip(in_force.levels, norms or (0,) * len(in_force.levels), strict=True)
        )
    known = [rating for rating in (state.peak, outcome.established_rating) if rating is not None]
    grown = TitleState(
        norms,
        max(known, default=None),
        state.titles,
    )
    held = {award.title for award in state.titles}
    awards = tuple(
        Award(title.code, outcome.place)
        for title in in_force.titles
        if title.code not in held
        and _earned(title, grown, in_force, life_master=outcome.original_life_master)
    )
    return grown._replace(titles=state.titles + awards), awards


def titles_after(
    outcomes: Iterable[SectionOutcome], *, start: TitleState | None = None, rules: TitleRules | None = None
) -> TitleState:
    """Return the state after a whole career.

    Args:
        outcomes: the sections of one player in the order of rating.
        start: the state before the first of them; a new player where not given.
        rules: the rules of titles; the packaged ones where not given.

    Raises:
        ValueError: if two sections are in the wrong order or the same, or as for ``state_after``.
    """
    career = list(outcomes)
    for one, two in pairwise(career):
        if one.place >= two.place:
            raise ValueError(f"sections must come in the order of rating: {two.place} after {one.place}")
    state = start or TitleState()
    for outcome in career:
        state, _ = state_after(state, outcome, rules=rules)
    return state


def _earned(title: Title, state: TitleState, rules: TitleRules, *, life_master: bool) -> bool:
    """Return whether *state* and the games of an original Life Master are all that *title* asks for."""
    if title.norm_level is not None and _norms_at(state.norms, title.norm_level, rules) < title.norms:
        return False
    if title.established is not None and (state.peak is None or rounded(state.peak) < title.established):
        return False
    return life_master or not title.original_life_master


def _norms_at(norms: tuple[int, ...], level: int, rules: TitleRules) -> int:
    counted = 0
    for at_level, count in zip(rules.levels, norms or (0,) * len(rules.levels), strict=True):
        if at_level >= level:
            counted += count
    return counted
