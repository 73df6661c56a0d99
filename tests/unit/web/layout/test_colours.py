"""Text and edges have the contrast of WCAG 2.2, level AA, wherever the style sheets can put them, in both themes.

A browser looks at what is on a page; here every colour of text is seen on every ground.
"""

from __future__ import annotations

import re
from importlib import resources
from itertools import product
from typing import NamedTuple

import pytest

from ratebook.office.face import contrast
from ratebook.pages.look import tokens
from ratebook.web.rendering import static_files

TEXT, EDGE = 4.5, 3.0
"""Success criteria 1.4.3 and 1.4.11."""
PAGES = static_files()["style.css"].content.decode()
REPORT = resources.files("ratebook.lab.report").joinpath("templates", "report.html").read_text("utf-8")
SHEETS = {"pages": PAGES, "report": re.findall("<style>(.*)</style>", REPORT, re.DOTALL)[0]}
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
OF_TEXT = re.compile(r"(?<![\w-])color: var\(--([\w-]+)\)")
OF_DRAWN_TEXT = re.compile(r"(?<![\w-])fill: var\(--([\w-]+)\)")
OF_GROUND = re.compile(r"(?<![\w-])background: var\(--([\w-]+)\)")
LITERAL = re.compile(
    r"(?:#[0-9a-f]{3,8}|rgb\([^)]*\)|hsl\([^)]*\)|: (?:white|black|red|gr[ae]y))\b", re.IGNORECASE
)


class Colours(NamedTuple):
    """Names of colours in a style sheet: of text, of grounds, and of text that its own rule puts on its own ground."""

    text: frozenset[str]
    grounds: frozenset[str]
    together: frozenset[tuple[str, str]]


def colours_of(sheet: str) -> Colours:
    text: set[str] = set()
    grounds: set[str] = set()
    together: set[tuple[str, str]] = set()
    for selector, body in RULE.findall(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)):
        own = set(OF_TEXT.findall(body))
        if "text" in selector:
            own |= set(OF_DRAWN_TEXT.findall(body))
        on = set(OF_GROUND.findall(body))
        if own and on:
            together |= set(product(own, on))
        else:
            text |= own
            grounds |= on
    return Colours(frozenset(text), frozenset(grounds), frozenset(together))


def themes() -> dict[str, dict[str, str]]:
    """Return the colours of both themes by name, in six digits; the dark one changes some."""
    light, dark = (
        {
            name: colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
            for name, colour in pairs
        }
        for pairs in (re.findall(r"--([\w-]+): (#[0-9a-f]+);", part) for part in tokens().split("@media"))
    )
    return {"light": light, "dark": light | dark}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_text_can_be_read_on_every_ground(sheet: str, theme: str) -> None:
    of, colours = colours_of(SHEETS[sheet]), themes()[theme]
    assert {"accent", "quiet"} <= of.text
    # Other grounds have a colour of text of their own.
    seen = of.together | set(product(of.text | {"ink"}, of.grounds | {"page", "card"}))
    low = {(text, ground): contrast(colours[text], colours[ground]) for text, ground in seen}
    assert {pair: value for pair, value in low.items() if value < TEXT} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_of_what_is_filled_in_are_seen(theme: str) -> None:
    colours = themes()[theme]
    for edge, ground in product(("edge", "accent", "down", "gold"), ("page", "card", "soft")):
        assert contrast(colours[edge], colours[ground]) >= EDGE, (edge, ground)


@pytest.mark.parametrize("sheet", SHEETS)
def test_colours_are_those_of_the_tokens(sheet: str) -> None:
    on_screen, _, on_paper = SHEETS[sheet].removeprefix(tokens()).partition("@media print")
    assert on_paper
    literals = {literal for _, body in RULE.findall(on_screen) for literal in LITERAL.findall(body)}
    # What is behind a dialogue is no ground of text.
    assert literals <= {"rgb(0 0 0 / .4)"}
