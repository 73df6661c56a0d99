"""Every public address of a book: the routes of the application, filled with what the book has."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import quote

from ratebook.web.routing import KEPT, NEEDS, Needs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from litestar import Litestar
    from litestar.handlers import HTTPRouteHandler

PARAMETER = re.compile(r"\{(\w+):\w+\}")
OTHER_ENDINGS = (".csv", ".json", ".ndjson")
"""The same items in another form."""


def public_addresses(app: Litestar, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the addresses of all public routes for all *values* of their parameters, by name."""
    return addresses(public_paths(app), values)


def public_paths(app: Litestar, *, endings: bool = False) -> set[str]:
    """Return the paths that anyone may read, with those of other forms of the same items if *endings* are wanted."""
    paths = _paths(app, lambda handler: handler.opt.get(KEPT) is not None)
    return {path for path in paths if endings or not path.endswith(OTHER_ENDINGS)}


def all_paths(app: Litestar) -> set[str]:
    """Return the paths that answer to GET, but for those of programs with a token."""
    return _paths(
        app, lambda handler: "GET" in handler.http_methods and handler.opt.get(NEEDS) is not Needs.PROGRAM
    )


def _paths(app: Litestar, wanted: Callable[[HTTPRouteHandler], bool]) -> set[str]:
    return {
        path
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if wanted(handler)
        for path in handler.paths
    }


def addresses(paths: Collection[str], values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the addresses of *paths* for all *values* of their parameters, by name."""
    unknown = {
        f"{name} of {path}" for path in paths for name in PARAMETER.findall(path) if name not in values
    }
    assert not unknown, f"give values for {unknown}"
    for path in sorted(paths):
        names = PARAMETER.findall(path)
        for chosen in product(*(values[name] for name in names)):
            parts = iter(chosen)
            yield PARAMETER.sub(lambda _, parts=parts: quote(next(parts), safe=""), path)  # type: ignore[misc]
