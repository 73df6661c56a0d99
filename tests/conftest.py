"""Options of the tests, and how Hypothesis runs: the same examples each time, however slow the machine is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

settings.register_profile(
    "tests",
    deadline=None,
    derandomize=True,
    max_examples=120,
    # It goes by the clock too.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--soak``."""
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes (make soak)")


def pytest_configure(config: pytest.Config) -> None:
    """Say what the marker means."""
    config.addinivalue_line("markers", "soak: takes minutes; runs with --soak only")


def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Leave the long tests out, unless they are asked for."""
    if config.getoption("--soak"):
        return
    for item in items:
        if item.get_closest_marker("soak") is not None:
            item.add_marker(pytest.mark.skip(reason="takes minutes: make soak"))
