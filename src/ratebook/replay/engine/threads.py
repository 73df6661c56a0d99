"""One chunk through the compiled loop, its sections shared out to threads."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ratebook.replay.engine.compiled import Functions
from ratebook.replay.engine.scratch import Scratch
from ratebook.replay.memory import Chunk, Ledger, State, Tables


def room_for(chunk: Chunk) -> tuple[int, int]:
    """Return the most entries and the most games (both sides counted) of a section of *chunk*."""
    entries = int(np.diff(chunk.first_entry).max(initial=1))
    games = int(np.diff(chunk.first_game[chunk.first_entry]).max(initial=1))
    return entries, games


def rate_in_threads(  # noqa: PLR0913, PLR0917 - what the loop reads and writes
    functions: Functions,
    chunk: Chunk,
    tables: Tables,
    state: State,
    ledger: Ledger,
    scratch: Scratch,
    threads: int,
) -> None:
    """Rate the sections of *chunk* by *threads* threads: *state* moves on, *ledger* is filled.

    Raises:
        ArithmeticError: the numbers of the rules divide by zero; state and ledger are worth nothing then.
    """
    flags: Any = np.zeros(len(chunk.kind), "u1")

    def rate_share(thread: int) -> None:
        try:
            functions.rate_sections(chunk, tables, state, ledger, scratch, flags, thread, threads)
        except BaseException:
            # No thread may go on waiting for what this one leaves unrated.
            flags[:] = 1
            raise

    if threads == 1:
        rate_share(0)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(rate_share, range(threads)))
