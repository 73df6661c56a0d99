"""An official list as CSV for spreadsheets: one row for each member, rating and games of each system in two columns."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from ratebook.formats.reading.spreadsheet import guarded
from ratebook.player_lists.members_columns import LIFE, prefix_of

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.model import System
    from ratebook.official_lists.contents import ListRating, OfficialList


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as UTF-8 CSV; *second* does not matter, since all systems have their columns."""
    del second
    systems = official.systems
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    titles = [
        title for system in systems for title in (prefix_of(system), f"{prefix_of(system)}_provisional_games")
    ]
    writer.writerow(["id", "name", "state", "expires", *titles])
    for member in official.members:
        expires = "" if member.expires is None else "life" if member.expires == LIFE else member.expires
        cells = [cell for system in systems for cell in _cells(member.ratings.get(system))]
        writer.writerow([guarded(member.id), guarded(member.name), guarded(member.state), expires, *cells])
    return out.getvalue().encode(errors="replace"), ()


def _cells(rating: ListRating | None) -> tuple[str, str]:
    if rating is None:
        return "", ""
    return str(rating.rating), "" if rating.games is None else str(rating.games)
