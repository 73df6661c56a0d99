"""Replaying a part of history from the standings before it: what a re-rating of a book asks for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ratebook.findings import has_errors
from ratebook.replay.check import check_chunk, check_side
from ratebook.replay.engine.compiled import compiled, default_cache, is_compiled
from ratebook.replay.load import chunks, source_of
from ratebook.replay.prepare import PlayedMatch, RuleTable, decisions_that_count, side_arrays
from ratebook.replay.run import DEFAULT_OPTIONS, Engine
from ratebook.replay.tables import EMPTY_COUNT, SCHEMAS, History
from ratebook.rules.rulebook import Rulebook

Columns = dict[str, list[Any]]
"""Columns as Python has them: None for an empty value."""


class PartReplay:
    """Rates parts of a history by compiled code, each from the standings that are given with it."""

    def __init__(self, rulebook: Rulebook, cache: Path | None = None) -> None:
        self._rules = RuleTable(rulebook)
        self._folder = cache or default_cache()

    def is_compiled(self) -> bool:
        """Return whether nothing needs to be compiled, which takes about a minute."""
        return is_compiled(self._folder)

    def rate(self, tables: Mapping[str, pa.Table], matches: Sequence[PlayedMatch] = ()) -> Columns | None:
        """Return the ledger of a part with its workings (``tables.FULL_LEDGER``), or None.

        It is None where the columns have errors, or where their numbers give no finite rating: the
        interpreted engine says then what it is.

        Args:
            tables: the tables of a history; ``balances`` are the standings before the part. Side tables that are not
                given are empty.
            matches: played before the part, each member's in the order of history.
        """
        whole = {name: tables.get(name, schema.empty_table()) for name, schema in SCHEMAS.items()}
        source = source_of(History(**whole))
        side = side_arrays(source.side)
        if has_errors(check_side(side)):
            return None
        side["decisions"] = decisions_that_count(side)
        options = DEFAULT_OPTIONS._replace(workings=True)
        engine = Engine(side, self._rules, options, compiled(self._folder), matches=matches)
        raw = next(chunks(source, max(source.sections, 1)), None)
        if raw is None:
            return None
        members = len(side["members"]["adult"])
        seen = np.zeros(members, "i4")
        if has_errors(check_chunk(raw, None, members, self._rules, seen, engine.scan_games)):
            return None
        try:
            return plain_columns(engine.rate(raw))
        except (ArithmeticError, ValueError):
            return None


def plain_columns(table: pa.Table) -> Columns:
    """Return the columns of *table* as lists; ratings and counts that are not there as None.

    >>> import pyarrow as pa
    >>> plain_columns(pa.table({"peak": pa.array([1500.25, None])}))
    {'peak': [1500.25, None]}
    """
    columns: Columns = {}
    for name in table.column_names:
        column = table.column(name)
        if column.null_count:
            empty = np.asarray(column.is_null())
            filled = column.fill_null(EMPTY_COUNT)
            values = np.asarray(filled).astype(object)
            values[empty] = None
            columns[name] = values.tolist()
        else:
            columns[name] = np.asarray(column).tolist()
    return columns
