"""How ratings are spread, as bars: one for each hundred points."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from ratebook.book.figures.federation import BAND
from ratebook.records.federation import RatingBand
from ratebook.web.pictures.scale import SIDE, Label

BAR_SHARE = 0.88
"""So much of its hundred points a bar takes."""


class HistogramBar(NamedTuple):
    """A bar: its left edge, width and height, and what it says."""

    left: int
    width: int
    height: int
    text: str
    is_here: bool


class Histogram(NamedTuple):
    """Bars, ratings below them, where *here* is, and the same in sentences."""

    bars: tuple[HistogramBar, ...]
    labels: tuple[Label, ...]
    here: Label | None
    words: str

    @property
    def rectangles(self) -> Markup:
        """Return the bars as SVG: a template takes several times as long for two dozen."""
        here = ' class="here"'
        drawn = (
            f'<rect{here if is_here else ""} x="{left / 10}%" y="{100 - height / 10}%" width="{width / 10}%"'
            f' height="{height / 10}%" rx="2"><title>{text}</title></rect>'
            for left, width, height, text, is_here in self.bars
        )
        return Markup("".join(drawn))  # noqa: S704 - numbers, and words with them


def histogram(bands: Sequence[RatingBand], rating: float | None = None) -> Histogram | None:
    """Return how ratings are spread, with the bar of a *rating* marked; None where there are none."""
    if not bands:
        return None
    most, width = max(band.players for band in bands), SIDE / len(bands)
    bars = tuple(
        HistogramBar(
            left=round((at + (1 - BAR_SHARE) / 2) * width),
            width=round(BAR_SHARE * width),
            height=round(SIDE * band.players / most),
            text=f"{band.players:,} from {band.least} to {band.least + BAND - 1}",
            is_here=rating is not None and band.least <= rating < band.least + BAND,
        )
        for at, band in enumerate(bands)
    )
    low, middle, high = (quantile(bands, share) for share in (0.25, 0.5, 0.75))
    words = f"The median is about {middle}; half of all players are between {low} and {high}."
    own_bar = next((at for at, bar in enumerate(bars) if bar.is_here), None)
    if rating is not None and own_bar is not None:
        words += f" {rating:.0f} is higher than {lower_share(bands, rating)} in 100."
    return Histogram(
        bars=bars,
        labels=tuple(
            Label(round((at + 0.5) * width), str(bands[at].least))
            for at in sorted({0, len(bands) // 2, len(bands) - 1})
        ),
        here=None if own_bar is None else Label(round((own_bar + 0.5) * width), f"{rating:.0f} is here"),
        words=words,
    )


def lower_share(bands: Sequence[RatingBand], rating: float) -> int:
    """Return how many in 100 players are below a *rating*, as if each hundred points were even.

    >>> lower_share((RatingBand(least=1000, players=1), RatingBand(least=1100, players=3)), 1150)
    62
    """
    below = sum(band.players * min(max((rating - band.least) / BAND, 0), 1) for band in bands)
    return int(100 * below / sum(band.players for band in bands))


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
