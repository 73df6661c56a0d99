"""The report as one HTML file: no script and nothing from elsewhere, unless it is asked to be interactive."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined

from ratebook.lab.cells.gathering import MEASURES
from ratebook.lab.cells.measures import Measure
from ratebook.lab.report.pictures import Picture, pictures_of
from ratebook.lab.report.words import findings_in_words, limits
from ratebook.lab.studies.comparing import Blocks
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.summary import VariantLine, effects, summary

CUTS = ("rating class", "difference", "experience", "age", "section size", "year", "round")
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
            "svg": "" if interactive else vl_convert.vegalite_to_svg(picture.specification()),
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
            lines=lines,
            fitted={line.name: line.fitted for line in lines},
            more=[measure for measure in MEASURES if not measure.against_truth and _is_known(measure, lines)],
            against_truth=[
                measure for measure in MEASURES if measure.against_truth and _is_known(measure, lines)
            ],
            effects=main,
            findings=list(findings_in_words(lines, main)),
            limits=list(limits(lock)),
            pictures=drawn,
            parts=_parts(lock),
            classes=_side_by_side(lock, lambda cell: cell["changes"]["classes"]),
            divided=[
                (title, _side_by_side(lock, partial(_of_last_year, by)))
                for title, by in (("age", "ages"), ("region", "regions"))
            ],
            blocks=blocks.value,
            script=script,
        )
    )
    return StudyReport(page, _files(pictures))


def _is_known(measure: Measure, lines: Sequence[VariantLine]) -> bool:
    return any(measure.text(line.more[measure.name]) for line in lines)


def _as_script(picture: Picture) -> str:
    # A closing tag in a text would end the script.
    return json.dumps(picture.specification()).replace("</", "<\\/")


def _files(pictures: Sequence[Picture]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for picture in pictures:
        specification = picture.specification()
        files[f"{picture.name}.svg"] = vl_convert.vegalite_to_svg(specification).encode()
        files[f"{picture.name}.png"] = vl_convert.vegalite_to_png(specification, scale=PNG_SCALE)
        files[f"{picture.name}.csv"] = picture.table().encode()
    return files


def _parts(lock: Lock) -> list[dict[str, Any]]:
    """Return the log loss of each part of the games, of the baseline and of the others against it."""
    variants = [variant for variant in lock.variants if variant.place.is_there]
    cells = {variant.name: kept(variant.place) for variant in variants}
    base = cells[variants[0].name]
    parts = []
    for cut in CUTS:
        values = [score for score in base["scores"] if score["cut"] == cut]
        rows = []
        for score in values:
            same = {
                name: next(
                    (
                        each
                        for each in cell["scores"]
                        if (each["cut"], each["value"]) == (cut, score["value"])
                    ),
                    None,
                )
                for name, cell in cells.items()
            }
            best = min(
                (name for name, each in same.items() if each is not None),
                key=lambda name: same[name]["log_loss"],  # type: ignore[index]
            )
            rows.append({**score, "best": best, "gain": same[best]["log_loss"] - score["log_loss"]})  # type: ignore[index]
        if rows:
            parts.append({"cut": cut, "rows": rows})
    return parts


def _of_last_year(by: str, cell: dict[str, Any]) -> list[dict[str, Any]]:
    return cell["level"][-1][by] if cell["level"] else []


def _side_by_side(lock: Lock, rows: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the rows of all cells, by where they begin: one for each cell, None where it has none."""
    variants = [row for row in lock.variants if row.place.is_there]
    sides = [{row["from"]: row for row in rows(kept(variant.place))} for variant in variants]
    begins = sorted({start for row in sides for start in row})
    return {
        "names": [row.name for row in variants],
        "rows": [{"from": start, "cells": [row.get(start) for row in sides]} for start in begins],
    }


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("ratebook.lab.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["signed"] = lambda value, digits=1: "" if value is None else f"{value:+.{digits}f}"
    environment.filters["plain"] = lambda value, digits=1: "" if value is None else f"{value:.{digits}f}"
    return environment
