"""Which routes a folder of handlers has: each that is declared in one of its modules."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages

from litestar.handlers import HTTPRouteHandler


def routes_of(
    package: str, path: Iterable[str], *, without: tuple[str, ...] = ()
) -> tuple[HTTPRouteHandler, ...]:
    """Return the handlers that the modules of a package declare, those *without* left out.

    A declaration that makes several handlers gives them as a tuple.
    """
    routes: dict[int, HTTPRouteHandler] = {}
    for module in walk_packages(path, f"{package}."):
        if not module.name.removeprefix(f"{package}.").startswith(without):
            for value in vars(import_module(module.name)).values():
                declared = value if isinstance(value, tuple) else (value,)
                routes |= {id(one): one for one in declared if isinstance(one, HTTPRouteHandler)}
    return tuple(routes.values())
