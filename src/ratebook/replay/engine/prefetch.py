"""Asking the memory early for what comes next: members are anywhere, and waiting for them is most of waiting."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

NUMBER = ir.IntType(32)
TO_WRITE = 1
KEEP = 3
DATA = 1


@intrinsic
def fetch_early(_context: Any, records: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Ask for the cache line of a record *at* a place of an array; it may be used, or not, and nothing changes."""

    def ask(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - as above
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, arguments[0])
        place = cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
            context, builder, kind, array, [arguments[1]], wraparound=False
        )
        raw = ir.IntType(8).as_pointer()
        prefetch = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module,
            ir.FunctionType(ir.VoidType(), [raw, NUMBER, NUMBER, NUMBER]),
            "llvm.prefetch.p0",
        )
        numbers = [NUMBER(number) for number in (TO_WRITE, KEEP, DATA)]
        builder.call(prefetch, [builder.bitcast(place, raw), *numbers])
        return context.get_dummy_value()

    return types.void(records, at), ask
