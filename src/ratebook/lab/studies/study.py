"""A study as its TOML file says: the history, factors with their levels, what is measured, from when."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from ratebook.bounded_files import bounded_text
from ratebook.findings import Finding, Place, finding
from ratebook.lab.cells.measures import Measures
from ratebook.lab.competitors.competitor import FITTED, FORECASTS, Competitor
from ratebook.lab.competitors.systems import competitors_of, names_of_competitors
from ratebook.lab.worlds.world import World, read_world, world_of
from ratebook.model import System
from ratebook.plugins import ContractError
from ratebook.rules.rulebook import Rulebook, load_rulebook

MOST_CELLS = 10_000
MOST_SEEDS = 1_000
MOST_WHITE = 200
HIGHEST = 1e9
"""Of a value of a rule."""
Overlay = Path | Mapping[str, object]
"""A file in the format of the timeline, or values of rules for all days."""


class Factor(NamedTuple):
    """Something that varies, and the overlay of each of its levels; the first one is the baseline's unless said."""

    name: str
    levels: Mapping[str, Overlay]


class Range(NamedTuple):
    """A rule whose value is drawn between two bounds."""

    rule: str
    low: float
    high: float


class Study(NamedTuple):
    """A study of a *history* (its folder), or of *seeds* worlds that are made, each with the next seed.

    Its combinations are of levels (*factors*; those of *variants*, or all) and of *samples* draws of a Latin hypercube
    from *ranges*, by *seed*; others are compared with the *baseline*. *title* and *question* are for the report. Values
    are looked for in the games before *tune_until*, and reported on the games from then on; None: half of the scored
    years each.
    """

    title: str
    question: str
    history: Path | None
    world: World | None
    factors: tuple[Factor, ...]
    ranges: tuple[Range, ...]
    samples: int
    seed: int
    variants: tuple[Mapping[str, str], ...]
    baseline: Mapping[str, str]
    measures: Measures
    competitors: tuple[Competitor, ...] = ()
    seeds: int = 1
    tune_until: date | None = None


def of_world(study: Study, number: int) -> Study:
    """Return a study of one of its worlds alone, from 0; that of a history as it is."""
    if study.world is None:
        return study
    return study._replace(world=study.world._replace(seed=study.world.seed + number), seeds=1)


class Variant(NamedTuple):
    """One combination: its levels or drawn values by name, and the rules that they make.

    A *competitor* rates instead of the rules: these are the baseline's, and say what is rated and how members begin.
    """

    levels: Mapping[str, str]
    rules: Rulebook
    competitor: Competitor | None = None

    @property
    def name(self) -> str:
        """Return the levels in a line."""
        return ", ".join(f"{name} {level}" for name, level in self.levels.items()) or "the rules as they are"


