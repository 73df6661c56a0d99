"""Small pictures of a player's pages: a line of ratings, pips for games, months of activity, expected scores."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import accumulate
from typing import NamedTuple

from markupsafe import Markup

from ratebook.pages.players.answer import RatingAnswer
from ratebook.rating.formulas import rounded

SPARK_WIDTH, SPARK_HEIGHT = 160.0, 36.0
MOST_SPARKS = 40
PIPS = {"W": (0, 14, "won"), "D": (4, 10, "drawn"), "L": (9, 5, "lost")}
"""Top, height and class of a pip: results differ in height as well as in colour."""
MOST_PIPS = 12
MONTHS = 48
BUSY = (1, 4, 8)
"""Games of a month from which its square is darker."""
BAR = 120.0
BASE = 150.0
"""Where the blocks of a change stand."""


def sparkline(ratings: Sequence[float], system: str) -> Markup:
    """Return the last ratings as a small line with an area below it; nothing for none.

    >>> sparkline([], "regular")
    Markup('')
    """
    shown = [rounded(rating) for rating in ratings[-MOST_SPARKS:]]
    if not shown:
        return Markup()
    shown = shown * 2 if len(shown) == 1 else shown
    low, high = min(shown), max(shown)
    across, span = SPARK_WIDTH / (len(shown) - 1), (high - low) or 1.0
    low -= 0.0 if high > low else 0.5

    def y(rating: float) -> float:
        return SPARK_HEIGHT - 4.0 - (SPARK_HEIGHT - 8.0) * (rating - low) / span

    line = "M" + "L".join(f"{round(at * across, 1):g},{round(y(one), 1):g}" for at, one in enumerate(shown))
    return Markup(
        '<svg class="spark {}" viewBox="0 0 {:g} {:g}" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="area" d="{}V{:g}H0Z"/><path d="{}"/></svg>'
    ).format(system, SPARK_WIDTH, SPARK_HEIGHT, line, SPARK_HEIGHT, line)


def pips(results: str) -> Markup:
    """Return a pip for each game: high for a win, of half the height for a draw, low for a loss.

    >>> "won" in pips("W"), pips("")
    (True, Markup(''))
    """
    if not results:
        return Markup()
    shown = results[:MOST_PIPS]
    drawn = Markup().join(
        Markup('<rect class="{}" x="{}" y="{}" width="6" height="{}" rx="1.5"/>').format(
            PIPS[letter][2], at * 8, PIPS[letter][0], PIPS[letter][1]
        )
        for at, letter in enumerate(shown)
    )
    words = ", ".join(PIPS[letter][2] for letter in results)
    width = len(shown) * 8 - 2
    return Markup(
        '<svg class="pips" width="{}" height="14" viewBox="0 0 {} 14" role="img" aria-label="{}">{}</svg>'
    ).format(width, width, words, drawn)


class ActiveMonth(NamedTuple):
    """A month: its place in the picture, how dark it is, and what it says."""

    x: int
    y: int
    shade: int
    text: str


class ActivityPicture(NamedTuple):
    """The games of the last years, a square a month and a line a year, and the same in words."""

    months: tuple[ActiveMonth, ...]
    years: tuple[tuple[int, str], ...]
    words: str


def activity(games: Iterable[tuple[date, int]], today: date) -> ActivityPicture | None:
    """Return the games by month of the last four years; None where there are none in them.

    *games* are days with how many games of a section ended then.
    """
    first = today.year - MONTHS // 12 + 1
    by_month: Counter[tuple[int, int]] = Counter()
    for day, number in games:
        if day.year >= first:
            by_month[day.year, day.month] += number
    if not by_month.total():
        return None

    def month(year: int, number: int) -> ActiveMonth:
        played = by_month[year, number]
        words = f"{date(year, number, 1):%B %Y}: {played} {'game' if played == 1 else 'games'}"
        return ActiveMonth(
            (number - 1) * 16, (year - first) * 16, sum(played >= least for least in BUSY), words
        )

    months = tuple(
        month(year, number)
        for year in range(first, today.year + 1)
        for number in range(1, 13)
        if (year, number) <= (today.year, today.month)
    )
    years = tuple(((year - first) * 16 + 11, str(year)) for year in range(first, today.year + 1))
    (year, number), most = max(by_month.items(), key=lambda item: (item[1], item[0]))
    return ActivityPicture(
        months,
        years,
        f"{by_month.total()} rated games since January {first}, most in {date(year, number, 1):%B %Y} ({most}).",
    )


def expectation(expected: float, least: float, score: float) -> Markup:
    """Return a bar for what the ratings expected of a game, and a dot for what happened; *least* is that of a range."""
    kind = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[score]
    bar = Markup('<rect class="{}" width="{:g}" height="8" y="3" rx="4"/>')
    bars = ((name, BAR * share) for name, share in (("track", 1.0), ("most", expected), ("least", least)))
    return Markup(
        '<svg class="expectation" viewBox="0 0 {:g} 14" aria-hidden="true">{}'
        '<circle class="{}" cx="{:g}" cy="7" r="5"/></svg>'
    ).format(BAR, Markup().join(bar.format(*each) for each in bars), kind, 6 + (BAR - 12) * score)


def points_words(points: float) -> str:
    """Return points of games as they are written by hand.

    >>> points_words(2.5), points_words(0.5), points_words(3.0)
    ('2½', '½', '3')
    """
    whole, half = divmod(points, 1.0)
    return f"{int(whole) or ('' if half else 0)}{'½' if half else ''}"


class Block(NamedTuple):
    """A block of the way from a rating to another: its place, what stands in it and under it, where the next begins."""

    x: int
    y: float
    height: float
    kind: str
    text: str
    text_y: float
    words: str
    tie: float


class Rise(NamedTuple):
    """The way from the rating before to the one after, a block for each part of the change, and in words."""

    width: int
    blocks: tuple[Block, ...]
    words: str


def steps_of(answer: RatingAnswer) -> Rise:
    """Return the way from the rating before to the one after, where both are known."""
    before, after = answer.before or 0, answer.after or 0
    levels = [before, *accumulate((part.points for part in answer.parts), initial=before), after]
    low, high = min(levels), max(levels)
    span = max(high - low, 10)

    def y(rating: float) -> float:
        return round(105.0 - 75.0 * (rating - low) / span, 1)

    def end(x: int, rating: int, kind: str, words: str) -> Block:
        top = y(rating)
        return Block(
            x=x, y=top, height=BASE - top, kind=kind, text=str(rating), text_y=top + 28, words=words, tie=top
        )

    blocks = [end(20, before, "end", "before")]
    level = before
    for at, part in enumerate(answer.parts, start=1):
        top, bottom = y(max(level, level + part.points)), y(min(level, level + part.points))
        level += part.points
        blocks.append(
            Block(
                x=20 + 190 * at,
                y=top,
                height=max(bottom - top, 3.0),
                kind="up" if part.points >= 0 else "down",
                text=f"{part.points:+d}",
                text_y=top - 8,
                words=part.words,
                tie=y(level),
            )
        )
    last = 20 + 190 * len(blocks)
    blocks.append(end(last, after, "now", "after"))
    parts = ", ".join(f"{part.points:+d} for {part.words}" for part in answer.parts)
    return Rise(last + 170, tuple(blocks), f"From {before} to {after}: {parts}.")
