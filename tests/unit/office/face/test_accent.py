"""Accent colours are readable in both themes, measured by WCAG's own formula and examples."""

from __future__ import annotations

import re

import pytest

from ratebook.office.face import DARK, LIGHT, contrast, dark_palette, light_palette, readable
from ratebook.pages.look import tokens

SAMPLES = [
    f"#{red}{green}{blue}"
    for red in ("00", "66", "cc", "ff")
    for green in ("00", "99", "ff")
    for blue in ("00", "88", "ff")
]


@pytest.mark.parametrize(
    ("one", "other", "known"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#767676", "#ffffff", 4.54),
        ("#0000ff", "#ffffff", 8.59),
        ("#ff0000", "#ffffff", 4.0),
    ],
)
def test_contrasts_are_those_that_are_known(one: str, other: str, known: float) -> None:
    # Of WebAIM's contrast checker and WCAG's technique G18: #767676 is the lightest grey that passes on white.
    assert contrast(one, other) == pytest.approx(known, abs=0.005)
    assert contrast(one, other) == contrast(other, one)


@pytest.mark.parametrize("colour", SAMPLES)
def test_every_colour_has_twins_that_can_be_read(colour: str) -> None:
    shade = readable(colour)
    light, dark = light_palette(shade), dark_palette(shade)
    assert light.accent == shade == readable(shade)
    for palette, grounds in ((light, LIGHT[:2]), (dark, DARK[:2])):
        for ground in (*grounds, palette.soft, palette.on_accent):
            assert contrast(palette.accent, ground) >= 4.5


def test_a_shade_is_the_nearest_that_passes() -> None:
    for colour in SAMPLES:
        shade = readable(colour)
        if shade != colour:
            assert 4.5 <= contrast(shade, LIGHT.page) < 4.65


def test_the_grounds_are_those_of_the_style_sheet() -> None:
    for theme, ground in zip(tokens().split("@media"), (LIGHT, DARK), strict=True):
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", theme))
        assert (colours["page"], colours["ink"]) == (ground.page, ground.ink)
        assert colours["card"] in {ground.card, f"#{ground.card[1::2]}"}
