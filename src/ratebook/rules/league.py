"""Rules of a league whose formula is not that of US Chess, as a file (docs/rules/other-federations.md)."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ratebook.model import System
from ratebook.rules.timeline import OFF_WORD


class LeagueRules(NamedTuple):
    """The shapes in which a league differs.

    Attributes:
        since: the first day.
        steps: the table of K, as `k_steps` reads it.
        first_rating: everyone's first rating; None: as US Chess finds it.
        bonus: the bonus multiplier, or ``off``.
        floor: the lowest rating; no other floor is kept.
        has_one_system: every time control is rated in the regular system.
        others: other rules and their values.
    """

    since: date
    steps: str
    first_rating: str | None = None
    bonus: str = OFF_WORD
    floor: str = "0"
    has_one_system: bool = False
    others: Mapping[str, str] = {}


def league_rules_text(league: LeagueRules) -> str:
    r"""Return the rules of a league as TOML; `check_overlay` says whether they can rate.

    >>> print(league_rules_text(LeagueRules(date(2026, 1, 1), "50")).split("\n\n")[1])
    [[absolute_floor.values]]
    from = 2026-01-01
    is = 0
    """
    values = dict(_values(league)) | {name: _toml(value) for name, value in league.others.items()}
    tables = (
        f"[[{_key(name)}.values]]\nfrom = {league.since}\nis = {value}\n"
        for name, value in sorted(values.items())
    )
    return "\n".join(["# Made by ratebook rules new; what is not here is as US Chess has it.\n", *tables])


def _values(league: LeagueRules) -> Iterator[tuple[str, str]]:
    """Yield rules and their values as TOML, which more keys of the entry may follow."""
    for number, step in enumerate(k_steps(league.steps), start=1):
        yield f"plain_k_{number}", step
    yield from (
        (name, '"off"') for name in ("special_most_games", "personal_floor", "peak_floor", "olm_floor")
    )
    yield "opponent_ratings", '"before"'
    yield "bonus_multiplier", _toml(league.bonus)
    yield "absolute_floor", _toml(league.floor)
    if league.first_rating is not None:
        yield "initial_method", '"constant"'
        yield "initial_constant", _toml(league.first_rating)
        yield "established_above_games", "0"
    if league.has_one_system:
        others = ", ".join(f'"{system}"' for system in System if system is not System.REGULAR)
        yield "main_time_least", '"off"'
        yield "system_exists", f"0\nsystems = [{others}]"
        yield "time_control", '{ least = 5, most = "unlimited" }\nsystems = ["regular"]'


def k_steps(text: str) -> list[str]:
    """Return the steps of a table of K as TOML, the first one first.

    >>> k_steps("40:age-below-18:rating-below-2300 20")
    ['{ k = 40, age_below = 18, rating_below = 2300 }', '{ k = 20 }']
    """
    steps = []
    for step in text.split():
        k, *conditions = step.split(":")
        words = (word.rpartition("-") for word in conditions)
        fields = {"k": k} | {name.replace("-", "_"): value for name, _, value in words}
        pairs = ", ".join(f"{_key(name)} = {_toml(value)}" for name, value in fields.items())
        steps.append(f"{{ {pairs} }}")
    return steps


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else json.dumps(name)


def _toml(value: str) -> str:
    """Return a number as TOML, and anything else as a text.

    >>> _toml("32"), _toml("0.5"), _toml("Off")
    ('32', '0.5', '"off"')
    """
    try:
        return repr(float(value)).removesuffix(".0")
    except ValueError:
        return json.dumps(value.strip().lower())
