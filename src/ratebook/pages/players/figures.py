"""Figures of a career: the highest rating, games won, drawn and lost, how many and since when, the next title."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import chain
from typing import NamedTuple

from ratebook.book.facts.member_files import MemberBalance
from ratebook.book.ledger.history import SeriesPoint
from ratebook.book.ledger.rows import Standing, end_of_place
from ratebook.book.profile import Federation
from ratebook.model import System
from ratebook.rating.formulas import rounded
from ratebook.records.players import GameRecord, NextTitle, Norm, Peak, Title
from ratebook.titles.title_rules import title_rules


class RatedSoFar(NamedTuple):
    """How many sections and games of a member are rated, each counted once, and the end of the first section."""

    sections: int
    games: int
    first: date | None


def played(series: Mapping[System, Sequence[SeriesPoint]]) -> RatedSoFar:
    """Return how much of a member is rated; a section in two systems counts once."""
    of_sections: dict[str, int] = {}
    for point in chain.from_iterable(series.values()):
        if point.place:
            of_sections[point.place] = max(of_sections.get(point.place, 0), point.played)
    first = end_of_place(min(of_sections)) if of_sections else None
    return RatedSoFar(len(of_sections), sum(of_sections.values()), first)


def peak_of(
    federation: Federation, system: System, points: Sequence[SeriesPoint], balance: MemberBalance | None
) -> Peak | None:
    """Return the highest rating of the opening balance and of all sections, an established one if there is any."""
    ratings = [
        (-rounded(point.rating), point.end, number, point.games) for number, point in enumerate(points, 1)
    ]
    if balance is not None:
        ratings.append((-rounded(balance.rating.rating), balance.as_of, 0, balance.rating.games))
    if not ratings:
        return None

    def is_established(rating: tuple[float, date, int, float | None]) -> bool:
        _, end, _, games = rating
        return federation.established(system, games, end)

    highest = min(ratings)
    if not is_established(highest):
        highest = min(filter(is_established, ratings), default=highest)
    return Peak(rating=-int(highest[0]), as_of=highest[1])


def record_of(standing: Standing | None, balance: MemberBalance | None) -> GameRecord | None:
    """Return how the games in the book ended: those counted so far without those of the opening balance."""
    if standing is None:
        return None
    now, before = standing.rating, None if balance is None else balance.rating
    if now.wins is None or now.draws is None or now.losses is None:
        return None
    return GameRecord(
        wins=now.wins - ((before and before.wins) or 0),
        draws=now.draws - ((before and before.draws) or 0),
        losses=now.losses - ((before and before.losses) or 0),
    )


def next_title(titles: Sequence[Title], norms: Sequence[Norm]) -> NextTitle | None:
    """Return the lowest title by norms that is above those earned; None where the highest is earned."""
    earned = {title.code for title in titles}
    by_norms = [title for title in title_rules().titles if title.norm_level is not None]
    highest = max((at for at, title in enumerate(by_norms) if title.code in earned), default=-1)
    for title in by_norms[highest + 1 :]:
        level = title.norm_level or 0
        return NextTitle(
            code=title.code,
            name=title.name,
            level=level,
            norms=min(sum(norm.level >= level for norm in norms), title.norms),
            norms_needed=title.norms,
            established=title.established or 0,
        )
    return None
