"""What a study's results are of: the file ``study.lock``, from which anyone can compute the same cells again."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from ratebook import __version__
from ratebook.bounded_files import MOST_BYTES, bounded_bytes
from ratebook.lab.studies.running import Task
from ratebook.lab.studies.store import DIGITS, MEASURED, UNFINISHED, CellFiles, cell_files, history_digest
from ratebook.lab.studies.study import Study

LOCK = "study.lock"


class LockedVariant(NamedTuple):
    """A variant and where its cell lies; a competitor rates by other rules than those of the federation."""

    name: str
    levels: Mapping[str, str]
    place: CellFiles
    is_competitor: bool = False


class Lock(NamedTuple):
    """The variants of a study with their cells, the baseline first; *contents* is everything that the file holds.

    Attributes:
        history, variants: of the first world, or of the only history.
        others: the same of the worlds after it.
    """

    contents: Mapping[str, Any]
    history: Path
    variants: tuple[LockedVariant, ...]
    others: tuple["Lock", ...] = ()

    @property
    def since(self) -> date:
        """Return the first day of the scored years."""
        return date.fromisoformat(self.contents["measures"]["since"])

    @property
    def worlds(self) -> tuple["Lock", ...]:
        """Return each world with its own cells."""
        return (self, *self.others)

    @property
    def missing(self) -> tuple[LockedVariant, ...]:
        """Return the variants whose cells are not there, in any world."""
        return tuple(
            variant for world in self.worlds for variant in world.variants if not variant.place.is_there
        )


def write_lock(study: Study, tasks: tuple[Task, ...], results: Path) -> None:
    """Write what the results will be of.

    Raises:
        OSError: it cannot be written.
    """
    history = tasks[0].history
    of_first = [task for task in tasks if task.world == 0]
    contents = {
        "ratebook": __version__,
        "measured": MEASURED,
        "title": study.title,
        "question": study.question,
        "history": _inside(history, results),
        "digest": history_digest(history),
        "world": None if study.world is None else study.world._asdict(),
        "measures": study.measures._asdict(),
        "factors": {factor.name: list(factor.levels) for factor in study.factors},
        "ranges": {axis.rule: [axis.low, axis.high] for axis in study.ranges},
        "variants": [
            {
                "name": task.name,
                "levels": task.variant.levels,
                "cell": task.place.tables.stem,
                "competitor": task.measures.key.competitor and task.measures.key.competitor._asdict(),
                "rules": _overlay(task),
            }
            for task in of_first
        ],
        "others": [
            {
                "history": _inside(others[0].history, results),
                "cells": [task.place.tables.stem for task in others],
            }
            for number in range(1, study.seeds)
            if (others := [task for task in tasks if task.world == number])
        ],
    }
    unfinished = results / (LOCK + UNFINISHED)
    unfinished.write_text(json.dumps(contents, indent=1, default=str) + "\n", encoding="utf-8")
    unfinished.replace(results / LOCK)


def read_lock(results: Path) -> Lock:
    """Return what results are of.

    Raises:
        OSError: there is no such file.
        ValueError: it is none of ours, or of cells that hold something else than those of this version.
    """
    contents = json.loads(bounded_bytes(results / LOCK, MOST_BYTES))
    try:
        if contents["measured"] != MEASURED:
            raise ValueError(
                f"they were computed by ratebook {contents['ratebook']}, which measured something else"
            )
        variants = tuple(
            LockedVariant(
                row["name"], row["levels"], _place(results, row["cell"]), row.get("competitor") is not None
            )
            for row in contents["variants"]
        )
        others = tuple(
            Lock(
                contents,
                results / world["history"],
                tuple(
                    variant._replace(place=_place(results, cell))
                    for variant, cell in zip(variants, world["cells"], strict=True)
                ),
            )
            for world in contents["others"]
        )
        return Lock(contents, results / contents["history"], variants, others)
    except (KeyError, TypeError) as failure:
        raise ValueError(f"{LOCK} lacks {failure}") from failure


def _inside(history: Path, results: Path) -> str:
    """Return the folder of a history, from that of the results where it is within."""
    inside = history.is_relative_to(results)
    return history.relative_to(results).as_posix() if inside else str(history.absolute())


def _place(results: Path, name: str) -> CellFiles:
    if len(name) != DIGITS or not name.isalnum():
        raise ValueError(f"{LOCK} names a cell that is none")
    return cell_files(results, name)


def _overlay(task: Task) -> list[dict[str, Any]]:
    """Return the values that differ from the timeline's, as text."""
    return [
        {
            "rule": name,
            "from": dated.since.isoformat(),
            "is": dated.value,
            "systems": list(map(str, dated.systems)),
        }
        for name, dated in task.variant.rules.overlay_values
    ]
