"""Pictures of a study, as specifications for Vega-Lite with the numbers that they show."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from ratebook.lab.cells.balance import CAUSES
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.strata import CLASS_POINTS
from ratebook.lab.studies.lock import Lock
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.summary import VariantLine
from ratebook.pages.look import light_colours

DIFFERENCES = "differences"
WIDTH, HEIGHT = 860, 360
MOST_LINES = 18
THREE_FACTORS = 3
"""A study of so many is shown as a grid of small pictures."""
FOLLOWING = ("ink", "quiet", "line", "edge", "accent")
"""Colours of a page, lighter or darker with it, that lines and words of pictures have."""
DASHES = ((1, 0), (7, 3), (2, 3), (12, 3, 2, 3), (4, 4), (1, 4))
"""Variants differ in their dashes besides their colours, as systems do on the pages of a book."""
Row = Mapping[str, object]


class Picture(NamedTuple):
    """A picture.

    Attributes:
        name: of its files.
        title: above it.
        words: what to look for.
        rows: the numbers that it shows.
        chart: how it shows them.
    """

    name: str
    title: str
    words: str
    rows: tuple[Row, ...]
    chart: alt.Chart | alt.LayerChart | alt.FacetChart

    def specification(self, background: str = "transparent") -> dict[str, Any]:
        """Return the picture as Vega-Lite, with its numbers."""
        specification: dict[str, Any] = self.chart.to_dict()
        return specification | {"background": background, "config": _look()}

    def table(self) -> str:
        """Return its numbers as CSV."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(self.rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return out.getvalue()


def pictures_of(lock: Lock, lines: Sequence[VariantLine]) -> tuple[Picture, ...]:
    """Return the pictures of a study whose cells are there; those that have nothing to show are left out."""
    cells = {variant.name: kept(variant.place) for variant in lock.variants if variant.place.is_there}
    pictures = (
        _differences(lines),
        _calibration(cells),
        _level(lock, cells),
        _lag(cells),
        _distribution(cells),
        _balance(cells),
    )
    return tuple(
        picture
        if picture.name == DIFFERENCES
        else picture._replace(words=f"{picture.words} {_sureness(lock)}")
        for picture in pictures
        if picture.rows
    )


def _sureness(lock: Lock) -> str:
    """Return why the lines of a picture have no intervals."""
    if len(lock.worlds) > 1:
        return (
            f"Of the first of {len(lock.worlds)} federations; the tables have the intervals over all of them."
        )
    return "Exact for this history; another one would give other figures, and one alone does not show by how much."


def _look() -> dict[str, Any]:
    """Return how all pictures look: the colours of the pages, quiet words, no frame."""
    ink, quiet, line, edge, accent = (light_colours()[name] for name in FOLLOWING)
    words = {"labelColor": quiet, "titleColor": quiet, "titleFontWeight": "normal"}
    sizes = {"labelFontSize": 12, "titleFontSize": 12}
    return {
        "font": "sans-serif",
        "view": {"stroke": None},
        "axis": words | sizes | {"gridColor": line, "domainColor": edge, "tickColor": edge},
        "legend": words | sizes | {"labelColor": ink},
        "header": words | sizes | {"labelColor": ink},
        "rule": {"color": accent},
        "point": {"color": accent},
    }


def _chart(rows: Sequence[Row]) -> alt.Chart:
    return alt.Chart(_data(rows)).properties(width=WIDTH, height=HEIGHT)


def _lines(rows: Sequence[Row], x: alt.X, y: alt.Y) -> alt.Chart:
    chart: alt.Chart = (
        _chart(rows).mark_line(point=True).encode(x=x, y=y, color=_colour(rows), strokeDash=_dash(rows))
    )
    return chart


def _data(rows: Sequence[Row]) -> alt.Data:
    return alt.Data(values=list(rows))  # type: ignore[no-untyped-call]


