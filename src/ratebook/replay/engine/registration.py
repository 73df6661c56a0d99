"""Handing functions to the compiler: the engine's marked functions, and those of the loop around them.

Nothing that runs compiled owns memory, so counting references is switched off: counted, the columns of a section cost
ten times what rating it costs. For the same reason every function is compiled into its caller; wrappers that let C call
it would be a tenth of the time that compiling takes, and machine code of its own nearly a half.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, TypeVar

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.extending import register_jitable

import ratebook.rating
from ratebook.rating.formulas import COMPILABLE

Function = TypeVar("Function", bound="Callable[..., Any]")

_REGISTERED: set[Callable[..., Any]] = set()

# Numba describes none of these classes to a checker of types.
_LIBRARY: Any = JITCodeLibrary
_LOWERING: Any = NativeLowering
_COMPILER: Any = CompilerBase
_PASSES: Any = DefaultPassBuilder


class _Part(_LIBRARY):  # type: ignore[misc]
    """A function that is optimized within its callers alone, where it becomes machine code."""

    def _optimize_final_module(self) -> None:
        """Leave that to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _LoweringOfPart(_LOWERING):  # type: ignore[misc]
    _name = "lowering_of_part"

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401 - the compiler's own
        part = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library = part
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba knows a function by what Python would call, which must be built in; nobody calls this.
        key = [part].count
        state.targetctx.insert_user_function(key, state.cr.fndesc, [part])
        state.cr = state.cr._replace(cfunc=key)
        return True


class _CompilerOfParts(_COMPILER):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        passes = _PASSES.define_nopython_pipeline(self.state)
        passes.passes = [
            (_LoweringOfPart if kind is NativeLowering else kind, words) for kind, words in passes.passes
        ]
        passes.finalize()
        return [passes]


def part_of_kernel(function: Function) -> Function:
    """Let compiled code call *function*, and return it unchanged."""
    if function not in _REGISTERED:
        _REGISTERED.add(function)
        options = {"forceinline": True, "no_cfunc_wrapper": True, "_nrt": False}
        register_jitable(pipeline_class=_CompilerOfParts, **options)(function)
    return function


def register_engine() -> None:
    """Let compiled code call every function that the engine marks."""
    for module in pkgutil.iter_modules(ratebook.rating.__path__):
        importlib.import_module(f"ratebook.rating.{module.name}")
    for function in COMPILABLE:
        part_of_kernel(function)
