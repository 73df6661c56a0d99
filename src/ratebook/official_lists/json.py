"""An official list as JSON: the format ``ratebook-official-list/1``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ratebook.player_lists.members_columns import LIFE

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.model import System
    from ratebook.official_lists.contents import OfficialList

FORMAT = "ratebook-official-list/1"


def write(official: OfficialList, second: System) -> tuple[bytes, tuple[Finding, ...]]:
    """Return the list as JSON; *second* does not matter, since it holds all systems."""
    del second
    return (json.dumps(as_json(official), indent=1, ensure_ascii=False) + "\n").encode(errors="replace"), ()


def as_json(official: OfficialList) -> dict[str, Any]:
    """Return the list as a JSON object; ``provisional_games`` is null where a rating is established."""
    return {
        "format": FORMAT,
        "problems": [],
        "federation": official.federation,
        "month": official.month,
        "cut_off": official.cut_off.isoformat(),
        "members": [
            {
                "id": member.id,
                "name": member.name,
                "state": member.state,
                "expires": None
                if member.expires is None
                else "life"
                if member.expires == LIFE
                else member.expires.isoformat(),
                "ratings": {
                    system.value: {"rating": rating.rating, "provisional_games": rating.games}
                    for system, rating in member.ratings.items()
                },
            }
            for member in official.members
        ],
    }
