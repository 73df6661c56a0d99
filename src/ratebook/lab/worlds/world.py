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
    """A simulated federation.

    Attributes:
        seed: the same settings and seed give the same bytes.
        first_year, years: of play; each year begins on January 1.
        members: at the beginning.
        arrivals: new members a year, all unrated.
        leaving, leaving_children: share of the members who leave in a year, and of those who came as children.
        children: share of children among those who arrive, and half of it at the beginning.
        strength, spread: of adults, rating points: mean and standard deviation.
        growth: rating points that a child gains until grown up, on average; half as many to half as many more.
        growing: share of what is left of it that a child gains in a year.
        walk: standard deviation of a random walk, rating points a year.
        step, stepping: rating points of a sudden change, and the share of members who have one in a year.
        decline: rating points a year from the age of 50.
        events: sections that a member wants to enter in a year, on average; some want three times as many. One or two
            in a hundred come to nothing: no one enters an event twice, and three players are too few for a section.
        regions: members play where they live.
        dual, quick: shares of the events that are dual-rated, and rated as OTB Quick alone.
        draws: of games between equals, the share that is drawn; the expectation is exact whatever it is.
        error: standard deviation of the ratings by which sections are formed and paired, rating points.
        fide: share of members of 2000 and more who have a FIDE rating.
        openings: with which ratings the first members begin.
        white: what White has more, rating points.
    """

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
BOUNDS: dict[str, tuple[float, float]] = {
    "seed": (0, 2**63 - 1),
    "first_year": (2001, 2100),
    "years": (1, 60),
    "members": (8, 2_000_000),
    "arrivals": (0, 500_000),
    "leaving": (0.0, 0.95),
    "leaving_children": (0.0, 0.95),
    "children": (0.0, 1.0),
    "strength": (500.0, 2500.0),
    "spread": (0.0, 600.0),
    "growth": (0.0, 2000.0),
    "growing": (0.0, 1.0),
    "walk": (0.0, 500.0),
    "step": (-1000.0, 1000.0),
    "stepping": (0.0, 1.0),
    "decline": (0.0, 100.0),
    "events": (0.1, 30.0),
    "regions": (1, 10_000),
    "dual": (0.0, 1.0),
    "quick": (0.0, 1.0),
    "draws": (0.0, 1.0),
    "error": (0.0, 500.0),
    "fide": (0.0, 1.0),
    "white": (0.0, 200.0),
}
"""The lowest and the highest value of each setting that is a number."""


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
    if name not in BOUNDS:
        return finding("world-not-read.name", at, names=", ".join((*BOUNDS, "openings", "preset")))
    whole = isinstance(World._field_defaults[name], int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return finding(
            "world-not-read.number", at, value=str(value), kind="a whole number" if whole else "a number"
        )
    low, high = BOUNDS[name]
    if not low <= value <= high:
        # Whole numbers have any size.
        shown = f"{min(max(value, -LARGEST), LARGEST):g}"
        return finding("world-not-read.bounds", at, value=shown, low=f"{low:g}", high=f"{high:g}")
    return None
