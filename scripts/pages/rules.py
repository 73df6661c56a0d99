"""The pages of all rules and of the inferred values among them, and the snapshot of the timeline that ships."""

from __future__ import annotations

import re

from scripts.pages.citations import PAGES_BY_CODE
from scripts.pages.places import DOCS
from scripts.pages.timeline import render_timeline_page

from ratebook.model import System
from ratebook.rules.loading import parse_files, read_files
from ratebook.rules.rulebook import load_rulebook
from ratebook.rules.snapshot import TIMELINE, digest_of, text_of_contents
from ratebook.rules.timeline import INFERRED


def timeline_snapshot() -> str:
    """Return the timeline files as they are now, parsed (`ratebook.rules.snapshot`)."""
    files = read_files(TIMELINE)
    return f'{{"digest":{digest_of(files)},"files":{text_of_contents(parse_files(files))}}}\n'


def timeline_page() -> str:
    """Return the page of all rules with all their dated values; the documents that are pages here are links."""
    text = render_timeline_page(load_rulebook())
    for code, page in PAGES_BY_CODE.items():
        text = text.replace(f"| {code} |", f"| [{code}]({page.removeprefix('docs/rules/')}) |", 1)
    return text


def inferred_page() -> str:
    """Return the page of inferred readings with its table of inferred values made anew."""
    text = (DOCS / "inferred.md").read_text(encoding="utf-8")
    begin, end = "<!-- inferred values: begin -->\n", "<!-- inferred values: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    rows = ["| rule | from | systems | source | what is inferred |", "| --- | --- | --- | --- | --- |"]
    for rule in load_rulebook().rules.values():
        for value in rule.values:
            if value.status == INFERRED:
                note = value.note.replace("|", r"\|")
                systems = "all" if len(value.systems) == len(System) else ", ".join(value.systems)
                rows.append(
                    f"| [`{rule.name}`](rules/timeline.md#{rule.name}) | {value.since} | {systems} "
                    f"| {value.document}, {value.where} | {note} |"
                )
    return pattern.sub(lambda _: begin + "\n".join(rows) + "\n" + end, text)
