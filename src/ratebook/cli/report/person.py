"""Which seats of rated sections a person has, by id or by name as people type it."""

from collections.abc import Iterable, Sequence

from ratebook.cli.show import fail_with
from ratebook.findings import Place
from ratebook.player_lists.names import name_key
from ratebook.rating.results import RatedSection

_SHOWN = 12


def is_called(name: str, asked: str) -> bool:
    """Return whether each word *asked* begins a word of *name*, in any order, without accents and case.

    >>> is_called("García López, Sam", "sam garcia"), is_called("Garcia, Sam", "ana")
    (True, False)
    """
    words = name_key(name).split()
    sought = name_key(asked).split()
    return bool(sought) and all(any(word.startswith(one) for word in words) for one in sought)


def player_asked_for(sections: Sequence[RatedSection], asked: str) -> str:
    """Return the key of the one player with the id or the name *asked*; end with status 1 where it is not one."""
    names = {entry.player: one.facts[entry.player].name for one in sections for entry in one.entries}
    if asked.strip() in names:
        return asked.strip()
    found = [key for key, name in names.items() if is_called(name, asked)]
    exact = [key for key in found if name_key(names[key]) == name_key(asked)]
    found = exact or found
    if not found:
        fail_with("person-unknown", Place(option=f"--who {asked}"), asked=asked)
    if len(found) > 1:
        fail_with(
            "person-ambiguous", Place(option=f"--who {asked}"), asked=asked, seats=_listed(sections, found)
        )
    return found[0]


def _listed(sections: Iterable[RatedSection], keys: Sequence[str]) -> str:
    places = {
        f"section {one.section.number}, seat {entry.seat}: {one.facts[entry.player].name}": None
        for one in sections
        for entry in one.entries
        if entry.player in keys
    }
    shown = list(places)[:_SHOWN]
    return "; ".join(shown) + (f" and {len(places) - len(shown)} more" if len(places) > len(shown) else "")
