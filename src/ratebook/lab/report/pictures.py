"""Pictures of a study: panels as specifications for Vega-Lite, with the numbers that they show.

Each panel has one variant, solid, beside the baseline, dashed: so nothing depends on colours, and nothing is hidden.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import altair as alt

from ratebook.lab.cells.balance import CAUSES
from ratebook.lab.cells.content import CellContent
from ratebook.lab.cells.strata import CLASS_POINTS
from ratebook.lab.studies.summary import Cells, VariantLine, mean_of
from ratebook.pages.look import light_colours

WIDTH, HEIGHT, ABREAST = 250, 150, 3
LINE_HEIGHT = 34
MOST_PANELS = 17
LEAST_ENTRIES = 30
"""Fewer in a point would be noise."""
FOLLOWING = ("ink", "quiet", "line", "edge", "accent")
"""Colours of a page, lighter or darker with it, that lines and words of pictures have."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""Pictures are laid out with the first one; the next ones are as wide."""
DASHED = [5, 3]
UPWARDS = alt.Axis(tickCount=5, titleAngle=0, titleAlign="left", titleX=-30, titleY=-10)
"""The title of an axis that goes up is above it: beside it, it would be longer than the axis."""
OF_NEWCOMERS = ("openings", "entry", "special formula")
Row: TypeAlias = Mapping[str, Any]
Points: TypeAlias = Iterator[tuple[float, float]]


class Panel(NamedTuple):
    """A part of a picture: what it is of, what it shows in words, and how it is drawn."""

    title: str
    words: str
    chart: alt.LayerChart | alt.FacetChart

    def specification(self) -> dict[str, Any]:
        """Return it alone as Vega-Lite, without its title."""
        return {**self.chart.to_dict(), **_look("transparent")}


