"""Options that several commands share, and how their texts become values."""

import errno
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

import click

from ratebook.cli.command import Declared, option
from ratebook.cli.show import fail_with
from ratebook.findings import Place
from ratebook.model import System
from ratebook.rules.rulebook import Rulebook, RulebookError, RuleNotKnown, load_rulebook

MOST_WHOLE = 2**63 - 1
"""No store could even be asked for a greater number."""


class DayType(click.ParamType[date]):
    """A day written YYYY-MM-DD, or in any way that tables are read in; ``--day-order`` says what 10/4/2026 is."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:  # noqa: ANN401 - any value of that kind
        """Return the day, or end with a usage error."""
        if isinstance(value, date):
            return value
        from ratebook.formats.reading.fields import EARLIEST_YEAR, LATEST_YEAR, parse_day  # noqa: PLC0415 - start-up

        day = parse_day(value) or self._other_day(value, param, ctx)
        if not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
            self.fail(f"{value!r} is not within the years {EARLIEST_YEAR} to {LATEST_YEAR}.", param, ctx)
        return day

    def _other_day(self, text: str, param: click.Parameter | None, ctx: click.Context | None) -> date:
        from ratebook.formats.contract import DayOrder  # noqa: PLC0415 - start-up
        from ratebook.formats.reading.dates import days_in_order, plain_day  # noqa: PLC0415 - start-up

        order = None if ctx is None else ctx.params.get("day_order")
        days = days_in_order(text, [order] if isinstance(order, DayOrder) else [*DayOrder])
        if len(days) > 1:
            options = () if ctx is None else [option.name for option in ctx.command.params]
            how = ", or add --day-order month-first or day-first" if "day_order" in options else ""
            either = " or ".join(map(str, days))
            self.fail(f"{text!r} can be read in two ways; write {either}{how}.", param, ctx)
        day = plain_day(text) or next(iter(days), None)
        if day is None:
            self.fail(f"{text!r} is not a date; write it as 2026-11-14.", param, ctx)
        return day


class WordOf(click.Choice[str]):
    """One of some members of an enumeration, by its word."""

    def __init__(self, members: Iterable[StrEnum]) -> None:
        self.members = {member.value: member for member in members}
        super().__init__(list(self.members))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> StrEnum:  # noqa: ANN401 - click's signature
        """Return the member, or end with a usage error."""
        return self.members[super().convert(value, param, ctx)]


DAY = DayType()
SYSTEM = WordOf(System)


def _bounds_text(least: float | None, most: float | None) -> str:
    """Return bounds in words, as help and usage errors show them.

    >>> _bounds_text(100, 3500), _bounds_text(1, None)
    ('from 100 to 3500', 'at least 1')
    """
    if least is None:
        return "" if most is None else f"at most {most}"
    return f"at least {least}" if most is None else f"from {least} to {most}"


def _not_in_range(value: object, kind: str, bounds: str) -> str:
    return f"{value!r} is not {kind}{' ' if bounds.startswith('from') else ', ' if bounds else ''}{bounds}."


class FiniteRange(click.FloatRange):
    """A number within bounds; "nan" is none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's signature
        """Return the number, or end with a usage error."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        least = -math.inf if self.min is None else self.min
        most = math.inf if self.max is None else self.max
        if not (math.isfinite(number) and least <= number <= most):
            self.fail(_not_in_range(value, "a number", self._describe_range()), param, ctx)
        return number

    def _describe_range(self) -> str:
        return _bounds_text(self.min, self.max)


class WholeRange(click.IntRange):
    """A whole number within bounds, which a store can be asked for."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 - click's signature
        """Return the number, or end with a usage error."""
        least = -MOST_WHOLE if self.min is None else self.min
        most = MOST_WHOLE if self.max is None else self.max
        try:
            number = int(value)
        except ValueError:
            number = None
        if number is None or not least <= number <= most:
            self.fail(_not_in_range(value, "a whole number", self._describe_range()), param, ctx)
        return number

    def _describe_range(self) -> str:
        return _bounds_text(self.min, self.max)


class PlaceOfFile(click.Path):
    """The name of a file or folder, which the system takes, and not the address of a database."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the name, or end with a usage error."""
        name = os.fsdecode(value)
        if "://" in name:
            # It may have a password.
            self.fail(f"{name.partition('://')[0]}:// begins an address; give a file or folder.", param, ctx)
        try:
            os.lstat(name)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as failure:
            if getattr(failure, "errno", errno.ENAMETOOLONG) in {errno.ENAMETOOLONG, errno.EINVAL}:
                self.fail(f"{shortened(name)!r} cannot be the name of a file.", param, ctx)
        return super().convert(value, param, ctx)


def shortened(name: str, most: int = 60) -> str:
    """Return a name with at most so many letters.

    >>> shortened("a" * 100, 10)
    'aaaaaaaaa…'
    """
    return name if len(name) <= most else f"{name[: most - 1]}…"


PATH = PlaceOfFile(path_type=Path)
PATH_TEXT = PlaceOfFile()

flag_option = partial(option, is_flag=True)
default_option = partial(option, show_default=True)


def day_option(flag: str, about: str, *, name: str = "") -> Callable[[Declared], Declared]:
    """Return an option that takes a day."""
    return option(f"{flag} DATE", about, DAY, name=name)


on_option = day_option("--on", "Use the rules of this day (default: today).")
system_option = default_option("--system", "Rating system.", SYSTEM, default="regular")
systems_option = option("--system", "Only this system; repeatable.", SYSTEM, name="systems", multiple=True)
public_option = flag_option(
    "--public",
    "Show only what anyone may read: figures from published ratings, over all ages that a newcomer may have.",
)
id_form_option = option(
    "--id-form FORM",
    'Form of member ids, such as 00000000 or NCF-00000: 0 is a digit, A a capital letter; "" allows any text.',
)
short_option = flag_option("--short", "Print only the short answer, without the steps.")
set_option = option(
    "--set RULE=VALUE",
    "Change the value of a rule, e.g. --set bonus_multiplier=14; repeatable.",
    name="settings",
    multiple=True,
)
overlay_option = option(
    "--rules FILE.toml",
    "Use other dated values from this file, which has the format of the timeline.",
    PlaceOfFile(exists=True, dir_okay=False),
    name="overlay",
)


def rulebook_with(settings: tuple[str, ...], overlay: str | None) -> Rulebook:
    """Return the rulebook with the user's what-ifs laid over it; a finding and exit status 1 where they are wrong."""
    rulebook = load_rulebook()
    try:
        if overlay is not None:
            rulebook = rulebook.with_overlay_file(overlay)
        if settings:
            rulebook = rulebook.with_overlay(dict(split_setting(text) for text in settings))
        if overlay is not None or settings:
            rulebook.check_resolves()
    except RulebookError as failure:
        fail_with("overlay-wrong.option", Place(option="--set / --rules"), failure=str(failure))
    return rulebook


@contextmanager
def rules_known() -> Iterator[None]:
    """End with a finding and exit status 1 where the rules of a day before the timeline are asked for."""
    try:
        yield
    except RuleNotKnown as unknown:
        fail_with("rules-not-known.later-day", Place(option="--on"), unknown=str(unknown))


def today() -> date:
    """Return today."""
    return date.today()  # noqa: DTZ011 - a calendar day where the user is


def split_setting(text: str) -> tuple[str, str]:
    """Return the two sides of RULE=VALUE.

    >>> split_setting("bonus_multiplier=14")
    ('bonus_multiplier', '14')
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} has no =; write RULE=VALUE.", param_hint="--set")
    return name.strip(), value.strip()
