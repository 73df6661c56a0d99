"""What Python has no word for: flags by which threads wait for one another, and asking the memory early.

A flag is one byte for each section that says it is rated. What a thread wrote before it raised a flag is seen by a
thread that finds the flag raised (release and acquire), on every processor; plain loads and stores promise that on
none. Members are anywhere in memory, and waiting for them is most of waiting, so they are asked for before their
section is rated.
"""

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ratebook.replay.engine.registration import part_of_kernel

BYTE = ir.IntType(8)
NUMBER = ir.IntType(32)

TO_WRITE = 1
KEEP = 3
DATA = 1
"""How memory is asked for: to be written, to stay in the nearest cache, as data."""

PATIENCE = 200
"""How often a flag is looked at before the processor is offered to others; most waits are shorter."""


if os.name == "posix":
    give_way: Any = types.ExternalFunction("sched_yield", types.intc())
    """Let another thread have the processor: the one that is waited for may need it."""
else:

    @part_of_kernel
    def go_on() -> int:
        """Go on; there is nothing to call here that every such system has."""
        return 0

    give_way = go_on


def word(function: Any) -> Any:  # noqa: ANN401 - the compiler gives the first argument, which no caller has
    """Let compiled code call what *function* makes the compiler write."""
    return intrinsic(function)


def _item(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Return the address of the item of an array, the first argument, at a place, the second one."""
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
        context, builder, kind, array, [arguments[1]], wraparound=False
    )


@word
def raise_flag(_context: Any, flags: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Raise the flag *at* a place of the uint8 array *flags*."""

    def write(context: Any, builder: Any, *call: Any) -> Any:  # noqa: ANN401 - as above
        builder.store_atomic(BYTE(1), _item(context, builder, *call), ordering="release", align=1)
        return context.get_dummy_value()

    return types.void(flags, at), write


@word
def flag_is_raised(_context: Any, flags: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Return whether the flag *at* a place of the uint8 array *flags* is raised."""

    def read(context: Any, builder: Any, *call: Any) -> Any:  # noqa: ANN401 - as above
        value = builder.load_atomic(_item(context, builder, *call), ordering="acquire", align=1)
        return builder.icmp_unsigned("!=", value, BYTE(0))

    return types.boolean(flags, at), read


@word
def fetch_early(_context: Any, records: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Ask for the cache line of a record *at* a place of an array; it may be used, or not, and nothing changes."""

    def ask(context: Any, builder: Any, *call: Any) -> Any:  # noqa: ANN401 - as above
        raw = BYTE.as_pointer()
        prefetch = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, ir.FunctionType(ir.VoidType(), [raw, NUMBER, NUMBER, NUMBER]), "llvm.prefetch.p0"
        )
        numbers = [NUMBER(number) for number in (TO_WRITE, KEEP, DATA)]
        builder.call(prefetch, [builder.bitcast(_item(context, builder, *call), raw), *numbers])
        return context.get_dummy_value()

    return types.void(records, at), ask
