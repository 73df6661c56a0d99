"""Every public address of a book: the routes of the application, filled with what the book has."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from ratebook.web.routing import KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from litestar import Litestar

PARAMETER = re.compile(r"\{(\w+):\w+\}")
OTHER_ENDINGS = (".csv", ".json", ".ndjson")
"""The same items in another form."""


def public_addresses(app: Litestar, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the addresses of all public routes for all *values* of their parameters, by name."""
    routes = {
        path
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if handler.opt.get(KEPT) is not None
        for path in handler.paths
    }
    unknown = {
        f"{name} of {path}" for path in routes for name in PARAMETER.findall(path) if name not in values
    }
    assert not unknown, f"give the test of privacy values for {unknown}"
    for path in sorted(routes):
        if path.endswith(OTHER_ENDINGS):
            continue
        names = PARAMETER.findall(path)
        for chosen in product(*(values[name] for name in names)):
            parts = iter(chosen)
            yield PARAMETER.sub(lambda _, parts=parts: next(parts), path)  # type: ignore[misc]
