"""How ratings are spread, as bars: one for each hundred points."""

from collections.abc import Sequence
from typing import NamedTuple

from ratebook.book.figures.federation import BAND
from ratebook.records.federation import RatingBand

WIDTH, HEIGHT, GAP = 320.0, 110.0, 2.0
LABELS = 3
"""Ratings below the bars: the lowest, the middle, the highest."""


class HistogramBar(NamedTuple):
    """A bar: its left edge, top, width and height, and what it says."""

    x: float
    y: float
    width: float
    height: float
    text: str
    is_here: bool


class BarLabel(NamedTuple):
    """A rating below the bars."""

    x: float
    text: str


class Histogram(NamedTuple):
    """Bars, ratings below them, and the same in a sentence."""

    bars: tuple[HistogramBar, ...]
    labels: tuple[BarLabel, ...]
    words: str


def histogram(bands: Sequence[RatingBand], rating: float | None = None) -> Histogram | None:
    """Return how ratings are spread, with the bar of a *rating* marked; None where there are none."""
    if not bands:
        return None
    most, width = max(band.players for band in bands), WIDTH / len(bands)

    def bar(at: int, band: RatingBand) -> HistogramBar:
        height = round(HEIGHT * band.players / most, 1)
        return HistogramBar(
            x=round(at * width, 1),
            y=round(HEIGHT - height, 1),
            width=round(width - GAP, 1),
            height=height,
            text=f"{band.players:,} from {band.least} to {band.least + BAND - 1}",
            is_here=rating is not None and band.least <= rating < band.least + BAND,
        )

    places = sorted({0, len(bands) // 2, len(bands) - 1})
    low, middle, high = (quantile(bands, share) for share in (0.25, 0.5, 0.75))
    return Histogram(
        bars=tuple(bar(at, band) for at, band in enumerate(bands)),
        labels=tuple(BarLabel(round((at + 0.5) * width, 1), str(bands[at].least)) for at in places),
        words=f"The median is about {middle}; half of all players are between {low} and {high}.",
    )


def quantile(bands: Sequence[RatingBand], share: float) -> int:
    """Return the rating below which a *share* of the players are, to ten points, as if each hundred were even.

    >>> quantile((RatingBand(least=1000, players=1), RatingBand(least=1100, players=3)), 0.5)
    1130
    """
    wanted = share * sum(band.players for band in bands)
    for band in bands:
        if wanted <= band.players:
            return round((band.least + BAND * wanted / max(band.players, 1)) / 10) * 10
        wanted -= band.players
    return bands[-1].least + BAND
