"""The rules of norms, titles and rating classes: what they are made of, and how their file is read and checked."""

import math
import os
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from ratebook.model import POINTS, SCORES
from ratebook.rules import loading
from ratebook.rules.snapshot import TIMELINE, StrPath
from ratebook.rules.timeline import RulebookError

TITLES_FILE = os.path.join(os.path.dirname(__file__), "titles.toml")  # noqa: PTH118, PTH120 - as the timeline beside it: pathlib costs start-up
_KEYS = ("what", "is", "document", "where", "status", "note")
_AS_TABLE = "Write it with its keys."
_RULES = (
    "expectancy", "norm", "short_norm", "norm_sections", "first_day", "tolerance", "norm_titles",
    "rating_titles", "games_title", "classes",
)  # fmt: skip


class RuleSource(NamedTuple):
    """What one rule of the file says, and where it is from."""

    rule: str
    what: str
    document: str
    where: str
    status: str
    note: str


class NormRules(NamedTuple):
    """When a norm is made.

    Attributes:
        expectancy: points (level - opponent's rating, expected score), rising.
        games: rated games that a norm asks for.
        margin: by more than this the score must be higher than the expected score.
        short_games: rated games of the rule for fewer games.
        short_margin: by at least this the score of so few games must be higher.
        short_letters: result letters, one of which is needed beside so few games.
        rounds: rounds that a section must have.
        most_meetings: how often a player may have met one opponent.
        first_day: no section that starts earlier gives a norm.
        tolerance: scores within this distance are equal.
    """

    expectancy: tuple[tuple[float, float], ...]
    games: int
    margin: float
    short_games: int
    short_margin: float
    short_letters: tuple[str, ...]
    rounds: int
    most_meetings: int
    first_day: date
    tolerance: float


class TitleRequirements(NamedTuple):
    """One title and all that it asks for.

    Attributes:
        norm_level: norms of this level or higher count; None where the title asks for no norms.
        norms: how many of them.
        established: the established rating needed at some time, as displayed; 0 is any, None is none at all.
        original_life_master: whether the games of an original Life Master are needed.
    """

    code: str
    name: str
    norm_level: int | None = None
    norms: int = 0
    established: int | None = None
    original_life_master: bool = False


class RatingClass(NamedTuple):
    """A rating class: its letter, its name and the lowest displayed rating in it."""

    code: str
    name: str
    lowest: int


class TitleRules(NamedTuple):
    """All rules of titles: those from norms come first, by rising level, and the highest class comes first."""

    norm: NormRules
    titles: tuple[TitleRequirements, ...]
    classes: tuple[RatingClass, ...]
    sources: tuple[RuleSource, ...]

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels at which norms are made, rising."""
        return tuple(title.norm_level for title in self.titles if title.norm_level is not None)


@cache
def title_rules() -> TitleRules:
    """Return the rules of the packaged file, read at the first call.

    >>> title_rules().levels
    (1200, 1400, 1600, 1800, 2000, 2200, 2400)
    """
    return read_title_rules(TITLES_FILE)


def fingerprint(rules: TitleRules) -> str:
    """Return 16 hex digits that differ whenever a value differs; texts about the rules do not count."""
    import hashlib  # noqa: PLC0415 - loaded only when needed

    text = repr((tuple(rules.norm), rules.titles, rules.classes))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def read_title_rules(path: StrPath) -> TitleRules:
    """Return the rules that the file at *path* says, checked.

    Raises:
        RulebookError: the file cannot be read, or a rule is missing, unknown, without a source or impossible.
    """
    name = os.path.basename(path)  # noqa: PTH119 - as above
    contents = loading.read_toml(path)
    loading.check_keys(contents, _RULES, name)
    documents = loading.documents_in(loading.read_contents(TIMELINE))
    place = {rule: f"{name}, rule {rule}" for rule in _RULES}
    sources = tuple(_source_of(rule, contents.get(rule), tuple(documents), place[rule]) for rule in _RULES)
    values = {rule: table["is"] for rule, table in contents.items() if isinstance(table, Mapping)}

    def row(rule: str, **kinds: _Kind) -> list[Any]:
        return _row(values[rule], place[rule], kinds)

    def rows(rule: str, **kinds: _Kind) -> list[list[Any]]:
        return _rows(values[rule], place[rule], kinds)

    games, margin = row("norm", games=_whole, margin=_number)
    short_games, short_margin, letters = row(
        "short_norm", games=_whole, margin=_number, letters=_letters_without_game
    )
    rounds, most_meetings = row("norm_sections", rounds=_whole, most_meetings=_whole)
    norm = NormRules(
        expectancy=_expectancy(values["expectancy"], place["expectancy"]),
        games=games,
        margin=margin,
        short_games=short_games,
        short_margin=short_margin,
        short_letters=letters,
        rounds=rounds,
        most_meetings=most_meetings,
        first_day=_day(values["first_day"], place["first_day"]),
        tolerance=_not_negative(values["tolerance"], place["tolerance"]),
    )
    of_norms = rows("norm_titles", code=_text, name=_text, level=_whole, norms=_whole, established=_whole)
    levels = [level for _, _, level, *_ in of_norms]
    if any(first >= two for first, two in pairwise(levels)):
        raise RulebookError(f"{place['norm_titles']}: levels are {levels}. They must rise.")
    games_code, games_name = row("games_title", code=_text, name=_text)
    titles = (
        *(TitleRequirements(*requirements) for requirements in of_norms),
        *(
            TitleRequirements(code, title, established=established)
            for code, title, established in rows("rating_titles", code=_text, name=_text, established=_whole)
        ),
        TitleRequirements(games_code, games_name, original_life_master=True),
    )
    codes = [title.code for title in titles]
    if len(set(codes)) < len(codes):
        raise RulebookError(f"{name}: titles share a code ({', '.join(codes)}). Give each its own.")
    classes = tuple(
        RatingClass(*requirements)
        for requirements in rows("classes", **{"code": _text, "name": _text, "from": _whole})
    )
    if any(first.lowest <= two.lowest for first, two in pairwise(classes)):
        raise RulebookError(f"{place['classes']}: the classes are not ordered. Write the highest first.")
    return TitleRules(norm, titles, classes, sources)


def _row(value: object, place: str, kinds: Mapping[str, "_Kind"]) -> list[Any]:
    """Return the values of a table in the order of *kinds*, which have its keys and what reads each of them."""
    table = loading.table_of(value, place, _AS_TABLE)
    loading.check_keys(table, tuple(kinds), place)
    for key in kinds:
        if key not in table:
            raise RulebookError(f"{place}: no {key!r}. Write {key} = ….")
    return [read(table, key, place) for key, read in kinds.items()]


def _rows(value: object, place: str, kinds: Mapping[str, "_Kind"]) -> list[list[Any]]:
    if not isinstance(value, list) or not value:
        raise RulebookError(f"{place}: no list. Write is = [ … ] with a table for each.")
    return [_row(row, f"{place}, row {at}", kinds) for at, row in enumerate(value, start=1)]


_Kind = Callable[[Mapping[str, object], str, str], Any]
"""Reads the value of a table under a key; the last argument is the table's place, for an error."""

