"""An official list as a Golden Database: four digits, then P and games, or E.

Source: docs/formats/player-lists.md#us-chess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.official_lists.dbf import (
    EXPIRY_WIDTH,
    ID_WIDTH,
    RATING_WIDTH,
    STATE_WIDTH,
    TableWriter,
)

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.model import System
    from ratebook.official_lists.contents import ListRating, OfficialList

NAME_WIDTH = 17
MONTH_WIDTH = 6

FIELDS = (
    ("MEM_ID", ID_WIDTH),
    ("MEM_NAME", NAME_WIDTH),
    ("EXPIRED", EXPIRY_WIDTH),
    ("STATE", STATE_WIDTH),
    ("R_LPB_RAT", RATING_WIDTH),
    ("Q_LPB_RAT", RATING_WIDTH),
    ("SUPP_DATE", MONTH_WIDTH),
)


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as a Golden Database whose second rating is that of *second*."""
    writer = TableWriter("Golden Database", NAME_WIDTH, golden_rating, second)
    month = official.month.replace("-", "")
    return writer.table(FIELDS, ((*row, month) for row in writer.rows(official)), official)


def golden_rating(rating: ListRating | None) -> str:
    """Return a rating as a Golden Database has it.

    >>> from ratebook.official_lists.contents import ListRating
    >>> golden_rating(ListRating(1575)), golden_rating(ListRating(612, 8)), golden_rating(None)
    ('1575E', '0612P08', '0000U')
    """
    if rating is None:
        return "0000U"
    return f"{rating.rating:04d}E" if rating.games is None else f"{rating.rating:04d}P{rating.games:02d}"
