"""Accent colours: whether text in one can be read, and its twins for soft areas and for the dark theme.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio); text needs 4.5 (1.4.3, level AA).
"""

import re
from collections.abc import Iterable, Iterator
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache
from typing import NamedTuple

COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
READABLE, EASY = 4.5, 7.0
"""The least contrast of text, and that of the accent on the dark theme, where soft areas take some of it."""
WHITE, BLACK = "#ffffff", "#000000"
SOFT = 0.12
"""How much of the accent is in a soft area, at most."""
STEPS = 256
VIVID = 0.7
"""The most saturation of an accent on the dark theme, where a pure colour glares."""
LINEAR_BELOW = 0.04045
"""Of sRGB (IEC 61966-2-1)."""


class Ground(NamedTuple):
    """What the accent of a theme is seen on, and the colour of other text."""

    page: str
    card: str
    ink: str


LIGHT = Ground("#f4f6f8", "#ffffff", "#16202c")
DARK = Ground("#0f141a", "#171d25", "#e8ecf1")
"""As the style sheet has them."""


class Palette(NamedTuple):
    """The accent of a theme: its own colour, that of text on it, and that of soft areas on which it is text."""

    accent: str
    on_accent: str
    soft: str


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours.

    >>> contrast("#000000", "#ffffff"), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    dark, light = sorted((_luminance(colour), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def readable(accent: str) -> str:
    """Return the accent itself if text in it can be read on a page and a card, else the nearest darker shade that can.

    >>> readable("#0b5d2a")
    '#0b5d2a'
    """
    shades = (_mixed(accent, BLACK, step / STEPS) for step in range(STEPS + 1))
    return _first(shades, READABLE, LIGHT)


@lru_cache(maxsize=16)
def light_palette(accent: str) -> Palette:
    """Return the colours of the light theme."""
    return Palette(accent, WHITE, _soft(accent, LIGHT.card))


@lru_cache(maxsize=16)
def dark_palette(accent: str) -> Palette:
    """Return the colours of the dark theme: the nearest lighter shade that is easy to read on it."""
    twin = _first(_lighter(accent), EASY, DARK)
    return Palette(twin, DARK.page, _soft(twin, DARK.card))


def _soft(accent: str, card: str) -> str:
    """Return a card with a breath of the accent: as much as leaves text in the accent readable on it."""
    shades = (_mixed(card, accent, SOFT * (STEPS - step) / STEPS) for step in range(STEPS))
    return next((shade for shade in shades if contrast(accent, shade) >= READABLE), card)


def _lighter(colour: str) -> Iterator[str]:
    """Yield a colour lighter and lighter, of the same hue; mixed with white it would turn grey."""
    hue, lightness, saturation = rgb_to_hls(*(channel / 255 for channel in _channels(colour)))
    for step in range(STEPS + 1):
        lighter = lightness + (1 - lightness) * step / STEPS
        channels = hls_to_rgb(hue, lighter, min(saturation, VIVID))
        yield "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


def _first(shades: Iterable[str], least: float, ground: Ground) -> str:
    """Return the first shade that has at least some contrast on page and card."""
    return next(
        shade for shade in shades if min(contrast(shade, ground.page), contrast(shade, ground.card)) >= least
    )


def _mixed(colour: str, other: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (end - one) * share):02x}" for one, end in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))


def _luminance(colour: str) -> float:
    red, green, blue = (
        value / 12.92 if value <= LINEAR_BELOW else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