def _differences(lines: Sequence[VariantLine]) -> Picture:
    rows = tuple(
        {
            "variant": line.name,
            "difference": line.log_loss_difference.difference * 1000.0,
            "low": line.log_loss_difference.interval[0] * 1000.0,
            "high": line.log_loss_difference.interval[1] * 1000.0,
        }
        for line in lines[1:]
        if line.log_loss_difference.error > 0.0
    )
    names = [line.name for line in lines[1:]]
    base = _chart(rows).properties(height=max(80, 22 * len(rows)))
    title = "log loss less that of the baseline, thousandths of a nat a game"
    down = alt.Y("variant:N", sort=names, title=None, axis=alt.Axis(labelLimit=360))
    bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=title), x2="high:Q", y=down)
    points = base.mark_point(filled=True, size=60).encode(x="difference:Q", y=down)
    zero = (
        alt.Chart(_data([{"at": 0.0}]))
        .mark_rule(strokeDash=[4, 3], color=light_colours()["quiet"])
        .encode(x="at:Q")
    )
    return Picture(
        DIFFERENCES,
        "Forecasts against the baseline",
        "Left of the line a variant forecasts better. The bars are intervals of 95 %, each for itself: not adjusted for"
        " how many there are.",
        rows,
        zero + bars + points,
    )


def _calibration(cells: Mapping[str, CellContent]) -> Picture:
    rows = tuple(
        {
            "variant": name,
            "difference": row.difference,
            "games": row.games,
            "forecast": row.forecast / row.games,
            "score": row.score / row.games,
        }
        for name, cell in _some(cells)
        for row in cell.calibration
        if row.games >= 30  # noqa: PLR2004 - fewer would be noise
    )
    base = _chart(rows)
    x = alt.X("difference:Q", title="difference of ratings before the section, points")
    scale, title = alt.Scale(domain=[0.4, 1.0]), "score of the favourite"
    forecast, score = (alt.Y(f"{name}:Q", title=title, scale=scale) for name in ("forecast", "score"))
    formula = base.mark_line(strokeDash=[4, 3], color=light_colours()["quiet"]).encode(x=x, y=forecast)
    outcome = base.mark_line(opacity=0.7).encode(x=x, y=score, color=_colour(rows), strokeDash=_dash(rows))
    return Picture(
        "calibration",
        "What favourites score",
        "The dashed grey line is what the formula expects of a rating difference; a curve below it shows that players"
        " are closer in strength than their ratings say.",
        rows,
        formula + outcome,
    )


