"""The pages and schemas of the two TOML files of a federation: its profile, and its own dated rules."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

from scripts.pages.formats.tables import LEAGUE, value_of
from scripts.pages.markdown import table
from scripts.pages.places import MADE_BY

from ratebook.cli.book.creation import OVERLAY_KEY
from ratebook.model import System
from ratebook.office.profile import KEYS, LONGEST_TEXT
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.timeline import fields_of_rule

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string", "maxLength": LONGEST_TEXT}
_CODES: Schema = {"type": "array", "items": {"type": "string"}}
_SCHEMAS: dict[str, Schema] = {
    "systems": {"type": "array", "items": {"enum": [system.value for system in System]}, "minItems": 1},
    "cut_off": {
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": 28},
            {"enum": ["third-wednesday", "last-friday", "last-day"]},
        ]
    },
    "list_months": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 12},
        "minItems": 1,
    },
    "checks_off": _CODES,
    "search_engines": {"type": "boolean"},
    "second_person": {"type": "boolean"},
    "accent": {"type": "string", "pattern": "^(#[0-9a-fA-F]{6})?$"},
    "title_case": {"type": "boolean"},
    **{
        key: {"type": "integer", "minimum": setting.bounds[0], "maximum": setting.bounds[1]}
        for key, setting in KEYS.items()
        if setting.bounds
    },
}
_ABOUTS = {
    "systems": "The systems that the federation rates.",
    "system_names": "Names of systems on pages and in tables; without them, those of US Chess.",
    "list_months": "Months of official lists; without it, every month.",
    "search_engines": "Whether search engines may list the pages of players; without it, they may not.",
    "second_person": "Whether publishing a list in the browser needs a second person; without it, it does not.",
    "logo": "Path of a logo, beside this file: SVG or PNG, at most 32 KB.",
    "title_case": "Whether pages show names that came in capitals as people write them; without it, they do.",
    "checks_off": "Codes of warnings that are not given.",
    OVERLAY_KEY: "Path of the federation's own rules, beside this file.",
}
"""Where the help of an option speaks of one value, or of the command line."""
_EXAMPLES = {
    "member_id_pattern": '"NL-[0-9]{4}"',
    "system_names": '"regular=Classical, quick=Rapid"',
    "points_from_rating": "500",
    "search_engines": "true",
    "second_person": "true",
    "logo": '"league.svg"',
    "accent": '"#0b5d2a"',
    "title_case": "false",
}


def _schema_of(key: str) -> Schema:
    return _SCHEMAS.get(key, _TEXT)


def profile_schema() -> str:
    """Return the JSON Schema of a profile."""
    properties = {key: {"description": about, **_schema_of(key)} for key, about in _abouts()}
    return _schema("A federation's profile", properties)


def _schema(title: str, properties: Schema, **more: object) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "properties": properties,
        **more,
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=1) + "\n"


def _abouts() -> Iterator[tuple[str, str]]:
    """Yield the keys of a profile and what they mean, which the options of the command say."""
    for key, setting in KEYS.items():
        yield key, _ABOUTS.get(key, setting.about)
    yield OVERLAY_KEY, _ABOUTS[OVERLAY_KEY]


def profile_page() -> str:
    """Return the page of the profile."""
    text = (LEAGUE / "profile.toml").read_text(encoding="utf-8")
    examples = {key: _toml(value) for key, value in tomllib.loads(text).items()} | _EXAMPLES
    rows = [(f"`{key}`", about, _value(key), f"`{examples.get(key, '')}`") for key, about in _abouts()]
    return "\n".join(
        [
            "# The profile of a federation",
            "",
            f"{MADE_BY} from the options of `ratebook book profile`.",
            "",
            (
                "A TOML file with the settings of a book: `ratebook book init --profile league.toml`. Later,"
                " `ratebook book profile` shows and changes them."
            ),
            "[Rules of your own](../book/own-rules.md) makes a book of this example:",
            "",
            "```toml",
            text.strip(),
            "```",
            "",
            "Every key may be left out; [profile.schema.json](profile.schema.json) is the JSON Schema.",
            "",
            *table(("key", "what", "value", "example"), rows),
            "",
            (
                "`id_form` and `member_id_pattern` say the same in two ways, so give one of them."
                " An option on the command line wins over the file."
            ),
            "",
        ]
    )


def _toml(value: object) -> str:
    return json.dumps(value)


def _value(key: str) -> str:
    schema = _schema_of(key)
    if schema.get("type") == "boolean":
        return "`true` or `false`"
    return f"list: {value_of(schema['items'])}" if schema.get("type") == "array" else value_of(schema)


_OVERLAY_ROWS = (
    ("from", "first day on which the value holds", "day without quotes", "2026-01-01", True),
    (
        "is",
        "the value: a number, `off`, `unlimited` or another word of the rule, or a table with a value for each field",
        "see [every rule](../rules/timeline.md)",
        "8",
        True,
    ),
    (
        "systems",
        "the systems for which it holds; without it, all",
        f"list of {', '.join(f'`{system}`' for system in System)}",
        '["quick"]',
        False,
    ),
    ("document", "the decision that it comes from; explanations name it", "text", '"Congress 2025"', False),
    ("where", "its place there", "text", '"motion 4"', False),
    ("note", "what else there is to say", "text", '"not for juniors"', False),
)
"""The keys of a dated value: name, meaning, value, example, and whether it is required."""


def overlay_schema() -> str:
    """Return the JSON Schema of a file of rules."""
    texts = {key: {"type": "string", "description": about} for key, about, *_ in _OVERLAY_ROWS[3:]}
    properties = {}
    for rule in load_rulebook().rules.values():
        fields = [field.removeprefix(f"{rule.name}_") for field in fields_of_rule(rule.name)]
        entry: Schema = {"type": ["number", "string", "array"]}
        if fields != [rule.name]:
            table = {"type": "object", "properties": {field: {} for field in fields}}
            entry = {"anyOf": [{"type": ["string", "array"]}, {**table, "additionalProperties": False}]}
        value = {
            "type": "object",
            "properties": {
                "from": {"description": "a day"},
                "is": {"description": rule.unit, **entry},
                "systems": _SCHEMAS["systems"],
                **texts,
                "status": {"type": "string"},
            },
            "required": [key for key, *_, required in _OVERLAY_ROWS if required],
            "additionalProperties": False,
        }
        listed = {"type": "array", "items": value, "minItems": 1}
        properties[rule.name] = {
            "description": rule.what,
            "type": "object",
            "properties": {"what": {"type": "string"}, "unit": {"type": "string"}, "values": listed},
            "required": ["values"],
            "additionalProperties": False,
        }
    return _schema("Dated rules of a federation", properties)


def overlay_page() -> str:
    """Return the page of a file of rules."""
    text = (LEAGUE / "rules.toml").read_text(encoding="utf-8").strip()
    rows = [
        (f"`{key}`", about + ("; required" if required else ""), value, f"`{example}`")
        for key, about, value, example, required in _OVERLAY_ROWS
    ]
    rules = [
        (f"[`{rule.name}`](../rules/timeline.md#{rule.name})", rule.what, rule.unit)
        for rule in load_rulebook().rules.values()
    ]
    return "\n".join(
        [
            "# Rules of your own",
            "",
            f"{MADE_BY} from the timeline of rules.",
            "",
            (
                "A TOML file with dated values that are laid over the rules of US Chess:"
                " with `--rules` beside a report; for a book, with `--overlay` or the key `overlay` of a"
                " [profile](profile.md)."
            ),
            "[Rules of your own](../book/own-rules.md) shows how a federation works with them.",
            "",
            "```toml",
            text,
            "```",
            "",
            (
                "The values of a rule are in the order of their days. From the first day that the file names for"
                " a rule and a system, only the file's values hold there; before it, those of US Chess."
            ),
            "[overlay.schema.json](overlay.schema.json) is the JSON Schema.",
            "",
            *table(("key", "what", "value", "example"), rows),
            "",
            (
                "A table names all its fields. Only the conditions of `plain_k_1` to `plain_k_5` may be left out:"
                " `is = { k = 20 }` holds for everyone, `is = { k = 40, age_below = 18 }` for whoever is younger."
            ),
            "",
            "## The rules",
            "",
            (
                "The values of US Chess since 2001 are on [their page](../rules/timeline.md);"
                " `ratebook rules show --on DAY --rules FILE.toml` shows what holds with a file laid over them."
            ),
            "",
            *table(("rule", "what", "unit"), rules),
            "",
        ]
    )
