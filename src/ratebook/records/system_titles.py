"""What systems are called: by US Chess, or by the federation whose book is read."""

from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from types import MappingProxyType

from ratebook.model import System

USUAL_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "regular": "OTB Regular",
        "quick": "OTB Quick",
        "blitz": "OTB Blitz",
        "online-regular": "Online Regular",
        "online-quick": "Online Quick",
        "online-blitz": "Online Blitz",
    }
)
OWN_TITLES: ContextVar[Mapping[str, str]] = ContextVar("OWN_TITLES", default=MappingProxyType({}))
"""The names that the federation gives to its systems, as far as it does; reading its profile sets them."""
OWN_SYSTEMS: ContextVar[Sequence[System]] = ContextVar("OWN_SYSTEMS", default=tuple(System))
"""The systems that the federation rates; reading its profile sets them."""


class SystemTitles(Mapping[str, str]):
    """The title of any system, as pages and tables of the federation show it; those that it rates, one by one."""

    def __getitem__(self, system: str) -> str:
        return OWN_TITLES.get().get(system) or USUAL_TITLES[system]

    def __iter__(self) -> Iterator[str]:
        return iter(OWN_SYSTEMS.get())

    def __len__(self) -> int:
        return len(OWN_SYSTEMS.get())


class SystemChoices(Sequence[tuple[System, str]]):
    """Systems with their titles, as a form offers them: all, or those that the federation rates."""

    def __init__(self, *, rated: bool = False) -> None:
        self.rated = rated

    def __getitem__(self, place):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204 - a place or a slice
        systems = OWN_SYSTEMS.get() if self.rated else System
        return [(system, SYSTEM_TITLES[system]) for system in systems][place]

    def __len__(self) -> int:
        return len(OWN_SYSTEMS.get() if self.rated else System)


SYSTEM_TITLES = SystemTitles()
SYSTEM_CHOICES = SystemChoices()
RATED_CHOICES = SystemChoices(rated=True)


@lru_cache(maxsize=4)
def own_titles(text: str) -> Mapping[str, str]:
    """Return the names of systems in a setting of the profile.

    Raises:
        ValueError: a part is no system with its name, or two systems have one name.

    >>> dict(own_titles("regular=Classical, quick=Rapid"))
    {'regular': 'Classical', 'quick': 'Rapid'}
    """
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    titles = {system.strip(): title.strip() for system, _, title in parts}
    shown = {**USUAL_TITLES, **titles}
    fits = len(titles) == len(parts) and titles.keys() <= USUAL_TITLES.keys() and all(titles.values())
    if not fits or len(set(shown.values())) < len(shown):
        raise ValueError(text)
    return MappingProxyType(titles)
