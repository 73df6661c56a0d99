"""The pages of all rules and of the inferred values among them, and the snapshot of the timeline that ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from scripts.pages.citations import PAGES_BY_CODE
from scripts.pages.markdown import table, with_part
from scripts.pages.places import DOCS

from ratebook.model import System
from ratebook.rules.loading import ALL_SYSTEMS, parse_files, read_files
from ratebook.rules.rulebook import Rulebook, load_rulebook
from ratebook.rules.snapshot import TIMELINE, digest_of, text_of_contents
from ratebook.rules.timeline import INFERRED, DatedValue, Document, Rule, Value, fields_of_rule


def timeline_snapshot() -> str:
    """Return the timeline files as they are now, parsed (`ratebook.rules.snapshot`)."""
    files = read_files(TIMELINE)
    return f'{{"digest":{digest_of(files)},"files":{text_of_contents(parse_files(files))}}}\n'


_OPENING = """\
# Every rule since {year}

Made from `src/ratebook/rules/timeline/*.toml`; change those files, not this page.

A value applies to sections that **start** on its day or later, until the next value of the same system.
If no start is known, the end counts. *documented* means that a document states the value and its date;
*published* that published ratings confirm them too, as many as the note says;
*inferred* means that the value or the date is this project's reading, and the note says which.
*off* means that there was no such rule, *unlimited* that there is no upper end.
"""


def render_timeline_page(rulebook: Rulebook) -> str:
    """Return the page of all rules with all their dated values as Markdown."""
    parts = [_OPENING.format(year=rulebook.first_day.year), _documents_table(rulebook.documents.values())]
    subject = ""
    for rule in rulebook.rules.values():
        if rule.subject != subject:
            subject = rule.subject
            parts.append(f"## {_subject_title(subject)}\n")
        parts.append(_rule_section(rule))
    return "\n".join(parts)


def _documents_table(documents: Iterable[Document]) -> str:
    rows = [(document.code, document.date, document.title, document.what) for document in documents]
    return "\n".join(["## Documents", "", *table(("code", "date", "title", "what"), rows), ""])


def _subject_title(subject: str) -> str:
    words = subject.replace("_", " ").replace("fide", "FIDE")
    return words[0].upper() + words[1:]


def _rule_section(rule: Rule) -> str:
    fields = fields_of_rule(rule.name)
    named = "" if fields == (rule.name,) else f" Fields: {', '.join(f'`{field}`' for field in fields)}."
    rows = (_value_row(dated) for dated in rule.values)
    lines = table(("from", "systems", "value", "status", "source", "note"), rows)
    return "\n".join([f"### `{rule.name}`", "", rule.what, f"Unit: {rule.unit}.{named}", "", *lines, ""])


def _value_row(dated: DatedValue) -> tuple[str, ...]:
    source = f"{dated.document}, {dated.where}"
    return (
        str(dated.since),
        _systems_text(dated.systems),
        _value_text(dated.value),
        dated.status,
        source,
        dated.note,
    )


def _systems_text(systems: tuple[System, ...]) -> str:
    if systems == ALL_SYSTEMS:
        return "all"
    if all(system in systems for system in ALL_SYSTEMS if not system.online):
        others = [system for system in systems if system.online]
        return ", ".join(["OTB", *others])
    if all(system in systems for system in ALL_SYSTEMS if system.online):
        others = [system for system in systems if not system.online]
        return ", ".join([*others, "online"])
    return ", ".join(systems)


def _value_text(value: Value) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value_text(entry)}" for key, entry in value.items())
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, str):
        return value
    number = Decimal(repr(value))  # a float's repr may have an exponent, which readers do not expect
    return f"{number.to_integral_value() if number == number.to_integral_value() else number:f}"


def timeline_page() -> str:
    """Return the page of all rules with all their dated values; the documents that are pages here are links."""
    text = render_timeline_page(load_rulebook())
    for code, page in PAGES_BY_CODE.items():
        text = text.replace(f"| {code} |", f"| [{code}]({page.removeprefix('docs/rules/')}) |", 1)
    return text


def inferred_page() -> str:
    """Return the page of inferred readings with its table of inferred values made anew."""
    rows = [
        (
            f"[`{rule.name}`](rules/timeline.md#{rule.name})",
            str(value.since),
            "all" if value.systems == ALL_SYSTEMS else ", ".join(value.systems),
            f"{value.document}, {value.where}",
            value.note,
        )
        for rule in load_rulebook().rules.values()
        for value in rule.values
        if value.status == INFERRED
    ]
    lines = table(("rule", "from", "systems", "source", "what is inferred"), rows)
    return with_part((DOCS / "inferred.md").read_text(encoding="utf-8"), "inferred values", lines)
