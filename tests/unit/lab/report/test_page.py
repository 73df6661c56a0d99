"""The report of a study: whole, the same twice, and nothing from elsewhere."""

from __future__ import annotations

import csv
import io
import math
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ratebook.lab.frames import StudyFrames
from ratebook.lab.report import steps
from ratebook.lab.report.divided import divided_tables
from ratebook.lab.report.page import StudyReport, report_of
from ratebook.lab.report.words import findings_in_words
from ratebook.lab.studies.comparing import LossDifference
from ratebook.lab.studies.lock import Lock, read_lock, write_lock
from ratebook.lab.studies.running import run_here, tasks_of
from ratebook.lab.studies.store import kept
from ratebook.lab.studies.study import read_study
from ratebook.lab.studies.summary import Effect, VariantLine, drift_of, summary
from ratebook.pages.look import light_colours, tokens

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("compiled_engine")

STUDY = """
title = "A <small> study"
question = "Which threshold?"
score-from = 2005-01-01
[world]
years = 6
members = 150
arrivals = 20
children = 0.3
regions = 1
events = 8.0
[factor.bonus]
6 = { bonus_multiplier = 6 }
30 = { bonus_multiplier = 30 }
[competitors]
glicko = { c = "fit on training years" }
"""


@pytest.fixture(scope="module")
def lock(tmp_path_factory: pytest.TempPathFactory) -> Lock:
    """Give the results of a small study."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    study = read_study(folder / "study.toml")
    tasks = tasks_of(study, folder)
    write_lock(study, tasks, folder)
    list(run_here(tasks, lambda *_: None))
    return read_lock(folder)


@pytest.fixture(scope="module")
def report(lock: Lock) -> StudyReport:
    """Give its report."""
    return report_of(lock)


@pytest.fixture(scope="module")
def files(report: StudyReport) -> dict[str, bytes]:
    """Give the files of its pictures."""
    return report.files


def as_computed(page: str) -> str:
    """Return a page with the signs of numbers as programs write them."""
    return page.replace("\N{MINUS SIGN}", "-")


class Page(HTMLParser):
    """Notes what a page loads and holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loaded += [
            value or ""
            for name, value in attrs
            if name in {"src", "href", "xlink:href"} and not (value or "").startswith("#")
        ]


def test_the_page_loads_nothing_and_has_no_script(report: StudyReport) -> None:
    page = Page(report.page)
    assert page.loaded == []
    assert "script" not in page.tags
    # What is folded away is not printed.
    assert "details" not in page.tags
    assert "details" not in page.tags
    assert page.tags.count("h1") == 1
    assert "A &lt;small&gt; study" in report.page
    assert "Another system rates the same sections" in report.page
    assert "games of training years" in report.page


def test_negative_numbers_have_a_minus_sign(report: StudyReport) -> None:
    words = re.sub("<(svg|style).*?</\\1>|<[^>]*>", "|", report.page, flags=re.DOTALL)
    assert re.findall(r".{9}[ (|]-[0-9].{9}", words) == []
    assert re.search("\N{MINUS SIGN}[0-9]", words)


def test_words_and_lines_have_the_colours_of_the_pages(report: StudyReport, files: dict[str, bytes]) -> None:
    assert tokens() in report.page
    svgs = report.page.split("<svg")[1:]
    assert svgs
    for svg in svgs:
        assert 'fill="var(--quiet)"' in svg
        assert light_colours()["quiet"] not in svg.partition("</svg>")[0]
    assert b"var(" not in b"".join(files.values())


