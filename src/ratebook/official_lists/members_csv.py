"""An official list as a members CSV, so that ``--players`` brings its ratings into a report of any format."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from ratebook.formats.reading.spreadsheet import guarded
from ratebook.model import Rating
from ratebook.player_lists.members_columns import COLUMNS, LIFE, prefix_of
from ratebook.player_lists.members_csv import rating_cells

if TYPE_CHECKING:
    from datetime import date

    from ratebook.findings import Finding
    from ratebook.model import System
    from ratebook.official_lists.contents import ListMember, OfficialList


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as a members CSV; *second* does not matter, since all systems have their columns."""
    del second
    rows = [_cells(member, official.cut_off) for member in official.members]
    used = set[str]().union(*(row.keys() for row in rows))
    titles = [title for title in COLUMNS if title in {"id", "name"} or title in used]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([row.get(title, "") for title in titles] for row in rows)
    return out.getvalue().encode(errors="replace"), ()


def _cells(member: ListMember, cut_off: date) -> dict[str, str]:
    """Return the cells of a member that are not empty; the rating is the official one, as of the list's cut-off."""
    cells = {"id": guarded(member.id), "name": guarded(member.name)}
    if member.expires is not None:
        cells["expires"] = "life" if member.expires == LIFE else member.expires.isoformat()
    for system, official in member.ratings.items():
        games = None if official.games is None else float(official.games)
        rating = Rating(
            float(official.rating), games, published=official.rating, published_games=games, as_of=cut_off
        )
        cells |= rating_cells(prefix_of(system), rating)
    return {title: text for title, text in cells.items() if text}