def _level(lock: Lock, cells: Mapping[str, CellContent]) -> Picture:
    panels = _panels(lock)
    rows = tuple(
        {
            "variant": name,
            **panels.get(name, {}),
            "year": row.year,
            "players": row.cohort.players,
            "mean": row.cohort.mean,
            "strength": row.cohort.strength,
            "level": row.cohort.level,
        }
        for name, cell in _some(cells)
        if not panels or name in panels
        for row in cell.level
        if row.cohort.players
    )
    has_strength = any(row["strength"] is not None for row in rows)
    title = "mean rating less mean strength, points" if has_strength else "mean rating, points"
    by_year = alt.X("year:O", title=None, axis=alt.Axis(labelAngle=0))
    level = alt.Y("level:Q", title=title, scale=alt.Scale(zero=False))
    chart: alt.Chart | alt.FacetChart = _lines(rows, by_year, level)
    if panels:
        across, down, within = _factors_shown(lock)
        years = sorted({row.year for _, cell in _some(cells) for row in cell.level if row.cohort.players})
        few = alt.Axis(labelAngle=0, values=years[:: max(1, len(years) // 3)])
        chart = (
            _chart(rows)
            .mark_line(point=True)
            .encode(
                x=alt.X("year:O", title=None, axis=few),
                y=alt.Y("level:Q", title="points", scale=alt.Scale(zero=False)),
                color=alt.Color("line:N", title=within, sort=None, legend=alt.Legend(orient="bottom")),
            )
            .properties(width=WIDTH // 3 - 20, height=HEIGHT // 2)
            .facet(
                column=alt.Column("across:N", title=across, sort=lock.contents["factors"][across]),
                row=alt.Row("down:N", title=down, sort=lock.contents["factors"][down]),
            )
        )
    return Picture(
        "level",
        "The level of the monitoring cohort",
        "Players of 35 to 45 years, established, and active in the year and in the three before."
        f" Shown is the {title.removesuffix(', points')}."
        + (" A rising line is inflation: ratings grow, and strength does not." if has_strength else ""),
        rows,
        chart,
    )


def _panels(lock: Lock) -> dict[str, dict[str, str]]:
    """Return for each variant of three factors in which panel it is, and as which line; nothing for other studies."""
    if len(lock.contents["factors"]) != THREE_FACTORS:
        return {}
    across, down, within = _factors_shown(lock)
    return {
        variant.name: {
            "across": variant.levels[across],
            "down": variant.levels[down],
            "line": variant.levels[within],
        }
        for variant in lock.variants
        if not variant.is_competitor
    }


def _factors_shown(lock: Lock) -> list[str]:
    """Return the factors, those with the most levels first: across, down, and as lines of a panel."""
    levels: Mapping[str, Sequence[str]] = lock.contents["factors"]
    return sorted(levels, key=lambda factor: -len(levels[factor]))


def _lag(cells: Mapping[str, CellContent]) -> Picture:
    rows = tuple(
        {
            "variant": name,
            "strength": row.lowest + CLASS_POINTS / 2.0,
            "entries": row.entries,
            "lag": row.points,
        }
        for name, cell in _some(cells)
        for row in (cell.truth.lag.classes if cell.truth.lag else ())
        if row.entries >= 30  # noqa: PLR2004 - fewer would be noise
    )
    strength = alt.X("strength:Q", title="strength, points", scale=alt.Scale(zero=False))
    return Picture(
        "lag",
        "How far ratings are behind players who improve",
        "Players who gain 50 points of strength or more in a year, by class of strength, against players of the same"
        " class who keep theirs. At zero, ratings are up to date.",
        rows,
        _lines(rows, strength, alt.Y("lag:Q", title="strength less rating, points")),
    )


def _distribution(cells: Mapping[str, CellContent]) -> Picture:
    rows = tuple(
        {"variant": name, "percentile": int(percent), "rating": rating}
        for name, cell in _some(cells)
        if cell.level
        for percent, rating in (cell.level[-1].active.percentiles or {}).items()
    )
    percentile = alt.X("percentile:Q", title="percentile of active established players at the end")
    chart = _lines(rows, percentile, alt.Y("rating:Q", title="rating, points", scale=alt.Scale(zero=False)))
    return Picture("distribution", "How ratings are spread", "At the end of the last year.", rows, chart)


def _balance(cells: Mapping[str, CellContent]) -> Picture:
    name, cell = next(iter(cells.items()))
    shown = [cause for cause in CAUSES if cause not in {"openings", "entry"}]
    rows = tuple(
        {"variant": name, "year": row.year, "cause": cause, "points": row.causes[cause]}
        for row in cell.balance
        for cause in shown
        if abs(row.causes[cause]) >= 0.5  # noqa: PLR2004 - less than a point is not seen
    )
    chart = (
        _chart(rows)
        .mark_bar()
        .encode(
            x=alt.X("year:O", title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("points:Q", title="points that enter the pool"),
            color=alt.Color("cause:N", sort=shown, title=None),
        )
    )
    return Picture(
        "balance",
        "Where rating points come from",
        f"The baseline, {name}, without first ratings and without what leaves with members. The special"
        " formula moves newcomers from a guessed first rating to their level: no inflation.",
        rows,
        chart,
    )


def _some(cells: Mapping[str, CellContent]) -> Iterator[tuple[str, CellContent]]:
    """Yield as many cells as a picture can tell apart, the baseline first."""
    yield from list(cells.items())[:MOST_LINES]


def _colour(rows: Sequence[Row]) -> alt.Color:
    names = _names(rows)
    scheme = "tableau20" if len(names) > 10 else "tableau10"  # noqa: PLR2004 - colours of the smaller palette
    return alt.Color(
        "variant:N",
        sort=names,
        title=None,
        scale=alt.Scale(domain=names, scheme=scheme),  # type: ignore[arg-type]
        legend=_legend(),
    )


def _dash(rows: Sequence[Row]) -> alt.StrokeDash:
    names = _names(rows)
    dashes = [DASHES[number % len(DASHES)] for number in range(len(names))]
    return alt.StrokeDash(
        "variant:N", sort=names, title=None, scale=alt.Scale(domain=names, range=dashes), legend=_legend()
    )


def _names(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(str(row["variant"]) for row in rows))


def _legend() -> alt.Legend:
    return alt.Legend(orient="bottom", columns=2, labelLimit=330, symbolSize=600, symbolType="stroke")
