"""The loop run as plain Python: for histories too short to wait for a compiler.

It runs over plain numbers, as compiled code does: memory of arrays is looked at through views, and records are objects
while a chunk is rated. The results are those of the compiled loop to the last bit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from ratebook.replay.engine.gather import follow_decisions
from ratebook.replay.engine.kernel import rate_section
from ratebook.replay.engine.scratch import Scratch
from ratebook.replay.memory import NO_DECISION, NO_EXTRA, Array, Chunk, Ledger, State, Tables
from ratebook.rules.in_force import RulesInForce

END_OF_DAYS = np.iinfo("i4").max
"""A day number after all others."""


class RecordObjects(dict[int, Any]):
    """The records of an array as objects, each made when it is first asked for."""

    def __init__(self, array: Array) -> None:
        super().__init__()
        self._array = array
        self._names = array.dtype.names

    def __missing__(self, at: int) -> Any:  # noqa: ANN401 - a record of any kind
        row = self._array[at]
        record = SimpleNamespace(**{name: row[name].tolist() for name in self._names})
        self[at] = record
        return record

    def write_back(self) -> None:
        """Store what the objects say now."""
        for at, record in self.items():
            self._array[at] = tuple(getattr(record, name) for name in self._names)


def rate_sections(  # noqa: PLR0913, PLR0917 - as the compiled function has them
    chunk: Chunk,
    tables: Tables,
    state: State,
    ledger: Ledger,
    scratch: Scratch,
    _done: Array,
    thread: int,
    _threads: int,
) -> None:
    """Rate the sections of a chunk as `kernel.rate_sections` does with one thread."""
    with _as_objects(tables, state) as (seen, followed):
        arguments = viewed(chunk), seen, followed, viewed(ledger), viewed(scratch)
        for section in range(len(chunk.kind)):
            rate_section(*arguments, thread, section)


def follow_all(tables: Tables, state: State) -> None:
    """Let all decisions take effect that are still to come: no section follows them."""
    of_key = state.standings["extra"]
    waits = (state.extras["next_decision"] < state.extras["last_decision"]) | (
        state.extras["raises"] != NO_DECISION
    )
    keys = np.flatnonzero(of_key != NO_EXTRA)
    keys = keys[waits[of_key[keys]]]
    with _as_objects(tables, state) as (seen, followed):
        for key in keys.tolist():
            follow_decisions(seen, followed, followed.standings[key], END_OF_DAYS)


@contextmanager
def _as_objects(tables: Tables, state: State) -> Iterator[tuple[Tables, State]]:
    """Give views of *tables* and *state* whose records are objects; what these say at the end is stored."""
    standings, extras = RecordObjects(state.standings), RecordObjects(state.extras)
    rules = [RulesInForce._make(row) for row in tables.rules.tolist()]
    yield (viewed(tables._replace(rules=rules)), viewed(state._replace(standings=standings, extras=extras)))
    standings.write_back()
    extras.write_back()


def viewed(columns: Any) -> Any:  # noqa: ANN401 - a tuple of arrays
    """Return views of *columns* that give and take plain numbers."""
    return type(columns)._make(map(_view, columns))


def _view(values: Any) -> Any:  # noqa: ANN401 - an array, or objects already
    if isinstance(values, list | dict):
        return values
    return memoryview(values) if values.ndim == 1 else [memoryview(row) for row in values]
