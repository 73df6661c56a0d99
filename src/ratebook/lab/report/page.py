"""The report as one HTML file: no script and nothing from elsewhere, unless it is asked to be interactive."""

import json
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined

from ratebook.lab.cells.strata import CUTS
from ratebook.lab.report.divided import ABREAST, batched, divided_tables
from ratebook.lab.report.glance import glance_of
from ratebook.lab.report.pictures import FOLLOWING, Panel, Picture, pictures_of
from ratebook.lab.report.settings import rules_in_words, settings_in_words, words_of_rule
from ratebook.lab.report.words import ALPHA, findings_in_words, limits
from ratebook.lab.studies.comparing import DEFAULT_BLOCKS, Blocks, holm
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.summary import VariantLine, cells_of, summary
from ratebook.lab.studies.tables import notes_on_intervals, tables_of, with_interval
from ratebook.model import System
from ratebook.pages.look import light_colours, tokens, with_minus
from ratebook.records.system_titles import SYSTEM_TITLES

PNG_SCALE = 2.0


class StudyReport(NamedTuple):
    """A report: what is said first, the page, and the pictures."""

    sentences: tuple[str, ...]
    page: str
    pictures: tuple[Picture, ...]

    @property
    def files(self) -> dict[str, bytes]:
        """Return files of the pictures by name."""
        files: dict[str, bytes] = {}
        for picture in self.pictures:
            specification = picture.specification("white")
            files[f"{picture.name}.svg"] = vl_convert.vegalite_to_svg(specification).encode()
            files[f"{picture.name}.png"] = vl_convert.vegalite_to_png(specification, scale=PNG_SCALE)
            files[f"{picture.name}.csv"] = picture.table().encode()
        return files


def report_of(
    lock: Lock,
    blocks: Blocks = DEFAULT_BLOCKS,
    progress: Callable[[int, int], None] | None = None,
    *,
    interactive: bool = False,
) -> StudyReport:
    """Return the report of a study whose baseline is there.

    Args:
        lock: what the results are of.
        blocks: what holds games together in intervals.
        progress: called after each cell with how many are compared, and how many there are.
        interactive: let the pictures show their numbers under the pointer, by a script in the page.

    Raises:
        OSError: the baseline's cell is not there.
    """
    lines, main = summary(lock, blocks, progress)
    cells = cells_of(lock)
    glance = glance_of(cells, lock.since.year)
    pictures = pictures_of(cells, lines)
    script = ""
    if interactive:
        # A closing tag in a text would end the script.
        drawn = {
            picture.name: json.dumps(picture.specification()).replace("</", "<\\/") for picture in pictures
        }
        calls = [f"vegaEmbed('#{name}', {picture}, {{actions: false}});" for name, picture in drawn.items()]
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;") + "\n" + "\n".join(calls)
    first, *others = (variant["rules"] for variant in lock.contents["variants"])
    varied = [rule["rule"] for rules in others for rule in rules if rule not in first]
    page = (
        _templates()
        .get_template("report.html")
        .render(
            lock=lock.contents,
            glance=glance,
            tables=list(tables_of(_title(lock), lines, main)),
            fitted={line.name: line.fitted for line in lines},
            findings=list(findings_in_words(lines, main, varied)),
            limits=list(limits(lock)),
            pictures=[(picture, _drawn(picture, interactive=interactive)) for picture in pictures],
            parts=_parts(lines),
            intervals=list(notes_on_intervals(lock, lines, blocks)),
            divided=divided_tables(lock),
            rules=list(rules_in_words(lock, cells)),
            world=settings_in_words(lock.contents["world"] or {}),
            told=[],
            script=script,
            tokens=tokens(),
        )
    )
    return StudyReport(glance.sentences, page, pictures)


def _title(lock: Lock) -> str:
    measures = lock.contents["measures"]
    since = "" if measures["since"] <= date.min.isoformat() else f", from {measures['since']} on"
    system = SYSTEM_TITLES[System(measures["system"])]
    return f"Games between established players, {system}{since}; the first line is the baseline"


def _drawn(picture: Picture, *, interactive: bool) -> list[tuple[Panel, str]]:
    """Return the panels of a picture with their drawings, which have the colours of the page, by day and by night."""
    return [
        (panel, "" if interactive else _in_page(vl_convert.vegalite_to_svg(panel.specification())))
        for panel in picture.panels
    ]


def _in_page(svg: str) -> str:
    """Return a picture whose lines and words have the colours of the page, by day and by night."""
    for name in FOLLOWING:
        svg = svg.replace(f'="{light_colours()[name]}"', f'="var(--{name})"')
    return svg


def _parts(lines: Sequence[VariantLine]) -> list[dict[str, Any]]:
    """Return for each part of the games of the baseline how the variants differ from it, on the same games."""
    losses = {
        (line.name, part.cut, part.value): part.loss for line in lines for part in line.parts if part.cut
    }
    base, *others = (line.name for line in lines)
    parts = []
    for cut in CUTS:
        values = [part.value for part in lines[0].parts if part.cut == cut]
        shown = [key for value in values for name in others if (key := (name, cut, value)) in losses]
        adjusted = dict(zip(shown, holm([losses[key].p for key in shown]), strict=True))
        texts = {
            key: with_interval(losses[key]) + ("*" if chance < ALPHA else "")
            for key, chance in adjusted.items()
        }
        for names in batched(others, ABREAST) if values else ():
            rows = [
                {
                    "value": value,
                    "base": losses[base, cut, value],
                    "cells": [texts.get((name, cut, value), "") for name in names],
                }
                for value in values
            ]
            parts.append({"cut": cut, "names": names, "rows": rows})
    return parts


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("ratebook.lab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"words_of_rule": words_of_rule}
    environment.filters["minus"] = with_minus
    environment.filters["plain"] = lambda value, digits=1: f"{value:.{digits}f}"
    return environment
