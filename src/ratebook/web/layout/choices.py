"""What one chooses from: pages of a side bar, the systems of a section."""

from collections.abc import Sequence
from typing import NamedTuple

from ratebook.records.events import Crosstable
from ratebook.records.system_titles import SYSTEM_TITLES


class MenuItem(NamedTuple):
    """A place that can be chosen: what it is called, whether one is there, and how much waits there."""

    title: str
    address: str
    is_here: bool
    waiting: int = 0


def system_choice(crosstables: Sequence[Crosstable], shown: Crosstable | None) -> tuple[MenuItem, ...]:
    """Return the systems that rate a section, of which one is shown; nothing where there is no choice."""
    if len(crosstables) < 2:  # noqa: PLR2004 - of one, nothing can be chosen
        return ()
    return tuple(
        MenuItem(SYSTEM_TITLES[each.system], f"?system={each.system}", each is shown) for each in crosstables
    )