class StudyError(Exception):
    """A study cannot be run; *findings* say why."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


KEYS: Mapping[str, type | tuple[type, ...]] = {
    "title": str, "question": str, "history": str, "world": (str, dict), "score-from": date, "system": str,
    "baseline": dict, "factor": dict, "variant": list, "range": dict, "samples": int, "seed": int,
    "competitors": dict, "three-way": bool, "seeds": int, "tune-until": date, "white": (int, float),
}  # fmt: skip
MOST_NUMBERS = {"samples": MOST_CELLS, "seed": 2**63 - 1, "three-way": 1, "seeds": MOST_SEEDS}
"""Of the settings that are whole numbers."""


def read_study(path: Path) -> Study:
    """Return the study in a file; its paths are relative to the file's folder.

    Raises:
        StudyError: something in it is not understood.
        OSError: it cannot be read.
    """
    where = Place(file=path.name)
    try:
        settings = tomllib.loads(bounded_text(path))
    except (ValueError, RecursionError) as failure:
        raise _refused("study-not-read.toml", where, failure=str(failure)) from failure
    for name, value in settings.items():
        if name not in KEYS:
            raise _refused("study-not-read.name", where.inner(name), names=", ".join(KEYS))
        # A truth value is a number to Python, and a moment a day.
        misread = isinstance(value, bool | datetime) and KEYS[name] is not bool
        if misread or not isinstance(value, KEYS[name]):
            raise _refused("study-not-read.kind", where.inner(name))
        if isinstance(value, int) and name in MOST_NUMBERS and not 0 <= value <= MOST_NUMBERS[name]:
            raise _refused("study-not-read.number", where.inner(name), most=MOST_NUMBERS[name])
    folder = path.parent
    history, world = _source(settings, where, folder)
    factors = tuple(
        _factor(name, overlays, where, folder) for name, overlays in settings.get("factor", {}).items()
    )
    ranges = tuple(_range(rule, ends, where) for rule, ends in settings.get("range", {}).items())
    baseline = {factor.name: next(iter(factor.levels)) for factor in factors} | settings.get("baseline", {})
    variants = tuple(settings.get("variant", ()))
    for levels in (*variants, baseline):
        _check_levels(levels, factors, where)
    system = settings.get("system", System.REGULAR.value)
    if system not in set(System):
        raise _refused("study-not-read.system", where.inner("system"), systems=", ".join(System))
    seeds, white = settings.get("seeds", 1), float(settings.get("white", 0.0))
    if not 0.0 <= white <= MOST_WHITE:
        raise _refused("study-not-read.white", where.inner("white"), most=MOST_WHITE)
    competitors = _competitors(settings, where, folder)
    if seeds < 1 or (seeds > 1 and world is None):
        raise _refused("study-not-read.seeds", where.inner("seeds"), most=MOST_SEEDS)
    return Study(
        title=settings.get("title", path.stem),
        question=settings.get("question", ""),
        history=history,
        world=world,
        factors=factors,
        ranges=ranges,
        samples=settings.get("samples", 0),
        seed=settings.get("seed", 1),
        variants=variants,
        baseline=baseline,
        measures=Measures(
            System(system),
            settings.get("score-from", date.min),
            three_way=settings.get("three-way", False),
            white=white,
        ),
        competitors=competitors,
        seeds=seeds,
        tune_until=settings.get("tune-until"),
    )


def variants_of(study: Study) -> tuple[Variant, ...]:
    """Return the variants of a study, the baseline first.

    Raises:
        StudyError: an overlay does not fit the timeline, or there are too many.
    """
    # Counted before they are made.
    cells = len(study.variants) or math.prod(len(factor.levels) for factor in study.factors)
    cells *= (1 + study.samples if study.ranges else 1) * study.seeds
    if cells > MOST_CELLS:
        raise _refused("study-not-read.cells", Place(subject=study.title), cells=cells, most=MOST_CELLS)
    combinations = [study.baseline]
    combinations += [levels for levels in _combinations(study) if levels != study.baseline]
    if study.ranges:
        drawn = list(_drawn(study))
        combinations = [{**levels, **values} for levels in combinations for values in ({}, *drawn)]
    base, *others = (Variant(levels, _rules(study, levels)) for levels in combinations)
    return (
        base,
        *others,
        *(Variant(competitor.levels, base.rules, competitor) for competitor in study.competitors),
    )


def _combinations(study: Study) -> Iterator[Mapping[str, str]]:
    names = [factor.name for factor in study.factors]
    every = (
        dict(zip(names, levels, strict=True))
        for levels in product(*(factor.levels for factor in study.factors))
    )
    yield from ({**study.baseline, **levels} for levels in study.variants or every)


def _drawn(study: Study) -> Iterator[dict[str, str]]:
    """Yield the points of a Latin hypercube: each range is cut into as many strips as there are samples."""
    from scipy.stats import qmc  # noqa: PLC0415 - only designs of this kind need it

    points = qmc.LatinHypercube(len(study.ranges), rng=study.seed).random(study.samples)
    for point in points.tolist():
        yield {
            axis.rule: repr(axis.low + (axis.high - axis.low) * place)
            for axis, place in zip(study.ranges, point, strict=True)
        }


def _rules(study: Study, levels: Mapping[str, str]) -> Rulebook:
    rules = load_rulebook()
    by_name = {factor.name: factor for factor in study.factors}
    try:
        for name, level in levels.items():
            if name in by_name:
                rules = _overlaid(rules, by_name[name].levels[level])
            else:
                rules = rules.with_overlay({name: level})
        rules.check_resolves()
    except (ValueError, OSError) as failure:
        raise _refused(
            "study-not-read.rules", Place(subject=f"{name} {level}"), failure=str(failure).rstrip(".")
        ) from failure
    return rules


def _overlaid(rules: Rulebook, overlay: Overlay) -> Rulebook:
    if isinstance(overlay, Path) or any(isinstance(value, dict | list) for value in overlay.values()):
        return rules.with_overlay_file(overlay)
    return rules.with_overlay({name: str(value) for name, value in overlay.items()})


def _source(settings: Mapping[str, Any], where: Place, folder: Path) -> tuple[Path | None, World | None]:
    if ("history" in settings) == ("world" in settings):
        raise _refused("study-not-read.source", where)
    if "history" in settings:
        return folder / settings["history"], None
    place = settings["world"]
    world: World | tuple[Finding, ...]
    if isinstance(place, dict):
        world = world_of(place, where)
    else:
        try:
            world = read_world(bounded_text(folder / place), place)
        except ValueError as failure:
            raise _refused("study-not-read.toml", where.inner(place), failure=str(failure)) from failure
    if not isinstance(world, World):
        raise StudyError(world)
    return None, world


def _factor(name: str, levels: object, where: Place, folder: Path) -> Factor:
    if not isinstance(levels, dict) or not levels:
        raise _refused("study-not-read.levels", where.inner(f"factor.{name}"))
    overlays: dict[str, Overlay] = {}
    for level, overlay in levels.items():
        if isinstance(overlay, str):
            overlays[level] = folder / overlay
        elif isinstance(overlay, dict):
            overlays[level] = overlay
        else:
            raise _refused("study-not-read.levels", where.inner(f"factor.{name}.{level}"))
    return Factor(name, overlays)


def _competitors(settings: Mapping[str, Any], where: Place, folder: Path) -> tuple[Competitor, ...]:
    try:
        competitors = competitors_of(settings.get("competitors", {}), folder)
    except OSError as failure:
        reason = failure.strerror or str(failure)
        raise _refused("file-unreadable.text", Place(file=str(failure.filename)), reason=reason) from failure
    except ContractError as failure:
        raise _refused(
            "plugin-failed.competitor", where.inner("competitors"), name="competitors", reason=str(failure)
        ) from failure
    except ValueError as failure:
        raise _refused(
            "study-not-read.competitor",
            where.inner(f"competitors.{failure}"),
            names=", ".join(names_of_competitors()),
            fitted=FITTED,
        ) from failure
    if "world" in settings and any(competitor.method == FORECASTS for competitor in competitors):
        raise _refused("study-not-read.forecasts", where.inner(f"competitors.{FORECASTS}"))
    if "score-from" not in settings:
        if any(competitor.fitted for competitor in competitors):
            raise _refused("study-not-read.training", where.inner("competitors"))
        if settings.get("three-way"):
            raise _refused("study-not-read.training", where.inner("three-way"))
    return competitors


def _range(rule: str, value: object, where: Place) -> Range:
    if not isinstance(value, dict) or not {"from", "to"} == value.keys():
        raise _refused("study-not-read.range", where.inner(f"range.{rule}"))
    low, high = value["from"], value["to"]
    numbers = all(isinstance(end, int | float) and not isinstance(end, bool) for end in (low, high))
    if not numbers or not -HIGHEST <= low < high <= HIGHEST:
        raise _refused("study-not-read.range", where.inner(f"range.{rule}"))
    return Range(rule, float(low), float(high))


def _check_levels(levels: object, factors: tuple[Factor, ...], where: Place) -> None:
    by_name = {factor.name: factor for factor in factors}
    if not isinstance(levels, dict):
        raise _refused("study-not-read.kind", where.inner("variant"))
    for name, level in levels.items():
        if name not in by_name:
            raise _refused("study-not-read.factor", where.inner(name), names=", ".join(by_name))
        if not isinstance(level, str) or level not in by_name[name].levels:
            raise _refused(
                "study-not-read.level",
                where.inner(name),
                level=str(level),
                names=", ".join(by_name[name].levels),
            )


def _refused(case: str, where: Place, **values: object) -> StudyError:
    return StudyError((finding(case, where, **values),))
