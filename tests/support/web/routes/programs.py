"""Addresses for programs: one of each route."""

from __future__ import annotations

import re

from support.web.federation import EVENT, LISTS
from support.web.routes.public import PAGES

_PARAMETER = re.compile(r"{(\w+):\w+}")
_SAMPLES = {
    "event_id": EVENT,
    "month": LISTS[0],
    "file": "csv",
    "data_file": "history-2026-0123456789abcdef.csv.gz",
    **{
        name: value
        for route, address in PAGES.items()
        for name, value in zip(
            _PARAMETER.findall(route),
            re.fullmatch(_PARAMETER.sub("([^/?]+)", route) + r"(?:\?.*)?", address).groups(),  # type: ignore[union-attr]  # each page has an address
            strict=True,
        )
    },
}
"""A value of each parameter, as the pages have it, and of those that pages have not."""


def sample_of(route: str) -> str:
    """Return an address of a route."""
    return _PARAMETER.sub(lambda one: _SAMPLES[one[1]], route)
