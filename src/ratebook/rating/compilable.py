"""The marker of the functions that a compiler may take as they are.

Interpreted code neither imports nor needs a compiler: the decorator only notes the function. The bulk replay registers
every noted function with Numba, so that each formula is written once (ARCHITECTURE invariant 1). What a compilable
function may use: arguments, local scalars, loops, ``math``, other compilable functions, attributes of the rules, and
flat sequences by index. What it may not: ``x ** 2`` (write ``x * x``), ``sum()``, objects, strings, exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

COMPILABLE: list[Callable[..., Any]] = []
"""Every marked function, in the order of definition: callees before callers."""


def compilable(function: Callable[P, R]) -> Callable[P, R]:
    """Note *function* as compilable and return it unchanged."""
    COMPILABLE.append(function)
    return function