def test_each_panel_says_in_words_what_it_shows(
    lock: Lock, report: StudyReport, files: dict[str, bytes]
) -> None:
    """Those who do not see a line hear where it begins and ends; the baseline is dashed, so that grey is enough."""
    labels = re.findall(r'role="img" aria-label="([^"]+)"><svg', as_computed(report.page))
    assert len(labels) == report.page.count("<svg") > 6
    level = next(
        label for label in labels if label.startswith("The level of the monitoring cohort: bonus 30")
    )
    base = [year for year in kept(lock.variants[0].place).level if year.cohort.level is not None]
    first, last = base[0], base[-1]
    said = f"bonus 6 (baseline) goes from {first.cohort.level:.4g} at {first.year} to {last.cohort.level:.4g}"
    assert f"{said} at {last.year}." in level
    assert 'stroke-dasharray="5,3"' in files["level.svg"].decode()


def test_the_first_page_is_in_points_and_per_cent(lock: Lock, report: StudyReport) -> None:
    page = as_computed(report.page)
    base, other = (kept(variant.place) for variant in lock.variants[:2])
    children = [next(group for group in cell.level[-1].ages if group.youngest == 0) for cell in (base, other)]
    behind = [(group.strength or 0.0) - (group.mean or 0.0) for group in children]
    assert (
        f"With bonus 6, children of 12 years and under are rated {behind[0]:.0f} points below their strength; with"
        f" bonus 30 it is {behind[1]:.0f}, {abs(behind[1] - behind[0]):.0f}"
    ) in page
    # Scored from 2005 on, so that the level moves from the end of 2004.
    levels = {year.year: (year.active.mean or 0.0) - (year.active.strength or 0.0) for year in base.level}
    assert (
        f"after 5 years the level of active players has moved by {levels[2009] - levels[2004]:.0f} points"
        in page
    )
    newcomers = next(part for part in base.scores if part.population == "newcomers")
    # Guessing loses the logarithm of 2.
    told = 100.0 - 100.0 * newcomers.log_loss / math.log(2.0)
    assert f"first ratings tell {told:.1f} % of what there is to know of a newcomer&#39;s result" in page
    assert "without intervals: another one would give others" in page


def test_rules_and_settings_are_in_words(report: StudyReport) -> None:
    assert "Bonus multiplier: 30 instead of 6 rating points per square root of a game." in report.page
    assert "Bonus multiplier to 2008-06-05: 6 instead of 10 rating points" in report.page
    assert '<th scope="row">members at the beginning</th><td class="number">150</td>' in report.page
    assert ">30 %<" in report.page
    assert "0.3" not in report.page.partition("The simulated federation")[2]
    assert all(title in report.page for title in ("<dt>Log loss:</dt>", "<dt>Drift:</dt>", "<dt>Scale:</dt>"))


def test_an_interactive_page_has_its_script_within(lock: Lock) -> None:
    page = report_of(lock, interactive=True).page
    assert Page(page).loaded == []
    assert page.count("<script>") == 1
    assert page.count("vegaEmbed('#") == 6


def test_the_page_shows_each_figure_that_is_known(lock: Lock, report: StudyReport) -> None:
    (base, *_), cell = summary(lock).lines, kept(lock.variants[0].place)
    assert base.more["change"] == cell.changes.change
    assert base.more["tau"] == cell.level[-1].tau
    assert base.more["months"] == cell.player_months.error
    assert base.more["three_way"] is None
    assert f">{cell.level[-1].tau:.4f}<" in report.page
    assert f">{cell.changes.autocorrelation:+.3f}<" in as_computed(report.page)
    assert "Three-way" not in report.page


def test_the_drift_is_that_of_the_scored_years(lock: Lock) -> None:
    late = lock._replace(
        contents={**lock.contents, "measures": {**lock.contents["measures"], "since": "2009-01-01"}}
    )
    (*_, before, last) = kept(lock.variants[1].place).level
    assert (before.year, last.year) == (2008, 2009)
    assert before.cohort.level is not None
    assert last.cohort.level is not None
    assert summary(late).lines[1].drift == pytest.approx(last.cohort.level - before.cohort.level)
    assert summary(lock).lines[1].drift != pytest.approx(last.cohort.level - before.cohort.level)


