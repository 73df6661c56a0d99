"""The rulebook: which numbers rate a section of a system on a day, and where each comes from.

>>> from datetime import date
>>> rulebook = load_rulebook()
>>> rulebook.in_force(System.REGULAR, date(2025, 6, 1)).bonus_multiplier
10.0
>>> rulebook.value("bonus_multiplier", System.REGULAR, date(2025, 6, 1)).document
'E25'
"""

from bisect import bisect_right
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache

from ratebook.model import System
from ratebook.rules import in_force
from ratebook.rules.in_force import RulesInForce
from ratebook.rules.loading import check_rules, documents_in, parse_files, read_contents, rules_in
from ratebook.rules.overlays import OVERLAY_DOCUMENT, overlaid_rules, rules_with_settings
from ratebook.rules.snapshot import TIMELINE, Contents, StrPath, contents_of_text, text_of_contents
from ratebook.rules.stored_timeline import completed, with_later_keys
from ratebook.rules.timeline import (
    END_WORD,
    LIST_FIELDS,
    DatedValue,
    Document,
    Rule,
    RulebookError,
    RuleNotKnown,
    close_matches,
    entry_of_value,
    fields_of_rule,
    number_of_entry,
    numbers_of_value,
    word_of_number,
)

__all__ = [
    "DatedValue", "Document", "Rule", "RuleNotKnown", "Rulebook", "RulebookError", "as_json", "fingerprint",
    "load_rulebook", "read_rulebook", "rules_from_json", "rules_on",
]  # fmt: skip


