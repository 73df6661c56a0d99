"""Addresses of pages, said once: routes, tables and graphs have them from here."""

from ratebook.model import System
from ratebook.web.routing import Address, part

PLAYER_PAGE = Address("/players/{member:str}")
HISTORY_PAGE = Address(f"{PLAYER_PAGE}/history")
PLAYER_CHANGES_PAGE = Address(f"{PLAYER_PAGE}/changes")
PLAYER_FEED = Address(f"{PLAYER_PAGE}/feed.atom")
OPPONENTS_PAGE = Address(f"{PLAYER_PAGE}/opponents")
AGAINST_PAGE = Address(f"{PLAYER_PAGE}/against/{{other:str}}")
COMPARE_PAGE = Address(f"{PLAYER_PAGE}/compare")
OFFICIAL_PAGE = Address(f"{PLAYER_PAGE}/lists")
WHY_PAGES = Address(f"{PLAYER_PAGE}/why/")
WHY_PAGE = Address(f"{WHY_PAGES}{{event:str}}/{{number:int}}")
EVENT_PAGE = Address("/events/{event_id:str}")
SECTION_PAGE = Address(f"{EVENT_PAGE}/{{number:int}}")
EVENT_CHANGES_PAGE = Address(f"{EVENT_PAGE}/changes")
RULES_PAGE = Address("/rules/{day:date}")
LIST_PAGE = Address("/lists/{month:str}")
LIST_FILE = Address(f"{LIST_PAGE}/files/{{kind:str}}")
RANKING_PAGE = Address("/rankings/{system:str}")
LISTS_AGAINST = Address("/lists/{earlier:str}/against/{later:str}")
DATA_FILE = Address("/api/v1/data/{data_file:str}")
TITLES_PAGE = Address("/titles")


def player_anchor(member: str) -> str:
    """Return by what links lead to the line of a player in a ranking or a list."""
    return f"player-{part(member)}"


def why_page(member: str, event: str | None, section: int | None, system: System) -> str:
    """Return the page that explains a rating; empty where a decision moved it, which no section explains."""
    return "" if event is None or section is None else WHY_PAGE(member, event, section, system=system)