def test_the_same_results_give_the_same_bytes(
    lock: Lock, report: StudyReport, files: dict[str, bytes]
) -> None:
    again = report_of(lock)
    assert again.page == report.page
    assert again.files == files


def test_each_picture_has_its_numbers_beside_it(lock: Lock, files: dict[str, bytes]) -> None:
    names = {"differences", "calibration", "level", "lag", "distribution", "balance"}
    assert set(files) == {f"{name}.{ending}" for name in names for ending in ("svg", "png", "csv")}
    rows = list(csv.DictReader(io.StringIO(files["level.csv"].decode())))
    base = kept(lock.variants[0].place).level
    wanted = [year.cohort.level for year in base if year.cohort.players]
    assert [float(row["level"]) for row in rows if row["variant"] == "bonus 6"] == wanted
    assert files["level.png"].startswith(b"\x89PNG")


def line(name: str, loss: float, error: float, drift: float | None, adjusted: float) -> VariantLine:
    found = LossDifference("log_loss", 0.5, 0.5 + loss, loss, error, 100)
    return VariantLine(
        name, 1000, 0.5 + loss, 0.2, 0.7, 0.9, None, None, None, drift, None, (found,), adjusted=adjusted
    )


def test_findings_are_said_with_their_intervals() -> None:
    lines = [
        line("base", 0.0, 0.0, 2.0, math.nan),
        line("better", -0.004, 0.001, -3.0, 0.001),
        line("worse", 0.003, 0.001, 8.25, 0.01),
        line("unclear", 0.001, 0.001, None, 0.3),
    ]
    of_bonus = LossDifference("log_loss", 0.5, 0.4994, -0.0006, 0.0001, 100)
    said = list(
        findings_in_words(
            lines,
            [Effect("bonus", "8", -5.08, of_bonus), Effect("k", "2013", 0.02, of_bonus)],
            ["bonus_multiplier", "age_rating"],
        )
    )
    assert said == [
        (
            "This study changes age rating, which new and provisional players feel first. The findings on games"
            " between established players say little about that: see the tables of provisional players and of"
            " newcomers."
        ),
        (
            "Of 4 variants, 1 forecasts better than the baseline (at 5 %, adjusted by Holm for 3 comparisons). The best"
            " is better: its log loss differs by -4.00 thousandths of a nat a game (-5.96 to -2.04)."
        ),
        "worse is worse: its log loss differs by +3.00 thousandths of a nat a game (+1.04 to +4.96).",
        (
            "The level of the monitoring cohort changes least with base (+2.0 points a year) and most with worse"
            " (+8.2 points a year). These are figures of a single history, without an interval: in another, another"
            " variant may come out first."
        ),
        (
            "Over all combinations, bonus 8 deflates by 5.1 points a year against the first level, and changes the"
            " log loss by -0.60 ± 0.20 thousandths."
        ),
    ]
    assert list(findings_in_words(lines[:1], [])) == []


def test_every_figure_has_its_interval_or_the_reason_why_it_has_none(lock: Lock, report: StudyReport) -> None:
    """One world gives none to a level; parts of the games have theirs, and no part is smaller than 200 games."""
    assert "beyond doubt" not in report.page
    assert "for a federation that is made otherwise they do not hold" in report.page
    assert "from a guessed first rating to their level and is no inflation" in report.page
    assert "a rating class is that of the mean of both players" in report.page
    assert "Established: more than 25 games before the section, by the baseline" in report.page
    assert "whatever their own established_above_games" in report.page
    assert "seeds = 8 in the study makes several" in report.page
    assert "how far luck in the results of these members may have moved a difference" in report.page
    assert "Games with a newcomer, who had no rating before" in report.page
    assert "Games with a provisional player" in report.page
    shown = summary(lock).lines[1]
    by_class = [part.loss for part in shown.parts if part.cut == "rating class"]
    assert by_class
    for loss in by_class:
        assert loss.games >= 200
        assert f"{loss.difference * 1000:+.2f} ± {loss.margin * 1000:.2f}" in as_computed(report.page)
    assert {table.caption.rpartition(", ")[2] for table in divided_tables(lock)} == {"exact for this history"}
    assert report.page.count("Exact for this history; another one would give other figures") == 5


