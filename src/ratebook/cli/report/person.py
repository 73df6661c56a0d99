"""Which seats of rated sections a person has, by id or by name as people type it."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ratebook.cli.show import fail_with
from ratebook.findings import Place, list_text
from ratebook.player_lists.names import name_key
from ratebook.rating.results import RatedSection

_SHOWN = 12


def is_called(name: str, sought: str) -> bool:
    """Return whether each word of *sought* begins a word of *name*, in any order, without accents and case.

    >>> is_called("García López, Sam", "sam garcia"), is_called("Garcia, Sam", "ana")
    (True, False)
    """
    words = name_key(name).split()
    beginnings = name_key(sought).split()
    return bool(beginnings) and all(any(word.startswith(part) for word in words) for part in beginnings)


def _is_near(name: str, sought: str) -> bool:
    """Return whether each word of *sought* is nearly a word of *name*."""
    words = name_key(name).split()
    return all(get_close_matches(part, words, 1) for part in name_key(sought).split())


def player_asked_for(sections: Sequence[RatedSection], person: str) -> str:
    """Return the key of the one player with the id or the name of a *person*; end with status 1 where it is not one."""
    names = {
        entry.player: section.facts[entry.player].name for section in sections for entry in section.entries
    }
    if person.strip() in names:
        return person.strip()
    matching = [key for key, name in names.items() if is_called(name, person)]
    exact = [key for key in matching if name_key(names[key]) == name_key(person)]
    players = exact or matching
    if not players:
        near = [f"{name!r}" for name in names.values() if _is_near(name, person)][:_SHOWN]
        code = "person-unknown.near" if near else "person-unknown.at-all"
        fail_with(code, Place(option=f"--who {person}"), asked=person, near=list_text(near))
    if len(players) > 1:
        seats = _listed(sections, players)
        fail_with("person-ambiguous", Place(option=f"--who {person}"), asked=person, seats=seats)
    return players[0]


def _listed(sections: Iterable[RatedSection], keys: Sequence[str]) -> str:
    places = {
        f"section {rated.section.number}, seat {entry.seat}: {rated.facts[entry.player].name}": None
        for rated in sections
        for entry in rated.entries
        if entry.player in keys
    }
    shown = list(places)[:_SHOWN]
    return "; ".join(shown) + (f" and {len(places) - len(shown)} more" if len(places) > len(shown) else "")
