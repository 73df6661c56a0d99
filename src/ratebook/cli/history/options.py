"""The options of the commands that write an invented federation or history."""

from collections.abc import Callable
from typing import Any

import click

from ratebook.cli.options import PATH, default_option

Option = Callable[[Callable[..., Any]], Callable[..., Any]]

seed_option = default_option(
    "--seed", type=click.IntRange(min=0), default=1, help="Another seed gives other players."
)


def out_option(words: str) -> Option:
    """Return the option that names the folder to write."""
    return click.option("--out", type=PATH, required=True, metavar="DIR", help=words)


def members_option(least: int, most: int, default: int) -> Option:
    """Return the option that says how many members there are."""
    return default_option(
        "--members", type=click.IntRange(least, most), default=default, help="Number of members."
    )
