"""An official list as text, to be read by people: aligned columns, one line for each member."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratebook.official_lists.contents import shown_rating

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.model import System
    from ratebook.official_lists.contents import OfficialList


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as UTF-8 text; *second* does not matter, since all systems have their column."""
    del second
    systems = official.systems
    rows = [
        ("ID", "Name", "State", *(system.value for system in systems)),
        *(
            (
                member.id,
                member.name,
                member.state,
                *(shown_rating(member.ratings.get(system)) for system in systems),
            )
            for member in official.members
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        f"{official.federation}: official ratings of {official.month}",
        f"Sections that ended by {official.cut_off}; P and a number: provisional, on so many games",
        "",
    ]
    for row in rows:
        left = "  ".join(cell.ljust(width) for cell, width in zip(row[:3], widths[:3], strict=True))
        right = "".join(f"  {cell.rjust(width)}" for cell, width in zip(row[3:], widths[3:], strict=True))
        lines.append(f"{left}{right}".rstrip())
    return ("\n".join(lines) + "\n").encode(errors="replace"), ()
