"""What a study varies, in words: the rules of its variants, and the settings of its simulated federation."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import Cells
from ratebook.lab.worlds.world import OPENINGS, SETTINGS, SHARE
from ratebook.pages.columns import number_text
from ratebook.pages.rules import PartChange, VariedRule, systems_in_words, varied_rules
from ratebook.rules.rulebook import Rulebook, load_rulebook


class VariantRules(NamedTuple):
    """A variant, and each of its rules that is other than the baseline's, or the timeline's for the baseline."""

    name: str
    is_baseline: bool
    is_competitor: bool
    rules: tuple[VariedRule, ...]


def rules_in_words(lock: Lock, cells: Cells) -> Iterator[VariantRules]:
    """Yield the variants of a study with what differs in the years that it rates."""
    years = [row.year for row in next(iter(cells.values()))[0].level] or [load_rulebook().first_day.year]
    since, until = date(years[0], 1, 1), date(years[-1], 12, 31)
    rulebooks = [_rulebook(variant["rules"]) for variant in lock.contents["variants"]]
    for number, (variant, rules) in enumerate(zip(lock.variants, rulebooks, strict=True)):
        first = rulebooks[0] if number else load_rulebook()
        varied = () if variant.is_competitor else tuple(varied_rules(first, rules, since, until))
        yield VariantRules(variant.name, not number, variant.is_competitor, varied)


def _rulebook(rules: Sequence[Mapping[str, Any]]) -> Rulebook:
    """Return the timeline with the values that a lock has of a variant."""
    overlay: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for rule in rules:
        value = {"from": date.fromisoformat(rule["from"]), "is": rule["is"], "systems": rule["systems"]}
        overlay.setdefault(rule["rule"], {"values": []})["values"].append(value)
    return load_rulebook().with_overlay_file(overlay) if overlay else load_rulebook()


def words_of_rule(rule: VariedRule) -> str:
    """Return what a rule is instead of what.

    >>> from ratebook.model import System
    >>> from ratebook.pages.rules import PartChange
    >>> part = PartChange("", "10", "14 rating points")
    >>> words_of_rule(VariedRule("Bonus multiplier", "", None, None, tuple(System), (part,)))
    'Bonus multiplier: 14 instead of 10 rating points'
    """
    parts = ", ".join(_words_of_part(part) for part in rule.parts)
    since = f" from {rule.since}" if rule.since else ""
    until = f" to {rule.until}" if rule.until else ""
    systems = (
        "" if systems_in_words(rule.systems) == "All systems" else f" ({systems_in_words(rule.systems)})"
    )
    return f"{rule.title}{systems}{since}{until}: {parts}"


def _words_of_part(part: PartChange) -> str:
    value, _, unit = part.second.partition(" ")
    if not part.name and part.first.replace(".", "").isdigit():
        return f"{value} instead of {part.first} {unit}".strip()
    return f"{part.name.lower()} {part.second} instead of {part.first}".strip()


def settings_in_words(world: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the settings of a simulated federation: what each is, and its value with its unit.

    >>> settings_in_words({"leaving": 0.15, "step": 80.0})
    [('members who leave in a year', '15 %'), ('a sudden change of a strength', '80 points')]
    """
    words = []
    for name, value in world.items():
        setting = SETTINGS.get(name, OPENINGS)
        is_share = setting.unit == SHARE
        figure = value if isinstance(value, str) else number_text(value * 100.0 if is_share else float(value))
        words.append((setting.what, f"{figure} {setting.unit}".strip()))
    return words