class Rulebook:
    """All rules with all their dated values; immutable.

    Attributes:
        rules: the rules by name, in the order of the timeline files.
        documents: the documents that they cite, by code.
        first_day: the day from which every rule is known.
    """

    def __init__(self, rules: Mapping[str, Rule], documents: Mapping[str, Document]) -> None:
        check_rules(rules)
        self.rules = rules
        self.documents = documents
        self.first_day = min(value.since for rule in rules.values() for value in rule.values)
        self._rule_of_field = {field: name for name in rules for field in fields_of_rule(name)}
        self._change_dates: dict[System, tuple[date, ...]] = {}
        self._in_force: dict[tuple[System, date], RulesInForce] = {}

    def change_dates(self, system: System) -> tuple[date, ...]:
        """Return the days on which a dated value of *system* begins, in order.

        A value may repeat the one before where only its source is another.
        """
        dates = self._change_dates.get(system)
        if dates is None:
            days = {
                value.since
                for rule in self.rules.values()
                for value in rule.values
                if system in value.systems
            }
            dates = self._change_dates[system] = tuple(sorted(days))
        return dates

    def in_force(self, system: System, on: date) -> RulesInForce:
        """Return the numbers that rate a section of *system* that starts on that day.

        A day before the timeline raises `RuleNotKnown`.
        """
        dates = self.change_dates(system)
        place = bisect_right(dates, on)
        if place == 0:
            raise self._not_known(on)
        since = dates[place - 1]
        rules = self._in_force.get((system, since))
        if rules is None:
            rules = self._in_force[system, since] = self._resolve(system, since)
        return rules

    def _resolve(self, system: System, since: date) -> RulesInForce:
        numbers: dict[str, float] = {}
        for rule in self.rules.values():
            numbers.update(numbers_of_value(rule.name, self._dated_value(rule, system, since).value))
        rules = RulesInForce._make(numbers[field] for field in RulesInForce._fields)
        # Only an overlay can bring this about: a blend without its numbers would rate with -1.
        if rules.initial_method == in_force.BLEND and in_force.OFF in (
            rules.blend_most_games,
            rules.age_rating_plain_least,
        ):
            raise RulebookError(
                f"Rule initial_method, {since}: the blend is in force for {system}, but blend_most_games,"
                " blend_staleness_rate, blend_strength, blend_factor or age_rating is off."
                " Give these rules values from the same day."
            )
        check_league_rules(rules, f"{since}, {system}")
        return rules

    def value(self, name: str, system: System, on: date) -> DatedValue:
        """Return the dated value of a rule, or of one field of a rule, that holds on that day.

        A day before the timeline raises `RuleNotKnown`, an unknown name `RulebookError`.
        """
        if on < self.first_day:
            raise self._not_known(on)
        rule = self.rules.get(name)
        if rule is not None:
            return self._dated_value(rule, system, on)
        rule = self.rules[self.rule_of_field(name)]
        dated = self._dated_value(rule, system, on)
        return dated._replace(value=entry_of_value(rule.name, name, dated.value))

    def rule_of_field(self, field: str) -> str:
        """Return the name of the rule that fills *field* of `RulesInForce`.

        >>> load_rulebook().rule_of_field("peak_floor_drop")
        'peak_floor'
        """
        try:
            return self._rule_of_field[field]
        except KeyError:
            known = (*self.rules, *self._rule_of_field)
            raise RulebookError(
                f"There is no rule or field {field[:80]!r}.{close_matches(field, known)}"
            ) from None

    def with_overlay(self, changes: Mapping[str, str | float]) -> "Rulebook":
        """Return this rulebook with some values set for all systems and days ("what if B had stayed 14").

        A name is a field, or a scalar or list rule, or a table rule that is set to ``off``. One field of a
        table is set wherever its rule is in force; where the rule is off, it stays off. An unknown name or a value that
        does not fit raises `RulebookError`.

        >>> what_if = load_rulebook().with_overlay({"bonus_multiplier": "14"})
        >>> what_if.in_force(System.QUICK, date(2025, 6, 1)).bonus_multiplier
        14.0
        """
        return self._with_rules(rules_with_settings(self.rules, self.first_day, changes))

    def with_overlay_file(self, source: StrPath | Mapping[str, object]) -> "Rulebook":
        """Return this rulebook with the dated values of a file in the format of the timeline.

        *source* is its path or its parsed text. For every system that it names, the values replace those of the rule
        from the first given day on; values of earlier days are kept. A value needs only ``from`` and ``is``. A file
        that cannot be read, and a wrong name or value, raise `RulebookError`.
        """
        return self._with_rules(overlaid_rules(self.rules, self.first_day, source))

    @property
    def overlaid(self) -> bool:
        """Whether the rulebook has what-if values."""
        return OVERLAY_DOCUMENT.code in self.documents

    @property
    def overlay_values(self) -> list[tuple[str, DatedValue]]:
        """The dated values of overlays, each with the name of its rule."""
        return [
            (name, value)
            for name, rule in self.rules.items()
            for value in rule.values
            if value.document == OVERLAY_DOCUMENT.code
        ]

    def check_resolves(self) -> None:
        """Resolve every system on every day of change, so that a wrong what-if is found before it rates.

        Rules that cannot rate raise `RulebookError`.
        """
        for system in System:
            for since in self.change_dates(system):
                self.in_force(system, since)

    def _with_rules(self, rules: Mapping[str, Rule]) -> "Rulebook":
        return Rulebook(rules, {**self.documents, OVERLAY_DOCUMENT.code: OVERLAY_DOCUMENT})

    def _dated_value(self, rule: Rule, system: System, on: date) -> DatedValue:
        # check_rules has proved that the values of a system rise by date and begin on the first day.
        holding = None
        for dated in rule.values:
            if dated.since <= on and system in dated.systems:
                holding = dated
        if holding is None:
            raise self._not_known(on)
        return holding

    def _not_known(self, on: date) -> RuleNotKnown:
        return RuleNotKnown(
            f"The rules are known from {self.first_day} on; {on} is earlier."
            " For those of 1995 there is ratebook estimate --edition 1995."
        )


def check_league_rules(rules: RulesInForce, place: str) -> None:
    """Refuse rules of a federation's own shape that would rate with a number that stands for off.

    Rules that cannot rate raise `RulebookError`.
    """
    if rules.initial_method == in_force.CONSTANT and rules.initial_constant == in_force.OFF:
        raise RulebookError(
            f"Rule initial_method, {place}: first ratings are a constant, but initial_constant is off."
            " Give it a value from the same day."
        )
    steps = [
        tuple(getattr(rules, field) for field in fields_of_rule(f"plain_k_{step}"))
        for step in range(1, in_force.K_STEPS + 1)
    ]
    filled = [step for step in steps if step[0] != in_force.OFF]
    if not filled:
        return
    if steps[: len(filled)] != filled:
        raise RulebookError(
            f"Rules plain_k, {place}: a step is off before one that is not. Number the steps from plain_k_1 on."
        )
    if any(condition != in_force.OFF for condition in filled[-1][1:]):
        raise RulebookError(
            f"Rule plain_k_{len(filled)}, {place}: the last step of the table of K must hold for everyone."
            " Leave its conditions out, or add a step."
        )


