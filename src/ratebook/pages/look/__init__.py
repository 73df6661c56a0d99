"""Colours and measures that the pages of a book and the reports of the laboratory share."""

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