_text: _Kind = loading.text_of


def _number(table: Mapping[str, object], key: str, place: str) -> float:
    return _not_negative(table[key], f"{place}, {key}")


def _whole(table: Mapping[str, object], key: str, place: str) -> int:
    number = _number(table, key, place)
    if not number.is_integer():
        raise RulebookError(f"{place}: {key} is {number}. Write a whole number.")
    return int(number)


def _letters_without_game(table: Mapping[str, object], key: str, place: str) -> tuple[str, ...]:
    letters = table[key]
    known = [letter for letter in POINTS if letter and letter not in SCORES]
    if not isinstance(letters, list) or not letters or any(letter not in known for letter in letters):
        raise RulebookError(f"{place}: {key} are {letters!r}. Name some of {', '.join(known)}.")
    return tuple(letters)


def _not_negative(value: object, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise RulebookError(f"{place}: the value is {value!r}. Write a number that is not negative.")
    return float(value)


def _day(value: object, place: str) -> date:
    if not isinstance(value, date) or isinstance(value, datetime):
        raise RulebookError(f"{place}: the value is {value!r}. Write a day without quotes.")
    return value


def _expectancy(rows: object, place: str) -> tuple[tuple[float, float], ...]:
    remedy = "Write [[difference, score], …], both rising, scores from 0 to 1."
    points = []
    for row in rows if isinstance(rows, list) else []:
        numbers = isinstance(row, list) and [type(number) in {int, float} for number in row] == [True, True]
        if not numbers or not all(map(math.isfinite, row)):
            raise RulebookError(f"{place}: {row!r} is no point. {remedy}")
        points.append((float(row[0]), float(row[1])))
    rising = all(one[0] < two[0] and one[1] <= two[1] for one, two in pairwise(points))
    if not points or not rising or points[0][1] != 0.0 or points[-1][1] != 1.0:
        raise RulebookError(f"{place}: the points are {rows!r}. {remedy}")
    return tuple(points)


def _source_of(rule: str, entry: object, documents: tuple[str, ...], place: str) -> RuleSource:
    if entry is None:
        raise RulebookError(f"{place}: it is missing. Write [{rule}].")
    table = loading.table_of(entry, place, _AS_TABLE)
    loading.check_keys(table, _KEYS, place)
    if "is" not in table:
        raise RulebookError(f"{place}: no value. Write 'is'.")
    texts = (loading.text_of(table, key, place, empty_allowed=key == "note") for key in _KEYS if key != "is")
    source = RuleSource(rule, *texts)
    loading.check_source(source[-4:], documents, place)
    return source
