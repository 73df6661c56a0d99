"""The pages of the tables that people fill in, and the JSON Schema of their rows.

Words and values are those of the tables of fields and of ``columns.toml`` beside the readers of tables.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from scripts.pages.markdown import table
from scripts.pages.places import MADE_BY, ROOT

from ratebook.cli.report.template import table_words
from ratebook.formats.csv_report import columns as csv_report
from ratebook.formats.reading.kinds import BIRTH_DAY, DAY, FLAG, GAMES, POINTS, PUBLISHED, Bounded
from ratebook.formats.reading.record import BySystem, Listed, Nested
from ratebook.formats.reading.sheets.header import PARTS_OF_NAMES
from ratebook.formats.reading.sheets.outcomes import BYES, RESULTS
from ratebook.formats.reading.sheets.player_columns import COLUMNS, prefix_of
from ratebook.formats.reading.sheets.synonyms import SYNONYMS
from ratebook.formats.reading.tables import ENTRY, FLOOR, PLAYER, RATING
from ratebook.model import SectionType, System
from ratebook.office.imports import corrections, foreign_ratings, members, opening_balances, reports

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ratebook.formats.reading.record import Field, RecordTable

LEAGUE = ROOT / "examples" / "league"
SCHEMA = "tables.schema.json"
FORMATS = "docs/formats"

Schema = dict[str, Any]


class Shape(NamedTuple):
    """The columns of a table in the order of its page, those that it needs, and the other names of each."""

    columns: tuple[str, ...]
    needed: tuple[str, ...]
    fields: Mapping[str, Field]
    synonyms: str = ""


class Column(NamedTuple):
    """One column, as the page and the schema have it."""

    name: str
    what: str
    schema: Schema
    unit: str
    example: str
    others: tuple[str, ...]


def _field_of_player(path: tuple[str, ...]) -> Field | None:
    field = next((known for known in PLAYER.fields if path and known.name == path[0]), None)
    if field is None or not isinstance(field.kind, Nested | BySystem):
        return field
    inner: RecordTable[Any] = field.kind.table
    return inner.field(path[-1])


_OF_PLAYERS = {
    title: field for title, column in COLUMNS.items() if (field := _field_of_player(column.path)) is not None
}
_OTHER_SYSTEMS = tuple(prefix_of(system) for system in System if system is not System.REGULAR)


def _of_one_system(titles: tuple[str, ...]) -> tuple[str, ...]:
    """Return *titles* without those that another system has as ``regular`` has them."""
    return tuple(title for title in titles if not title.startswith(_OTHER_SYSTEMS))


def _report() -> Shape:
    order = (*csv_report.EVENT_COLUMNS, "section", *csv_report.SECTION_COLUMNS)
    seats = ("seat", "player", "name", "round1", "total", "rating", *csv_report.RATING_COLUMNS)
    rest = sorted(csv_report.KIND.columns - {*order, *seats} - set(COLUMNS))
    facts = [title for title in COLUMNS if title in csv_report.FACT_COLUMNS]
    fields = {**_OF_PLAYERS, **csv_report.EVENT_COLUMNS, **csv_report.SECTION_COLUMNS}
    fields |= {name: ENTRY.field(name) for name in rest}
    columns = (*order, *seats, *rest, *_without_ratings(facts))
    return Shape(_of_one_system(columns), (*csv_report.KIND.needed, "round1"), fields, "report")


def _without_ratings(titles: list[str]) -> list[str]:
    """Return *titles* without the facts of single ratings, which the page of the members CSV has."""
    return [title for title in titles if not title.startswith("regular_")]


_BALANCES = {field.name: field for field in RATING.fields} | {
    "system": FLOOR.field("system"),
    "floor_kind": FLOOR.field("kind"),
    "floor": FLOOR.field("floor"),
}

SHAPES: Mapping[str, Shape] = {
    "report": _report(),
    "members list": Shape(_of_one_system(tuple(COLUMNS)), (), _OF_PLAYERS, "members list"),
    "balances": Shape(
        (*opening_balances.REQUIRED, *opening_balances.OPTIONAL),
        opening_balances.REQUIRED,
        _BALANCES,
        "balances",
    ),
    "memberships": Shape(members.import_memberships.columns, members.import_memberships.columns, {}, "table"),
    "foreign ratings": Shape(
        foreign_ratings.import_external_ratings.columns,
        foreign_ratings.import_external_ratings.columns,
        {},
        "table",
    ),
    "numbers": Shape(foreign_ratings.NUMBERS_COLUMNS, foreign_ratings.NUMBERS_COLUMNS, {}, "table"),
    "corrections": Shape(
        (*corrections.REQUIRED, *corrections.OPTIONAL), corrections.REQUIRED, {}, "corrections"
    ),
    "manifest": Shape(reports.COLUMNS, reports.KIND.needed, {}, "table"),
}
"""The tables by their names in ``columns.toml``."""

_WORDS_OF_CELLS = {
    ("corrections", "kind"): {"enum": list(corrections.KINDS)},
    ("manifest", "type"): {"enum": [kind.value for kind in SectionType]},
}


def columns_of(name: str) -> list[Column]:
    """Return the columns of a table; of the systems, only those of ``regular``.

    Raises:
        ValueError: nothing says what a column means.
    """
    shape = SHAPES[name]
    words = table_words()["players"]["columns"] | table_words()[name]["columns"]
    others = SYNONYMS.get(shape.synonyms, {})
    return [
        _column(name, title, shape, words.get(title, {}), others.get(title, ())) for title in shape.columns
    ]


def _column(name: str, title: str, shape: Shape, words: Mapping[str, Any], others: tuple[str, ...]) -> Column:
    field = shape.fields.get(title)
    schema = words.get("schema") or _WORDS_OF_CELLS.get((name, title)) or (field and _cell_schema(field))
    what = words.get("is") or (field and "; ".join(filter(None, (field.title, field.about))))
    if not schema or not what:
        raise ValueError(f"nothing says what the column {title} of {name} means")
    unit = words.get("unit", "")
    if field is not None and isinstance(field.kind, Bounded):
        unit = unit or field.kind.unit
    shown = tuple(name.replace("_", " ") for name in others)
    return Column(title, what, schema, unit, words.get("example") or _example(title, schema, field), shown)


def _cell_schema(field: Field) -> Schema:
    if field.kind is GAMES and field.unknown is None:
        return {"anyOf": [field.kind.schema, {"const": "established"}]}
    if isinstance(field.kind, Listed):
        return {"type": "string"}
    return {"type": "string", **field.kind.schema} if "enum" in field.kind.schema else field.kind.schema


_EXAMPLES = {
    "section_name": "Open",
    "time_control": "G/60;d5",
    "federation": "USA",
    "state": "NY",
    "titles": "C NM",
    "title": "WFM",
    "fide_id": "99000017",
    "club": "Hill School",
    "at_least": "peak counts",
    "floor": "1800",
}


def _example(title: str, schema: Schema, field: Field | None) -> str:
    name = title.removeprefix("regular_")
    if field is None or name in _EXAMPLES:
        return _EXAMPLES.get(name, "")
    if field.kind in _OF_KINDS:
        return _OF_KINDS[field.kind]
    return str(schema["enum"][0]) if "enum" in schema else "12"


_OF_KINDS = {
    DAY: "2026-01-31",
    BIRTH_DAY: "2012-05-13",
    FLAG: "yes",
    GAMES: "38",
    POINTS: "1500.4",
    PUBLISHED: "1500",
}


def value_of(schema: Schema, unit: str = "") -> str:
    """Return in words what a cell may hold."""
    if "anyOf" in schema:
        return " or ".join(value_of(part, unit) for part in schema["anyOf"])
    words = [schema["const"]] if "const" in schema else schema.get("enum")
    if words is not None:
        return ", ".join(f"`{word}`" for word in words)
    if schema["type"] in {"boolean", "string"}:
        day = schema.get("format") == "date"
        return "day, `YYYY-MM-DD`" if day else {"boolean": "`yes` or `no`", "string": "text"}[schema["type"]]
    number = ("whole " if schema["type"] == "integer" else "") + (unit or "number")
    low, high = schema["minimum"], schema.get("maximum")
    return f"{number}, {low:,} or more" if high is None else f"{number}, {low:,} to {high:,}"


def _rows(name: str) -> Iterator[tuple[str, ...]]:
    needed = SHAPES[name].needed
    for column in columns_of(name):
        what = column.what.replace("absent:", "empty:") + ("; required" if column.name in needed else "")
        yield f"`{column.name}`", what, value_of(column.schema, column.unit), f"`{column.example}`"


def _other_names(name: str) -> Iterator[str]:
    """Yield a line for each column that people call by other names too."""
    named = [column for column in columns_of(name) if column.others]
    yield "What else a column may be called, in capital or small letters, with or without dots and dashes:"
    yield ""
    for column in named:
        yield f"* `{column.name}`: {', '.join(column.others)}"
    if "name" in SHAPES[name].columns:
        for part in PARTS_OF_NAMES:
            synonyms = [word.replace("_", " ") for word in SYNONYMS[SHAPES[name].synonyms][part]]
            yield f"* `{part}`, a part of `name`: {', '.join(synonyms)}"


_HOW_TABLES_ARE_READ = (
    "[How tables are read](tables.md) says which spellings of dates, numbers and files are understood."
)


def _part(name: str, level: str) -> Iterator[str]:
    words = table_words()[name]
    yield f"{level} {words['title']}"
    if level == "#":
        yield f"{MADE_BY} from the tables of fields and from `columns.toml` beside the readers of tables."
    yield words["about"]
    yield words["read"]
    example = (LEAGUE / words["example"]).read_text(encoding="utf-8").strip()
    yield f"```csv\n{example}\n```"
    if level == "#":
        yield f"{_HOW_TABLES_ARE_READ} [{SCHEMA}]({SCHEMA}) has the JSON Schema of a row."
    yield "\n".join(table(("column", "what", "value", "example"), _rows(name)))
    yield "\n".join(_other_names(name))


def _systems_text() -> str:
    return ", ".join(f"`{system}`" for system in _OTHER_SYSTEMS)


def csv_report_page() -> str:
    """Return the page of the CSV report, with all spellings of its round cells."""
    letters = (
        ("`W` `D` `L`", "played: win, draw, loss"),
        ("`N` `R` `S`", "played, but reported by one side only: win, draw, loss"),
        ("`X` `Z` `F`", "forfeit: win, draw, loss"),
        ("`B` `H` `U`", "full-point bye, half-point bye, unpaired or zero-point bye"),
        ("empty", "nothing"),
    )
    spellings = [
        (f"`{letter}`", ", ".join(f"`{text}`" for text, means in words.items() if text and means == letter))
        for words, letters_of in ((BYES, "BHU"), (RESULTS, "WDL"))
        for letter in letters_of
    ]
    parts = [
        *_part("report", "#"),
        (
            f"The columns `regular` and `regular_games` have the same for {_systems_text()}.\n"
            "All other columns of the [members CSV](members-csv.md) that say something of a single rating, such as"
            " `regular_peak`, are read here too."
        ),
        "## Round cells",
        "A round cell is a result letter, the seat of the opponent and, if it is known, the colour: `W12b`, `D3`, `H`.",
        "\n".join(["| letters | |", "| --- | --- |", *(f"| {one} | {what} |" for one, what in letters)]),
        (
            "What people write instead is understood where it has one meaning only, in capital or small letters;"
            " blanks, dots, dashes and asterisks around a bye do not matter:"
        ),
        "\n".join(table(("meaning", "also written"), spellings)),
        (
            "A result in front of a seat may be one of these words or figures too, as in `won 12`, `½-3` or `1 (5) w`."
            " Without anything between a figure and the seat, as in `15`, it is an error: 15 may be a win against 5,"
            " or a seat."
        ),
        (
            "The letters of opponent, colour and result may be in another order, as in `12bW`, `b12 ½`, `W b 12` or"
            " `12W`, where the table leaves no doubt which is which."
        ),
        (
            "Instead of the seat, a cell may have a name that only one player of the section has:"
            " `beat Cole`, `L Dunn`."
        ),
        (
            "Result servers such as chess-results print the opponent first, then colour and result: `12w½`, `5b1`, and"
            " `-1`, `-½` or `-0` for byes. A table in which the cells are so is read so, as a whole. The letters of"
            " the colours may be those of other languages, in the whole table: `b` and `n` (Spanish, French, Italian,"
            " Portuguese), `w` and `s` (German), `w` and `z` (Dutch), `v` and `s` (Swedish)."
        ),
        (
            "Two results before one opponent, as in `WL2`, are two games of one round; that round becomes two rounds."
            " A round that no one played is a warning."
        ),
        (
            "Opponent, colour and result of a round may have columns of their own: `R1 Opp`, `R1 Col`, `R1 Res`, or"
            " `Opp`, `Col`, `Res` in a line below `Round 1`, `Round 2`, or again and again without numbers."
            " Where no column is called a round, those whose cells are mostly games are the rounds in their order, as"
            " `Nov 3`, `Nov 10` or `R1a`, `R1b`."
            " The columns of a round-robin grid may be the numbers of the players, or their names in the same order."
        ),
        "## Numbers of players",
        (
            "Results name opponents by the column `seat`. A table without one numbers its players in the order of their"
            " rows, with a note. Where a table has ranks beside pairing numbers, the ranks count if only by them both"
            " players of all games name each other. A blank rank below a numbered one is the next position, as servers"
            " print tied players; so is a shared place such as `2-3`. Ids and ratings beside names"
            " (`Ann Adams 1512`, `Ann Adams (1512)`) are read where the table has no column of them, those without"
            " brackets if nearly all names have one. A column `Player` has names beside a column of ids, or if its"
            " cells are no ids."
        ),
    ]
    return "\n\n".join(parts) + "\n"


def members_csv_page() -> str:
    """Return the page of the members CSV."""
    note = (
        f"The columns that start with `regular` exist for {_systems_text()} too, as `quick`, `quick_games` and so on.\n"
        "A member is found by `id`, else by `name`; ratings as `UNR` or `1500P12` are understood,"
        " and `1500P12` gives the games too."
    )
    return "\n\n".join([*_part("members list", "#"), note]) + "\n"


def corrections_page() -> str:
    """Return the page of corrections, with what each kind needs."""
    asked = [(kind, action.row) for kind, action in corrections.KINDS.items() if action.row is not None]
    rows = [(f"`{kind}`", row.about, row.value[1], row.opponent_value[1]) for kind, row in asked]
    kinds = "\n".join(table(("`kind`", "what is wrong", "`value`", "`opponent_value`"), rows))
    return "\n\n".join([*_part("corrections", "#"), "## Kinds", kinds]) + "\n"


def table_page(*names: str) -> str:
    """Return the page of one table, or of several that belong together."""
    parts = [part for at, name in enumerate(names) for part in _part(name, "##" if at else "#")]
    return "\n\n".join(parts) + "\n"


def tables_schema() -> str:
    """Return the JSON Schema of the rows of all tables, as objects of values by column."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A row of a table that ratebook reads, without its empty cells",
        "$defs": {name.replace(" ", "-"): _row_schema(name) for name in SHAPES},
    }
    return json.dumps(schema, indent=1) + "\n"


def _row_schema(name: str) -> Schema:
    properties = {
        column.name: {"description": column.what, **column.schema}
        for column in columns_of(name)
        if column.name != "round1"
    }
    schema: Schema = {"type": "object", "properties": properties, "required": list(SHAPES[name].needed)}
    if name == "report":
        schema["patternProperties"] = {"^round[1-9][0-9]?$": {"type": "string"}}
    if name in {"report", "members list"}:
        systems = "|".join(map(prefix_of, System))
        schema["patternProperties"] = {
            **schema.get("patternProperties", {}),
            f"^({systems})$": {"type": "number"},
        }
    return schema