def test_several_worlds_give_levels_their_intervals(tmp_path: Path) -> None:
    """The level's interval is Student's over the worlds, computed here from the cells."""
    (tmp_path / "study.toml").write_text(
        STUDY.partition("[competitors]")[0].replace("score-from", "seeds = 3\nscore-from"), encoding="utf-8"
    )
    study = read_study(tmp_path / "study.toml")
    tasks = tasks_of(study, tmp_path)
    assert len(tasks) == 6
    write_lock(study, tasks, tmp_path)
    list(run_here(tasks, lambda *_: None))
    lock = read_lock(tmp_path)
    assert lock.missing == ()
    for place, shown in enumerate(summary(lock).lines):
        levels = [kept(world.variants[place].place).level for world in lock.worlds]
        drifts = [found for level in levels if (found := drift_of(level)) is not None]
        assert len(set(drifts)) == 3
        assert shown.drift == pytest.approx(np.mean(drifts))
        # t of two degrees of freedom.
        assert shown.margins["drift"] == pytest.approx(4.30265273 * np.std(drifts, ddof=1) / math.sqrt(3.0))
        assert shown.worlds == 3
    of_cells = [kept(world.variants[1].place) for world in lock.worlds]
    in_bonus = [np.mean([year.causes["bonus"] for year in cell.balance[1:]]) for cell in of_cells]
    in_k = [{row.lowest: row.k for row in cell.changes.classes}[1400.0] for cell in of_cells]
    adults = [{group.youngest: group.mean for group in cell.level[-1].ages}[20] for cell in of_cells]
    tables = {table.title: table for table in divided_tables(lock)}
    for title, part, of_worlds, form in (
        ("Where rating points come from, all variants", "bonus", in_bonus, "+,.0f"),
        ("K and changes by rating class", "1400", in_k, ".1f"),
        ("The level by age", "20 to 34", adults, ".0f"),
    ):
        assert tables[title].names == ["bonus 6", "bonus 30"]
        text = dict(tables[title].rows)[part][1].partition(" / ")[0]
        figures = np.array(of_worlds, "f8")
        half = 4.30265273 * figures.std(ddof=1) / math.sqrt(3.0)
        assert text == f"{figures.mean():{form}} ± {half:{form.strip('+')}}"
    frames = StudyFrames(lock)
    assert frames.differences()["blocks"].unique().to_list() == [3]
    assert frames.balance()["world"].unique(maintain_order=True).to_list() == [0, 1, 2]
    page = as_computed(report_of(lock).page)
    assert "Means over 3 federations; uprights are intervals" in page
    assert "means over 3 simulated federations" in page
    assert f"{shown.drift:+.1f} ± {shown.margins['drift']:.1f}" in page
    moved = []
    for world in lock.worlds:
        ends = {year.year: year.active.level or 0.0 for year in kept(world.variants[0].place).level}
        moved.append(ends[2009] - ends[2004])
    margin = 4.30265273 * np.std(moved, ddof=1) / math.sqrt(3.0)
    assert f"has moved by {np.mean(moved):.0f}\u00a0±\u00a0{margin:.0f} points" in page


def test_a_step_says_why_rules_cannot_rate_the_federation(tmp_path: Path) -> None:
    text = STUDY.partition("[competitors]")[0].replace(
        "{ bonus_multiplier = 30 }", "{ logistic_scale = 1e-10 }"
    )
    assert steps.begin(text, tmp_path) == 2
    assert steps.advance(tmp_path) == ()
    assert [finding.code for finding in steps.advance(tmp_path)] == ["what-if-unusable"]
