"""One byte for each section that says it is rated: how threads wait for one another.

What a thread wrote before it raised a flag is seen by a thread that finds the flag raised (release and acquire), on
every processor; plain loads and stores promise that on none.
"""

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ratebook.replay.engine.registration import part_of_kernel

BYTE = ir.IntType(8)

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


def _flag(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
        context, builder, kind, array, [arguments[1]], wraparound=False
    )


@intrinsic
def raise_flag(_context: Any, flags: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Raise the flag *at* a place of the uint8 array *flags*."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - as above
        place = _flag(context, builder, signature, arguments)
        builder.store_atomic(BYTE(1), place, ordering="release", align=1)
        return context.get_dummy_value()

    return types.void(flags, at), write


@intrinsic
def flag_is_raised(_context: Any, flags: Any, at: Any) -> Any:  # noqa: ANN401 - the compiler's own types
    """Return whether the flag *at* a place of the uint8 array *flags* is raised."""

    def read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - as above
        place = _flag(context, builder, signature, arguments)
        value = builder.load_atomic(place, ordering="acquire", align=1)
        return builder.icmp_unsigned("!=", value, BYTE(0))

    return types.boolean(flags, at), read