@cache
def load_rulebook() -> Rulebook:
    """Return the rulebook that ships with the program; read and checked once."""
    return read_rulebook(TIMELINE)


def rules_on(day: str, system: str = "regular") -> RulesInForce:
    """Return the rules of *system* on a day written YYYY-MM-DD (for notebooks, examples and tests).

    >>> rules_on("2016-02-01").bonus_multiplier
    12.0
    """
    return load_rulebook().in_force(System(system), date.fromisoformat(day))


def read_rulebook(folder: StrPath) -> Rulebook:
    """Return the rulebook of the timeline files in *folder*; a wrong file raises `RulebookError`."""
    return _rulebook_of(read_contents(folder))


def timeline_text() -> str:
    """Return the timeline that ships with the program as one text, for a book that adopts it."""
    return text_of_contents(read_contents(TIMELINE))


@lru_cache(maxsize=4)
def rulebook_of_text(timeline: str, overlay: str = "") -> Rulebook:
    """Return the rulebook of a *timeline* that `timeline_text` gave, with an *overlay* file's TOML laid over it.

    It is read once per program, since books need the same one again and again.

    Both may be of an older version of the program: what they do not know is off. One that is wrong, or of a newer
    version, raises `RulebookError`.
    """
    return _overlaid(_rulebook_of(completed(contents_of_text(timeline))), with_later_keys(_parsed(overlay)))


def check_overlay(overlay: str) -> None:
    """Refuse, by a `RulebookError`, a new overlay file's text that leaves out what it must say or cannot rate."""
    _overlaid(load_rulebook(), _parsed(overlay)).check_resolves()


def added_overlay(overlay: str, added: str) -> str:
    """Return an overlay file's text to which another one was *added*: rules that both name have the added values.

    Texts that are no overlay raise `RulebookError`.
    """
    import tomli_w  # noqa: PLC0415 - only where a book adopts rules

    before = _parsed(overlay)
    after = {**before, **_parsed(added)}
    return overlay if after == before else tomli_w.dumps(after)


def _parsed(overlay: str) -> dict[str, object]:
    return parse_files({"overlay": overlay.encode()})["overlay"]


def _overlaid(rulebook: Rulebook, overlay: Mapping[str, object]) -> Rulebook:
    return rulebook.with_overlay_file(overlay) if overlay else rulebook


def _rulebook_of(contents: Contents) -> Rulebook:
    documents = documents_in(contents)
    return Rulebook(rules_in(contents, documents), documents)


def fingerprint(rules: RulesInForce) -> str:
    """Return 16 hex digits that differ whenever a number differs; a rated row stores them.

    The beginning of the SHA-256 of one line ``field=value`` per field, in the order of the fields. A field that a later
    version added is left out where it is off, so that the fingerprint is the one that older versions stored.
    """
    import hashlib  # noqa: PLC0415 - start-up loads it only when needed

    text = "".join(f"{field}={float(getattr(rules, field))!r}\n" for field in in_force.stated_fields(rules))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def as_json(rules: RulesInForce) -> dict[str, float | int | str]:
    """Return the rules as JSON can hold them: off, unlimited and variants are words, whole numbers have no point."""
    return {field: word_of_number(field, value) for field, value in rules._asdict().items()}


def stored_json(rules: RulesInForce) -> dict[str, float | int | str]:
    """Return the rules as a book stores them; a later field that is off is left out, for older versions."""
    shown = as_json(rules)
    return {field: shown[field] for field in in_force.stated_fields(rules)}


def rules_from_json(fields: Mapping[str, object]) -> RulesInForce:
    """Return the rules that this or an older version stored; the inverse of `as_json` and `stored_json`.

    A field that is missing although every version has it, is not known or has a wrong value raises `RulebookError`.
    """
    unknown = [field for field in fields if field not in RulesInForce._fields]
    if unknown:
        raise RulebookError(f"Stored rules: the fields {', '.join(unknown)} are not known here.")
    try:
        return RulesInForce._make(_stored_number(field, fields) for field in RulesInForce._fields)
    except ValueError as failure:
        raise RulebookError(f"Stored rules: {failure}") from failure


def _stored_number(field: str, fields: Mapping[str, object]) -> float:
    if field not in fields:
        off = in_force.off_value(field)
        if off is None:
            raise ValueError(f"{field} is missing.")
        return off
    entry = fields[field]
    if entry == END_WORD and field in LIST_FIELDS:
        return in_force.CLAUSE_END
    return number_of_entry(field, entry)
