"""Handing functions to the compiler: the engine's marked functions, and those of the loop around them.

Nothing that runs compiled owns memory, so counting references is switched off: counted, the columns of a section cost
ten times what rating it costs. For the same reason every function is compiled into its caller; wrappers that let C call
it would be a tenth of the time that compiling takes.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import register_jitable

import ratebook.rating
from ratebook.rating.formulas import COMPILABLE

Function = TypeVar("Function", bound="Callable[..., Any]")

_REGISTERED: set[Callable[..., Any]] = set()


def part_of_kernel(function: Function) -> Function:
    """Let compiled code call *function*, and return it unchanged."""
    if function not in _REGISTERED:
        _REGISTERED.add(function)
        register_jitable(forceinline=True, no_cfunc_wrapper=True, _nrt=False)(function)
    return function


def register_engine() -> None:
    """Let compiled code call every function that the engine marks."""
    for module in pkgutil.iter_modules(ratebook.rating.__path__):
        importlib.import_module(f"ratebook.rating.{module.name}")
    for function in COMPILABLE:
        part_of_kernel(function)
