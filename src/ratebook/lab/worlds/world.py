"""What a simulated federation is like: settings with presets, in a TOML file or from Python."""

import tomllib
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from ratebook.findings import Finding, Place, finding


class Openings(StrEnum):
    """With which ratings the first members begin."""

    EXACT = "exact"
    """Their true strengths."""
    PUBLISHED = "published"
    """Ratings as they are published: late, and with an error."""


class World(NamedTuple):
    """A simulated federation; `SETTINGS` says what each setting is."""

    seed: int = 1
    first_year: int = 2004
    years: int = 9
    members: int = 3_000
    arrivals: int = 0
    leaving: float = 0.0
    leaving_children: float = 0.0
    children: float = 0.0
    strength: float = 1450.0
    spread: float = 330.0
    growth: float = 800.0
    growing: float = 0.3
    walk: float = 0.0
    step: float = 0.0
    stepping: float = 0.0
    decline: float = 0.0
    events: float = 6.0
    regions: int = 10
    dual: float = 0.2
    quick: float = 0.05
    draws: float = 0.25
    error: float = 90.0
    fide: float = 0.0
    openings: Openings = Openings.EXACT
    white: float = 0.0

    @property
    def first_day(self) -> date:
        """Return the first day of play."""
        return date(self.first_year, 1, 1)

    @property
    def everyone(self) -> int:
        """Return how many members there ever are."""
        return self.members + self.arrivals * self.years


PRESETS = {
    "still": World(),
    "school": World(
        members=1_800, arrivals=420, leaving=0.15, leaving_children=0.15, children=0.7, openings=Openings.PUBLISHED
    ),
    "drift": World(walk=60.0, step=120.0, stepping=0.05, openings=Openings.PUBLISHED),
    "federation": World(
        years=22,
        members=50_000,
        arrivals=25_000,
        leaving=0.2,
        leaving_children=0.5,
        children=0.67,
        walk=35.0,
        step=100.0,
        stepping=0.02,
        decline=8.0,
        events=4.15,
        regions=50,
        draws=0.33,
        fide=0.5,
        openings=Openings.PUBLISHED,
    ),
}  # fmt: skip
"""*still*: strengths are fixed, no one comes or goes. *school*: children improve, a third of the members is new.
*drift*: strengths walk. *federation*: all of it, 12 million games of 600,000 members from 2004 to 2025."""

LARGEST = 1e300
POINTS, A_YEAR, SHARE = "points", "points a year", "%"


class Setting(NamedTuple):
    """What a setting of a world is, its unit, and its lowest and highest value; that of a share is shown in percent."""

    what: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0


SETTINGS: Mapping[str, Setting] = {
    "seed": Setting(
        "number from which everything is drawn; the same one gives the same bytes", "", 0, 2**63 - 1
    ),
    "first_year": Setting("first year of play", "", 2001, 2100),
    "years": Setting("play goes on for", "years", 1, 60),
    "members": Setting("members at the beginning", "", 8, 2_000_000),
    "arrivals": Setting("new members a year, all unrated", "", 0, 500_000),
    "leaving": Setting("members who leave in a year", SHARE, 0.0, 0.95),
    "leaving_children": Setting("the same of those who came as children", SHARE, 0.0, 0.95),
    "children": Setting("children among those who arrive, and half as many at the beginning", SHARE),
    "strength": Setting("mean strength of adults", POINTS, 500.0, 2500.0),
    "spread": Setting("standard deviation of their strengths", POINTS, 0.0, 600.0),
    "growth": Setting(
        "what a child gains until grown up; some half as much, some half as much more", POINTS, 0.0, 2000.0
    ),
    "growing": Setting("share of the rest of it that a child gains in a year", SHARE),
    "walk": Setting("standard deviation of a random walk of strengths", A_YEAR, 0.0, 500.0),
    "step": Setting("a sudden change of a strength", POINTS, -1000.0, 1000.0),
    "stepping": Setting("members who have one in a year", SHARE),
    "decline": Setting("loss of strength from the age of 50", A_YEAR, 0.0, 100.0),
    "events": Setting(
        "sections that a member enters, on average; some three times as many", "a year", 0.1, 30.0
    ),
    "regions": Setting("regions; members play where they live", "", 1, 10_000),
    "dual": Setting("events that are dual-rated", SHARE),
    "quick": Setting("events that are rated as OTB Quick alone", SHARE),
    "draws": Setting("draws in games between equals", SHARE),
    "error": Setting("standard deviation of the ratings by which players are paired", POINTS, 0.0, 500.0),
    "fide": Setting("members of 2000 or more who have a FIDE rating", SHARE),
    "white": Setting("advantage of White", POINTS, 0.0, 200.0),
}
"""Of all settings that are numbers. One or two sections in a hundred come to nothing: no one enters an event twice, and
three players are too few for a section."""
OPENINGS = Setting(
    "first members begin with ratings that are exact, or late and with an error as published ones are"
)


def read_world(text: str, where: str) -> World | tuple[Finding, ...]:
    """Return the world that a TOML file describes, or what is wrong with it."""
    try:
        return world_of(tomllib.loads(text), Place(file=where))
    except (ValueError, RecursionError) as failure:
        return (finding("world-not-read.toml", Place(file=where), failure=str(failure)),)


def world_of(described: Mapping[str, Any], place: Place) -> World | tuple[Finding, ...]:
    """Return the world of a ``preset`` and what differs from it, or what is wrong with that."""
    settings = dict(described)
    preset = str(settings.pop("preset", "still"))
    if preset not in PRESETS:
        return (finding("world-not-read.preset", place, preset=preset, presets=", ".join(PRESETS)),)
    wrong = [
        refusal
        for name, value in settings.items()
        if (refusal := _wrong(name.replace("-", "_"), value, place))
    ]
    if wrong:
        return tuple(wrong)
    changes: dict[str, Any] = {name.replace("-", "_"): value for name, value in settings.items()}
    if "openings" in changes:
        changes["openings"] = Openings(changes["openings"])
    world = PRESETS[preset]._replace(**changes)
    if world.dual + world.quick > 1.0:
        return (finding("world-not-read.shares", place),)
    return world


def _wrong(name: str, value: object, place: Place) -> Finding | None:
    at = place.inner(name)
    if name == "openings":
        words = [choice.value for choice in Openings]
        return (
            None
            if value in words
            else finding("world-not-read.choice", at, value=str(value), words=" or ".join(words))
        )
    if name not in SETTINGS:
        return finding("world-not-read.name", at, names=", ".join((*SETTINGS, "openings", "preset")))
    whole = isinstance(World._field_defaults[name], int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return finding(
            "world-not-read.number", at, value=str(value), kind="a whole number" if whole else "a number"
        )
    _, _, low, high = SETTINGS[name]
    if not low <= value <= high:
        # Whole numbers have any size.
        shown = f"{min(max(value, -LARGEST), LARGEST):g}"
        return finding("world-not-read.bounds", at, value=shown, low=f"{low:g}", high=f"{high:g}")
    return None
