"""The rules of norms, titles and rating classes: what they are made of, and how their file is read and checked."""

import math
import os
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from ratebook.model import POINTS, SCORES
from ratebook.rules.loading import Source, check_keys, check_source, documents_in, read_toml, text_of
from ratebook.rules.snapshot import TIMELINE, StrPath
from ratebook.rules.timeline import RulebookError

TITLES_FILE = os.path.join(os.path.dirname(__file__), "titles.toml")  # noqa: PTH118, PTH120 - as the timeline beside it: pathlib costs start-up
_KEYS = ("what", "is", "document", "where", "status", "note")
_RULES = (
    "expectancy",
    "norm",
    "short_norm",
    "norm_sections",
    "first_day",
    "tolerance",
    "norm_titles",
    "rating_titles",
    "games_title",
    "classes",
)


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
        short_letters: result letters, one of which must stand beside so few games.
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


class Title(NamedTuple):
    """One title and all that it asks for.

    Attributes:
        code: short name, for lists.
        name: the title in words.
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
    """All rules of titles.

    Attributes:
        norm: when a norm is made.
        titles: all titles; those from norms first, by rising level.
        classes: rating classes, the highest first.
        sources: where each rule is from.
    """

    norm: NormRules
    titles: tuple[Title, ...]
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
    contents = read_toml(path)
    check_keys(contents, _RULES, name)
    documents = documents_in({"documents.toml": read_toml(os.path.join(TIMELINE, "documents.toml"))})  # noqa: PTH118 - as above
    sources = tuple(_source_of(rule, contents.get(rule), tuple(documents), name) for rule in _RULES)
    values = {
        rule: _Value(_table(contents[rule], f"{name}, rule {rule}").get("is"), name, rule) for rule in _RULES
    }
    short, sections = values["short_norm"], values["norm_sections"]
    norm = NormRules(
        expectancy=_expectancy(values["expectancy"]),
        games=values["norm"].whole("games"),
        margin=values["norm"].number("margin"),
        short_games=short.whole("games"),
        short_margin=short.number("margin"),
        short_letters=_letters_without_game(short),
        rounds=sections.whole("rounds"),
        most_meetings=sections.whole("most_meetings"),
        first_day=_day(values["first_day"]),
        tolerance=values["tolerance"].as_number(),
    )
    return TitleRules(norm, _titles(values), _classes(values["classes"]), sources)


class _Value(NamedTuple):
    """The value of one rule, or of one row of it, with the names that an error must give."""

    value: object
    file: str
    rule: str

    @property
    def place(self) -> str:
        return f"{self.file}, rule {self.rule}"

    def field(self, key: str) -> object:
        table = _table(self.value, self.place)
        if key not in table:
            raise RulebookError(f"{self.place}: no {key!r}. Write {key} = ….")
        return table[key]

    def number(self, key: str) -> float:
        return self._replace(value=self.field(key), rule=f"{self.rule}, {key}").as_number()

    def whole(self, key: str) -> int:
        number = self.number(key)
        if not number.is_integer():
            raise RulebookError(f"{self.place}: {key} is {number}. Write a whole number.")
        return int(number)

    def text(self, key: str) -> str:
        return text_of(_table(self.value, self.place), key, self.place)

    def as_number(self) -> float:
        value = self.value
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
            or value < 0
        ):
            raise RulebookError(f"{self.place}: the value is {value!r}. Write a number that is not negative.")
        return float(value)

    def row(self, *keys: str) -> tuple[Any, ...]:
        """Return the values under *keys*: codes and names are texts, all others whole numbers."""
        check_keys(_table(self.value, self.place), keys, self.place)
        return tuple(self.text(key) if key in {"code", "name"} else self.whole(key) for key in keys)

    def rows(self, *keys: str) -> list[tuple[Any, ...]]:
        if not isinstance(self.value, list) or not self.value:
            raise RulebookError(f"{self.place}: no list. Write is = [ … ] with a table for each.")
        return [
            self._replace(value=row, rule=f"{self.rule}, row {at}").row(*keys)
            for at, row in enumerate(self.value, start=1)
        ]


def _table(entry: object, place: str) -> Mapping[str, object]:
    if not isinstance(entry, Mapping):
        raise RulebookError(f"{place}: this is not a table. Write it with its keys.")
    return entry


def _source_of(rule: str, entry: object, documents: tuple[str, ...], name: str) -> RuleSource:
    place = f"{name}, rule {rule}"
    if entry is None:
        raise RulebookError(f"{place}: it is missing. Write [{rule}].")
    table = _table(entry, place)
    check_keys(table, _KEYS, place)
    if "is" not in table:
        raise RulebookError(f"{place}: no value. Write 'is'.")
    source = RuleSource(
        rule,
        what=text_of(table, "what", place),
        document=text_of(table, "document", place),
        where=text_of(table, "where", place),
        status=text_of(table, "status", place),
        note=text_of(table, "note", place, empty_allowed=True),
    )
    check_source(Source(*source[-4:]), documents, place)
    return source


def _expectancy(value: _Value) -> tuple[tuple[float, float], ...]:
    remedy = "Write [[difference, score], …], both rising, scores from 0 to 1."
    rows = value.value
    points = []
    for row in rows if isinstance(rows, list) else []:
        numbers = isinstance(row, list) and [type(number) in {int, float} for number in row] == [True, True]
        if not numbers or not all(map(math.isfinite, row)):
            raise RulebookError(f"{value.place}: {row!r} is no point. {remedy}")
        points.append((float(row[0]), float(row[1])))
    rising = all(one[0] < two[0] and one[1] <= two[1] for one, two in pairwise(points))
    if not points or not rising or points[0][1] != 0.0 or points[-1][1] != 1.0:
        raise RulebookError(f"{value.place}: the points are {rows!r}. {remedy}")
    return tuple(points)


def _letters_without_game(value: _Value) -> tuple[str, ...]:
    letters = value.field("letters")
    known = [letter for letter in POINTS if letter and letter not in SCORES]
    if not isinstance(letters, list) or not letters or any(letter not in known for letter in letters):
        raise RulebookError(f"{value.place}: letters are {letters!r}. Name some of {', '.join(known)}.")
    return tuple(letters)


def _day(value: _Value) -> date:
    if not isinstance(value.value, date) or isinstance(value.value, datetime):
        raise RulebookError(f"{value.place}: the value is {value.value!r}. Write a day without quotes.")
    return value.value


def _titles(values: Mapping[str, _Value]) -> tuple[Title, ...]:
    norm_titles = [
        Title(*row) for row in values["norm_titles"].rows("code", "name", "level", "norms", "established")
    ]
    levels = [title.norm_level or 0 for title in norm_titles]
    if any(one >= two for one, two in pairwise(levels)):
        raise RulebookError(f"{values['norm_titles'].place}: levels are {levels}. They must rise.")
    rating_titles = [
        Title(code, name, established=established)
        for code, name, established in values["rating_titles"].rows("code", "name", "established")
    ]
    games = values["games_title"]
    code, name = games.row("code", "name")
    games_title = Title(code, name, original_life_master=True)
    titles = (*norm_titles, *rating_titles, games_title)
    codes = [title.code for title in titles]
    if len(set(codes)) < len(codes):
        raise RulebookError(f"{games.file}: titles share a code ({', '.join(codes)}). Give each its own.")
    return titles


def _classes(value: _Value) -> tuple[RatingClass, ...]:
    classes = tuple(RatingClass(*row) for row in value.rows("code", "name", "from"))
    if any(one.lowest <= two.lowest for one, two in pairwise(classes)):
        raise RulebookError(f"{value.place}: the classes are not ordered. Write the highest first.")
    return classes
