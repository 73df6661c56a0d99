"""Addresses of pages, said once: handlers, tables and graphs lead there."""

from datetime import date

from litestar.params import FromPath

from ratebook.model import System
from ratebook.web.routing import part


def player_page(member: FromPath[str]) -> str:
    """Return the address of a player."""
    return f"/players/{part(member)}"


def event_page(event: FromPath[str]) -> str:
    """Return the address of an event."""
    return f"/events/{part(event)}"


def section_page(event: FromPath[str], number: FromPath[int]) -> str:
    """Return the address of a section's crosstable."""
    return f"/events/{part(event)}/{number}"


def why_page(
    member: FromPath[str], event: FromPath[str], number: FromPath[int], system: System | None
) -> str:
    """Return the address of the explanation of a rating, in one system or all."""
    return f"/players/{part(member)}/why/{part(event)}/{number}" + (
        "" if system is None else f"?system={system}"
    )


def history_of(member: FromPath[str]) -> str:
    """Return the address of all rated sections of a player."""
    return f"/players/{part(member)}/history"


def player_changes_page(member: FromPath[str]) -> str:
    """Return the address of what was changed in a player's ratings."""
    return f"/players/{part(member)}/changes"


def player_feed(member: FromPath[str]) -> str:
    """Return the address of the feed of a player."""
    return f"/players/{part(member)}/feed.atom"


def event_changes_page(event: FromPath[str]) -> str:
    """Return the address of what was changed in an event."""
    return f"/events/{part(event)}/changes"


def opponents_page(member: FromPath[str]) -> str:
    """Return the address of whom a player has met."""
    return f"/players/{part(member)}/opponents"


def against_page(member: FromPath[str], other: FromPath[str]) -> str:
    """Return the address of the games of two players against each other."""
    return f"/players/{part(member)}/against/{part(other)}"


def rules_page(day: FromPath[date]) -> str:
    """Return the address of the rules of a day."""
    return f"/rules/{day.isoformat()}"


def list_of(month: FromPath[str]) -> str:
    """Return the address of an official list."""
    return f"/lists/{month}"


def lists_against(earlier: FromPath[str], later: FromPath[str]) -> str:
    """Return the address of what differs between two official lists."""
    return f"/lists/{earlier}/against/{later}"


def file_of_list(month: FromPath[str], name: FromPath[str]) -> str:
    """Return the address of an official list as a file of a format."""
    return f"/lists/{month}/files/{name}"


def official_page(member: FromPath[str]) -> str:
    """Return the address of a player's official ratings month by month."""
    return f"/players/{part(member)}/lists"


def title_page(code: str) -> str:
    """Return the address of those who have a title."""
    return f"/titles?level={code}"
