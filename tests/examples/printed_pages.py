"""A printed explanation, read back: its figures by step and name, its games, its rules."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

GAME = re.compile(
    r" +(?P<round>\d+) +(?P<score>\S+) +(?P<faced>-?\d+\.\d{4}) +(?P<expected>\d\.\d{6})  .* \(seat (?P<seat>\d+)\)"
)
FIGURE = re.compile(r"    (?P<name>\S.*?)  +(?P<value>\S.*)")
RULE = re.compile(r"    rule (?P<name>\w+) = (?P<value>\S+) \(.+\)(  \[inferred\])?")


class Game(NamedTuple):
    """A line of a table of games."""

    seat: int
    score: float
    faced: float
    expected: float


class Step(NamedTuple):
    """A step as it is printed: text, figures by name, games."""

    text: str
    figures: dict[str, float | str]
    games: list[Game]

    def number(self, name: str) -> float:
        """Return the figure *name*, which must be a number."""
        value = self.figures[name]
        assert isinstance(value, float), f"{name} = {value}"
        return value


class Page(NamedTuple):
    """A printed explanation: title, the short form, the steps by title, all rules by name."""

    title: str
    short: str
    steps: dict[str, Step]
    rules: dict[str, float | str]

    def rule(self, name: str) -> float:
        """Return the number of the rule *name*, which must be on the page."""
        value = self.rules[name]
        if value == "unlimited":
            return math.inf
        assert isinstance(value, float), f"{name} = {value}"
        return value

    def step(self, beginning: str) -> Step:
        """Return the step whose title has this *beginning*."""
        return next(step for title, step in self.steps.items() if title.startswith(beginning))


def parsed(value: str) -> float | str:
    """Return a number as such, a word as it is."""
    try:
        return float(value)
    except ValueError:
        return value


def read_page(lines: Iterable[str]) -> Page:
    """Return the explanation that *lines* print."""
    title, *rest = lines
    head, *blocks = "\n".join(rest).split("\n\n")
    steps: dict[str, Step] = {}
    rules: dict[str, float | str] = {}
    for block in blocks:
        name, *body = block.strip("\n").split("\n")
        step = Step("\n".join(line for line in body if not line.startswith("    ")), {}, [])
        for line in body:
            if found := RULE.fullmatch(line):
                value = parsed(found["value"])
                assert rules.setdefault(found["name"], value) == value, line
            elif found := GAME.fullmatch(line):
                numbers = (float(found[part]) for part in ("score", "faced", "expected"))
                step.games.append(Game(int(found["seat"]), *numbers))
            elif line.startswith("    ") and not line.startswith("    round "):
                figure = FIGURE.fullmatch(line)
                assert figure is not None, line
                assert figure["name"] not in step.figures, line
                step.figures[figure["name"]] = parsed(figure["value"])
        assert name not in steps, name
        steps[name] = step
    return Page(title, head, steps, rules)


def games_of(start: Step, name: str) -> float:
    """N, infinite where only the status is known."""
    value = start.figures[name]
    return math.inf if value == "established" else start.number(name)