class Picture(NamedTuple):
    """A picture: its files' *name*, title, what to look for, the numbers that it shows and what dashed lines are."""

    name: str
    title: str
    words: str
    rows: tuple[Row, ...]
    panels: tuple[Panel, ...]
    reference: str = ""

    def specification(self, background: str = "transparent") -> dict[str, Any]:
        """Return all panels together as Vega-Lite, with their numbers."""
        titled = [panel.chart.properties(title=panel.title) for panel in self.panels]
        return {**alt.concat(*titled, columns=ABREAST).to_dict(), **_look(background)}

    def table(self) -> str:
        """Return its numbers as CSV."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(self.rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return out.getvalue()


class CurvePicture(NamedTuple):
    """A picture of curves; *across* and *up* name its columns with the titles of its axes.

    *reference* yields the points beside which those of a cell are drawn; None: those of the baseline.
    """

    name: str
    title: str
    words: str
    across: tuple[str, str]
    up: tuple[str, str]
    read: Callable[[CellContent], Points]
    reference: Callable[[CellContent], Points] | None = None


def pictures_of(cells: Cells, lines: Sequence[VariantLine]) -> tuple[Picture, ...]:
    """Return the pictures of a study; those that have nothing to show are left out."""
    shown = dict(list(cells.items())[: MOST_PANELS + 1])
    has_strength = any(next(iter(row)).truth.games for row in shown.values())
    curves = (_picture(curve, shown) for curve in (CALIBRATION, _level(has_strength), LAG, DISTRIBUTION))
    pictures = (
        _differences(lines),
        *(_with_sureness(picture, cells) for picture in (*curves, _balance(shown))),
    )
    return tuple(picture for picture in pictures if picture.panels)


def _with_sureness(picture: Picture, cells: Cells) -> Picture:
    """Return a picture that says what its intervals are, or why it has none."""
    worlds = len(next(iter(cells.values())))
    words = "Exact for this history; another one would give other figures, and one alone does not show by how much."
    if worlds > 1:
        words = f"Means over {worlds} federations; uprights are intervals of 95 % over these."
        if picture.name == "balance":
            words = f"Means over {worlds} federations; the tables have their intervals."
    return picture._replace(words=f"{picture.words} {words}")


def _calibration(cell: CellContent, figure: str = "score") -> Points:
    for row in cell.calibration:
        if row.games >= LEAST_ENTRIES:
            yield row.difference, getattr(row, figure) / row.games


def _cohort(cell: CellContent) -> Points:
    yield from ((row.year, row.cohort.level) for row in cell.level if row.cohort.level is not None)


def _behind(cell: CellContent) -> Points:
    lag = cell.truth.lag
    for row in lag.classes if lag else ():
        if row.entries >= LEAST_ENTRIES:
            yield row.lowest + CLASS_POINTS / 2.0, row.points


def _percentiles(cell: CellContent) -> Points:
    percentiles = cell.level[-1].active.percentiles if cell.level else None
    yield from ((float(percent), rating) for percent, rating in (percentiles or {}).items())


CALIBRATION = CurvePicture(
    name="calibration",
    title="What favourites score",
    words="Where the solid line is below the dashed one, players are closer in strength than their ratings say.",
    across=("difference", "rating difference before the section, points"),
    up=("score", "score of the favourite"),
    read=_calibration,
    reference=partial(_calibration, figure="forecast"),
)
LAG = CurvePicture(
    name="lag",
    title="How far ratings are behind players who improve",
    words="Players who gain 50 points of strength or more in a year, by class of strength, against players of the same"
    " class who keep theirs. At zero, ratings are up to date.",
    across=("strength", "strength, points"),
    up=("lag", "strength less rating, points"),
    read=_behind,
)
DISTRIBUTION = CurvePicture(
    name="distribution",
    title="How ratings are spread",
    words="Active established players at the end of the last year: five percent are rated below the first point, half"
    " below the middle one.",
    across=("percentile", "percent of the players"),
    up=("rating", "rating, points"),
    read=_percentiles,
)


def _level(has_strength: bool) -> CurvePicture:  # noqa: FBT001 - says what is known
    words = "The monitoring cohort: established players of 35 to 45 years, active in the year and the three before."
    if has_strength:
        words += (
            " Shown is mean rating less mean strength: a rising line is inflation, as strength does not rise."
        )
    up = "mean rating less mean strength, points" if has_strength else "mean rating, points"
    return CurvePicture(
        name="level",
        title="The level of the monitoring cohort",
        words=words,
        across=("year", "year"),
        up=("level", up),
        read=_cohort,
    )


def _picture(curve: CurvePicture, cells: Cells) -> Picture:
    """Return a picture of means over worlds, with their intervals where there are several."""
    own = {name: _points(map(curve.read, worlds), curve) for name, worlds in cells.items()}
    base = next(iter(own))
    beside = {name: own[base] for name in own if name != base or len(own) == 1}
    reference = f"{base} (baseline)"
    if curve.reference is not None:
        beside = {name: _points(map(curve.reference, worlds), curve) for name, worlds in cells.items()}
        reference = "what the formula expects"
    rows = tuple({"variant": name, **row} for name, points in own.items() for row in points)
    bounds = [
        float(row[bound] or 0.0)
        for row in (*rows, *(row for points in beside.values() for row in points))
        for bound in ("low", "high")
    ]
    panels = [
        Panel(
            f"{name} (baseline)" if name == base else name,
            f"{curve.title}: {_said(name, own[name], curve)}; {_said(reference, beside[name], curve)}.",
            _curves(curve, own[name], beside[name], bounds),
        )
        for name in beside
        if own[name]
    ]
    return Picture(
        name=curve.name,
        title=curve.title,
        words=curve.words,
        rows=rows,
        panels=tuple(panels),
        reference=reference,
    )


def _points(worlds: Iterator[Points], curve: CurvePicture) -> list[Row]:
    """Return the mean of each point over worlds, and its interval; those that some world lacks are left out."""
    of_worlds = [dict(points) for points in worlds]
    rows: list[Row] = []
    for across in sorted(of_worlds[0]):
        if all(across in points for points in of_worlds):
            mean, margin = mean_of([points[across] for points in of_worlds])
            if isinstance(mean, float):
                away = margin if margin == margin else 0.0  # noqa: PLR0124 - NaN: one world has no interval
                rows.append(
                    {curve.across[0]: across, curve.up[0]: mean, "low": mean - away, "high": mean + away}
                )
    return rows


def _said(name: str, points: Sequence[Row], curve: CurvePicture) -> str:
    if not points:
        return f"{name} has no figures"
    ends = (points[0], points[-1])
    at = " to ".join(f"{row[curve.up[0]]:.4g} at {row[curve.across[0]]:g}" for row in ends)
    return f"{name} goes from {at}"


def _curves(
    curve: CurvePicture, own: Sequence[Row], beside: Sequence[Row], bounds: Sequence[float]
) -> alt.LayerChart | alt.FacetChart:
    is_year = curve.across[0] == "year"
    x = alt.X(
        f"{curve.across[0]}:Q",
        title=None if is_year else curve.across[1],
        axis=alt.Axis(format="d", tickMinStep=1, tickCount=4),
        scale=alt.Scale(zero=False),
    )
    scale = alt.Scale(domain=[min(bounds), max(bounds)], nice=True, zero=False)
    y = alt.Y(f"{curve.up[0]}:Q", title=curve.up[1], scale=scale, axis=UPWARDS)
    quiet, accent = light_colours()["quiet"], light_colours()["accent"]
    dashed = _chart(beside).mark_line(strokeDash=DASHED, color=quiet).encode(x=x, y=y)
    solid = _chart(own).mark_line(point={"color": accent, "size": 25}, color=accent).encode(x=x, y=y)
    intervals = _chart(own).mark_rule(color=accent).encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    return alt.layer(dashed, intervals, solid)


def _chart(rows: Sequence[Row], height: int = HEIGHT) -> alt.Chart:
    data = alt.Data(values=list(rows))  # type: ignore[no-untyped-call]
    return alt.Chart(data).properties(width=WIDTH, height=height)


def _bars(
    rows: Sequence[Row], name: str, title: str, bounds: Sequence[float]
) -> tuple[alt.Chart, alt.X, alt.Y]:
    """Return the names of rows, each above its place, and where figures are drawn."""
    x = alt.X(
        title=title,
        axis=alt.Axis(tickCount=4),
        scale=alt.Scale(domain=[min(0.0, *bounds), max(0.0, *bounds)], nice=True),
    )
    y = alt.Y(f"{name}:N", sort=[str(row[name]) for row in rows], axis=None)
    names = (
        _chart(rows, LINE_HEIGHT * len(rows))
        .mark_text(align="left", dy=-14, fontSize=12, color=light_colours()["ink"])
        .encode(x=alt.value(0), y=y, text=f"{name}:N")
    )
    return names, x, y


def _zero(rows: int) -> alt.Chart:
    line: alt.Chart = (
        _chart([{"at": 0.0}], LINE_HEIGHT * rows)
        .mark_rule(strokeDash=DASHED, color=light_colours()["quiet"])
        .encode(x="at:Q")
    )
    return line


def _differences(lines: Sequence[VariantLine]) -> Picture:
    rows: tuple[Row, ...] = tuple(
        {
            "variant": line.name,
            "difference": line.log_loss_difference.difference * 1000.0,
            "low": line.log_loss_difference.interval[0] * 1000.0,
            "high": line.log_loss_difference.interval[1] * 1000.0,
        }
        for line in lines[1:]
        if line.log_loss_difference.error > 0.0
    )
    return Picture(
        name="differences",
        title="Forecasts against the baseline",
        words="Left of the dashed line, a variant forecasts better than the baseline. The bars are intervals of 95 %,"
        " each for itself: not adjusted for how many there are.",
        rows=rows,
        panels=(_intervals(rows),) if rows else (),
    )


def _intervals(rows: Sequence[Row]) -> Panel:
    names, x, y = _bars(
        rows,
        "variant",
        "thousandths of a nat a game",
        [row[bound] for row in rows for bound in ("low", "high")],
    )
    base, accent = _chart(rows, LINE_HEIGHT * len(rows)), light_colours()["accent"]
    bars = base.mark_rule(strokeWidth=2, color=accent).encode(x=_at(x, "low"), x2="high:Q", y=y)
    points = base.mark_point(filled=True, size=60, color=accent).encode(x=_at(x, "difference"), y=y)
    described = "; ".join(
        f"{row['variant']} {row['difference']:+.2f} ({row['low']:+.2f} to {row['high']:+.2f})" for row in rows
    )
    drawn = alt.layer(_zero(len(rows)), bars, points, names)
    return Panel("", f"Log loss less that of the baseline, thousandths: {described}.", drawn)


def _at(x: alt.X, field: str) -> alt.X:
    placed: alt.X = x.copy()
    placed.shorthand = f"{field}:Q"
    return placed


def _balance(cells: Cells) -> Picture:
    """Return what makes points, a year and active established player; means over worlds."""
    by_variant = {
        name: {
            cause: float(mean_of([_points_of(cell, cause) for cell in worlds])[0] or 0.0)  # type: ignore[arg-type]
            for cause in CAUSES
        }
        for name, worlds in cells.items()
        if all(cell.balance and cell.level for cell in worlds)
    }
    shown = [
        cause
        for cause in CAUSES
        if cause not in OF_NEWCOMERS and any(abs(causes[cause]) >= 0.005 for causes in by_variant.values())  # noqa: PLR2004 - seen as 0.00
    ]
    rows: tuple[Row, ...] = tuple(
        {"variant": name, "cause": cause, "points": causes[cause]}
        for name, causes in by_variant.items()
        for cause in shown
    )
    accent = light_colours()["accent"]
    bounds = [row["points"] for row in rows]
    panels = []
    for number, name in enumerate(by_variant):
        mine = [row for row in rows if row["variant"] == name]
        if mine:
            names, x, y = _bars(mine, "cause", "points a year and player", bounds)
            bars = _chart(mine, LINE_HEIGHT * len(mine)).mark_bar(size=10, color=accent)
            described = ", ".join(f"{row['cause']} {row['points']:+.2f}" for row in mine)
            drawn = alt.layer(bars.encode(x=_at(x, "points"), y=y), names, _zero(len(mine)))
            panels.append(Panel(name if number else f"{name} (baseline)", f"{name}: {described}.", drawn))
    return Picture(
        name="balance",
        title="Where rating points come from",
        words="Points that enter the pool in a year, for each active established player. Not drawn: first ratings, what"
        " leaves with members, and the special formula, which moves newcomers from a guessed first rating to their"
        " level and is no inflation.",
        rows=rows,
        panels=tuple(panels),
    )


def _points_of(cell: CellContent, cause: str) -> float:
    years = {row.year for row in cell.level}
    players = sum(row.active.players for row in cell.level)
    return sum(row.causes[cause] for row in cell.balance if row.year in years) / max(1, players)


def _look(background: str) -> dict[str, Any]:
    """Return how all pictures look: the colours of the pages, quiet words, no frame."""
    ink, quiet, line, edge, _ = (light_colours()[name] for name in FOLLOWING)
    words = {"labelColor": quiet, "titleColor": quiet, "titleFontWeight": "normal"}
    sizes = {"labelFontSize": 12, "titleFontSize": 12, "labelFlush": False}
    return {
        "background": background,
        "padding": 10,
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "axis": words | sizes | {"gridColor": line, "domainColor": edge, "tickColor": edge},
            "title": {"color": ink, "fontSize": 12, "anchor": "start"},
        },
    }
