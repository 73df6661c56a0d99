"""The report as one HTML file: no script and nothing from elsewhere, unless it is asked to be interactive."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined

from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.strata import CUTS
from ratebook.lab.report.pictures import FOLLOWING, Picture, pictures_of
from ratebook.lab.report.words import findings_in_words, limits
from ratebook.lab.studies.comparing import Blocks
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.summary import effects, summary
from ratebook.lab.studies.tables import tables_of
from ratebook.pages.look import light_colours, tokens

PNG_SCALE = 2.0


class StudyReport(NamedTuple):
    """A report: the page, and files of its pictures by name."""

    page: str
    files: Mapping[str, bytes]


def report_of(lock: Lock, blocks: Blocks = Blocks.PLAYER, *, interactive: bool = False) -> StudyReport:
    """Return the report of a study whose baseline is there.

    Args:
        lock: what the results are of.
        blocks: what holds games together in intervals.
        interactive: let the pictures show their numbers under the pointer, by a script in the page.

    Raises:
        OSError: the baseline's cell is not there.
    """
    lines = summary(lock, blocks)
    main = effects(lock, lines)
    pictures = pictures_of(lock, lines)
    drawn = [
        {
            "name": picture.name,
            "title": picture.title,
            "words": picture.words,
            "svg": "" if interactive else _in_page(vl_convert.vegalite_to_svg(picture.specification())),
        }
        for picture in pictures
    ]
    script = ""
    if interactive:
        calls = [
            f"vegaEmbed('#{picture.name}', {_as_script(picture)}, {{actions: false}});"
            for picture in pictures
        ]
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;") + "\n" + "\n".join(calls)
    page = (
        _templates()
        .get_template("report.html")
        .render(
            lock=lock.contents,
            tables=tables_of(_title(lock), lines, main, _about(blocks)),
            fitted={line.name: line.fitted for line in lines},
            findings=list(findings_in_words(lines, main)),
            limits=list(limits(lock)),
            pictures=drawn,
            parts=_parts(lock),
            classes=_side_by_side(lock, _by_class),
            divided=[("age", _side_by_side(lock, _by_age)), ("region", _side_by_side(lock, _by_region))],
            script=script,
            tokens=tokens(),
        )
    )
    return StudyReport(page, _files(pictures))


def _title(lock: Lock) -> str:
    measures = lock.contents["measures"]
    since = "" if measures["since"] <= date.min.isoformat() else f", from {measures['since']} on"
    return f"Games between established players, OTB {measures['system'].capitalize()}{since}"


def _about(blocks: Blocks) -> str:
    return (
        "The first line is the baseline. Differences from it have intervals of 95 % and are paired by"
        f" {blocks.value}. Log loss and excess are in nats a game; guessing has 0.693. Scale: by how much differences"
        " of ratings would have to be multiplied to forecast best. Bias: rating points. Drift: rating points a year."
    )


def _as_script(picture: Picture) -> str:
    # A closing tag in a text would end the script.
    return json.dumps(picture.specification()).replace("</", "<\\/")


def _in_page(svg: str) -> str:
    """Return a picture whose lines and words have the colours of the page, by day and by night."""
    for name in FOLLOWING:
        svg = svg.replace(f'="{light_colours()[name]}"', f'="var(--{name})"')
    return svg


def _files(pictures: Sequence[Picture]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for picture in pictures:
        specification = picture.specification("white")
        files[f"{picture.name}.svg"] = vl_convert.vegalite_to_svg(specification).encode()
        files[f"{picture.name}.png"] = vl_convert.vegalite_to_png(specification, scale=PNG_SCALE)
        files[f"{picture.name}.csv"] = picture.table().encode()
    return files


def _parts(lock: Lock) -> list[dict[str, Any]]:
    """Return for each part of the games the scores of the baseline, and which variant forecasts it best."""
    scores = [
        (variant.name, {(row.cut, row.value): row for row in kept(variant.place).scores})
        for variant in lock.variants
        if variant.place.is_there
    ]
    _, base = scores[0]
    parts = []
    for cut in CUTS:
        rows = []
        for part, row in base.items():
            if part[0] == cut:
                losses = {name: own[part].log_loss for name, own in scores if part in own}
                best = min(losses, key=losses.__getitem__)
                rows.append({"scores": row, "best": best, "gain": losses[best] - row.log_loss})
        if rows:
            parts.append({"cut": cut, "rows": rows})
    return parts


def _side_by_side(lock: Lock, rows: Callable[[CellContent], Mapping[int | str, object]]) -> dict[str, Any]:
    """Return the rows of all cells, by the part that they are of: one for each cell, None where it has none."""
    variants = [variant for variant in lock.variants if variant.place.is_there]
    sides = [rows(kept(variant.place)) for variant in variants]
    parts = sorted({part for side in sides for part in side})
    return {
        "names": [variant.name for variant in variants],
        "rows": [{"part": part, "cells": [side.get(part) for side in sides]} for part in parts],
    }


def _by_class(cell: CellContent) -> dict[int | str, object]:
    return {round(row.lowest): row for row in cell.changes.classes}


def _by_age(cell: CellContent) -> dict[int | str, object]:
    return {group.youngest: group for group in (cell.level[-1].ages if cell.level else ())}


def _by_region(cell: CellContent) -> dict[int | str, object]:
    return {group.region: group for group in (cell.level[-1].regions if cell.level else ())}


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("ratebook.lab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["signed"] = lambda value, digits=1: f"{value:+.{digits}f}"
    environment.filters["plain"] = lambda value, digits=1: f"{value:.{digits}f}"
    return environment
