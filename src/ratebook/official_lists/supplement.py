"""An official list as a rating supplement: four digits, and a slash and games while provisional.

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

NAME_WIDTH = 27

FIELDS = (
    ("R_MEM_ID", ID_WIDTH),
    ("R_MEM_NAME", NAME_WIDTH),
    ("R_EXP_DATE", EXPIRY_WIDTH),
    ("R_STATE", STATE_WIDTH),
    ("R_RATING1", RATING_WIDTH),
    ("R_RATING2", RATING_WIDTH),
)


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as a rating supplement whose second rating is that of *second*."""
    writer = TableWriter("rating supplement", NAME_WIDTH, supplement_rating, second)
    return writer.table(FIELDS, writer.rows(official), official)


def supplement_rating(rating: ListRating | None) -> str:
    """Return a rating as a supplement has it; blanks where there is none.

    >>> from ratebook.official_lists.contents import ListRating
    >>> supplement_rating(ListRating(1575)), supplement_rating(ListRating(612, 8)), supplement_rating(None)
    ('1575', '0612/08', '')
    """
    if rating is None:
        return ""
    return f"{rating.rating:04d}" if rating.games is None else f"{rating.rating:04d}/{rating.games:02d}"
