"""The options of the commands that write an invented federation or history."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Option = Callable[[Callable[..., Any]], Callable[..., Any]]

seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Another seed gives other players.",
)


def out_option(words: str) -> Option:
    """Return the option that names the folder to write."""
    return click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help=words)


def members_option(least: int, most: int, default: int) -> Option:
    """Return the option that says how many members there are."""
    return click.option(
        "--members",
        type=click.IntRange(least, most),
        default=default,
        show_default=True,
        help="Number of members.",
    )
