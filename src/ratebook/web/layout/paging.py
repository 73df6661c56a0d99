"""The pages of a table whose rows have numbers, the newest first: which rows one has, and where the others begin."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

MOST_SHOWN = 30
ASKED = MOST_SHOWN + 1
"""So many rows are read: the last one is not shown, and says that there are more."""


class Numbered(Protocol):
    """A row with a number, which grows with time."""

    @property
    def id(self) -> int:
        """Return the number."""


Row = TypeVar("Row", bound=Numbered)


class Paged(NamedTuple, Generic[Row]):
    """The rows of a page; those of others have numbers above *later* and below *earlier*, where there are any."""

    rows: Sequence[Row]
    later: int | None
    earlier: int | None


def paged(rows: Sequence[Row], before: int, after: int) -> Paged[Row]:
    """Return the page of rows that were asked for with numbers below *before* or above *after* (0: any)."""
    has_more = len(rows) > MOST_SHOWN
    shown = rows[-MOST_SHOWN:] if after else rows[:MOST_SHOWN]
    has_later, has_earlier = (has_more, True) if after else (before > 0, has_more)
    return Paged(
        shown, shown[0].id if shown and has_later else None, shown[-1].id if shown and has_earlier else None
    )
