"""Colours, measures and signs that the pages of a book and the reports of the laboratory share."""

import re
from functools import cache
from importlib import resources


@cache
def tokens() -> str:
    """Return them as a style sheet: those of light pages, then what dark ones change."""
    return resources.files("ratebook.pages.look").joinpath("tokens.css").read_text(encoding="utf-8")


@cache
def light_colours() -> dict[str, str]:
    """Return the colours of light pages by name.

    >>> light_colours()["card"]
    '#fff'
    """
    light, _, _ = tokens().partition("@media")
    return dict(re.findall(r"--([\w-]+): (#\w+);", light))


def with_minus(text: str) -> str:
    """Return *text* with the signs of its negative numbers as they are printed.

    >>> with_minus(
    ...     "-15 to -3, on 2026-11-20: 1-0"
    ... ) == "\N{MINUS SIGN}15 to \N{MINUS SIGN}3, on 2026-11-20: 1-0"
    True
    """
    return _NEGATIVE.sub("\u2212", text) if "-" in text else text


_NEGATIVE = re.compile(r"(?<![\w.:/-])-(?=[0-9])", re.ASCII)
