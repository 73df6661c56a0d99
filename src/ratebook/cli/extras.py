"""Extras of the installation that a command needs."""

from ratebook.cli.show import fail
from ratebook.extras import missing_library


def need(*extras: str) -> None:
    """End with a finding and exit status 1 where a library of one of the *extras* is missing."""
    missing = missing_library(*extras)
    if missing is not None:
        fail([missing])
