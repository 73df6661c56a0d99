"""Addresses for programs: one of each route."""

from __future__ import annotations

import re

from support.web.federation import EVENT, LISTS, OTHER, PLAYER

_SAMPLES = {
    "member": PLAYER,
    "other": OTHER,
    "event": EVENT,
    "event_id": EVENT,
    "number": "1",
    "month": LISTS[0],
    "system": "regular",
    "file": "csv",
}
"""A value of each parameter; a new one belongs here."""
_PARAMETER = re.compile(r"{(\w+):\w+}")


def sample_of(route: str) -> str:
    """Return an address of a route."""
    return _PARAMETER.sub(lambda one: _SAMPLES[one[1]], route)
