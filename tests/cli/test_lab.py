"""The commands of the laboratory, as they are typed."""

from __future__ import annotations

import csv
import json
import math
import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ratebook.cli.main import run
from ratebook.lab.studies.study import read_study, variants_of
from ratebook.model import System
from ratebook.rules.rulebook import load_rulebook

ROOT = Path(__file__).parents[2]
STUDY = """
title = "Two thresholds"
score-from = 2005-01-01
[world]
years = 5
members = 100
regions = 1
events = 8.0
[factor.bonus]
6 = { bonus_multiplier = 6 }
30 = { bonus_multiplier = 30 }
"""


def typed(*words: object) -> Result:
    """Run ``ratebook lab`` with these words."""
    return CliRunner().invoke(run, ["lab", *map(str, words)], prog_name="ratebook")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a study and its results."""
    place = tmp_path_factory.mktemp("lab")
    (place / "study.toml").write_text(STUDY, encoding="utf-8")
    done = typed("run", place / "study.toml", "--results", place / "results", "--people")
    assert done.exit_code == 0, done.output
    assert "computed                 2" in done.output
    return place


def test_what_is_there_is_not_computed_again(folder: Path) -> None:
    again = typed("run", folder / "study.toml", "--results", folder / "results", "--slice", "2/2", "--people")
    assert "computed                 0" in again.output
    assert "there before             1" in again.output


def test_variants_are_compared_in_words_and_as_json(folder: Path) -> None:
    shown = typed("compare", folder / "results").output
    assert "bonus 30" in shown
    assert "Main effects" in shown
    said = json.loads(typed("compare", folder / "results", "--json", "--blocks", "month").output)
    assert [one["name"] for one in said["variants"]] == ["bonus 6", "bonus 30"]
    assert said["missing"] == []
    base, other = said["variants"]
    assert base["adjusted"] is None
    assert 0.0 <= other["adjusted"] <= 1.0
    # Fewer bonus points, so that the level rises less.
    assert said["variants"][1]["bias"] < said["variants"][0]["bias"]


def test_persons_are_shown_only_where_they_are_asked_for(folder: Path) -> None:
    asked = (folder / "results", "--people", "bonus 6", "bonus 30")
    assert "Who moves most" in typed("compare", *asked).output
    said = json.loads(typed("compare", *asked, "--json").output)
    movers = {one["id"] for one in said["movers"]}
    assert movers
    assert not [one for one in movers if one in typed("compare", folder / "results").output]
    assert "no variant “bonus 7”" in typed("compare", *asked[:2], "bonus 7", "bonus 6").output
    kept = next((folder / "results" / "cells").glob("*-people.parquet"))
    kept.rename(kept.with_suffix(".away"))
    refused = typed("compare", *asked)
    kept.with_suffix(".away").rename(kept)
    assert refused.exit_code == 1
    assert "results-missing" in refused.output


def test_damaged_cells_and_those_of_another_version_are_findings(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    shutil.copytree(folder / "results", results)
    lock = results / "study.lock"
    cell = json.loads(lock.read_text(encoding="utf-8"))["variants"][1]["cell"]
    tables, people = (results / "cells" / f"{cell}{end}" for end in (".json", "-people.parquet"))
    content = tables.read_bytes()
    tables.write_bytes(content[:-100])
    assert "Not computed yet: 1 of 2." in typed("compare", results).output
    tables.write_bytes(content.replace(b":", b";"))
    people.write_bytes(b"PAR1" + bytes(500) + b"PAR1")
    for path, asked in ((tables, ()), (people, ("--people", "bonus 6", "bonus 30"))):
        shown = typed("compare", results, *asked)
        assert shown.exit_code == 1
        assert "results-damaged" in shown.output
        assert path.name in shown.output
    written = lock.read_text(encoding="utf-8")
    lock.write_text(written.replace('"measured": ', '"measured": 9'), encoding="utf-8")
    assert "which measured something else" in typed("compare", results).output


def test_the_report_is_written_once(folder: Path, tmp_path: Path) -> None:
    asked = ("report", folder / "results", "--out", tmp_path / "report.html")
    assert typed(*asked, "--pictures", tmp_path / "pictures").exit_code == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    # It names no person: the ids of a world's members begin so.
    assert "90000" not in page
    assert (tmp_path / "pictures" / "level.csv").exists()
    again = typed(*asked)
    assert again.exit_code == 1
    assert "output-exists" in again.output


def test_a_world_is_watched(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text(
        'preset = "still"\nyears = 5\nmembers = 100\nregions = 1\n', encoding="utf-8"
    )
    made = typed("world", tmp_path / "world.toml", "--seed", 3, "--out", tmp_path / "world")
    assert made.exit_code == 0, made.output
    said = json.loads(typed("monitor", tmp_path / "world", "--json").output)
    assert [one["year"] for one in said["balance"]] == [2004, 2005, 2006, 2007, 2008]
    watched = typed("monitor", tmp_path / "world").output
    assert "The balance of rating points" in watched
    assert "so they are exact and have no interval" in watched
    assert "Draws between equals: 0." in typed("fit-expectancy", tmp_path / "world", "--strengths").output
    fitted = json.loads(typed("fit-expectancy", tmp_path / "world", "--json").output)
    assert fitted["scale"]["low"] < fitted["scale"]["value"] < fitted["scale"]["high"]


@pytest.mark.parametrize("about", ["bonus", "k", "first-ratings", "floors"])
def test_a_ready_study_is_read_as_it_is_written(tmp_path: Path, about: str) -> None:
    study = tmp_path / "study.toml"
    written = typed("new", study, "--about", about)
    assert written.exit_code == 0, written.output
    assert study.read_text() == (ROOT / "examples" / "lab" / f"{about}.toml").read_text()
    base, *others = variants_of(read_study(study))
    assert len(others) == 2
    # The baseline is what is in force, so that the answer is about a change.
    ((words, value),) = base.levels.items()
    rules = load_rulebook().in_force(System.REGULAR, date(2026, 1, 1))
    assert getattr(rules, words.replace(" ", "_")) == float(value)
    again = typed("new", study, "--about", about)
    assert again.exit_code == 1
    assert "output-exists" in again.output


def test_a_new_study_of_a_history_scores_its_later_two_thirds(tmp_path: Path) -> None:
    (tmp_path / "world.toml").write_text('preset = "still"\nyears = 3\nmembers = 60\nregions = 1\n')
    assert typed("world", tmp_path / "world.toml", "--out", tmp_path / "world").exit_code == 0
    study = tmp_path / "study.toml"
    options = ("--rule", "k_numerator", "--values", "800,1000", "--history", tmp_path / "world")
    assert typed("new", study, *options).exit_code == 0
    assert read_study(study).measures.since.year == 2005
    unknown = typed("new", tmp_path / "other.toml", "--rule", "bonus", "--values", "1,2")
    assert unknown.exit_code == 1
    assert "no rule or field 'bonus'" in unknown.output
    assert not (tmp_path / "other.toml").exists()
    assert typed("new", tmp_path / "other.toml").exit_code == 2
    alone = typed("new", tmp_path / "other.toml", "--rule", "count", "--values", "800")
    assert alone.exit_code == 2
    assert "two values or more" in alone.output


SOLVED = """
seeds = 2
[world]
preset = "still"
years = 6
members = 100
regions = 1
events = 8.0
error = 200.0
openings = "published"
"""


def test_each_federation_is_solved_in_its_earlier_years(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(SOLVED, encoding="utf-8")
    folders = ("solve", tmp_path / "study.toml", "--results", tmp_path / "results")
    asked = (*folders, "--free", "bonus_multiplier:2..40", "--within", 1, "--target", 9)
    shown = typed(*asked).output
    # The cohort is there from the fourth year on: 2007, 2008 and 2009.
    assert "Looked for in the years before 2009-01-01." in shown
    said = json.loads(CliRunner().invoke(run, ["lab", *map(str, asked), "--json"]).stdout)
    value, other = said["worlds"]["values"]
    # Half a range of two, times t of one degree of freedom over the root of two.
    margin = 12.7062047 * abs(value - other) / 2
    assert said["worlds"]["margin"] == pytest.approx(margin)
    assert f"Over 2 federations, the value is {(value + other) / 2:.4g} ± {margin:.4g}" in shown
    drifts = said["later"]
    half = 12.7062047 * abs(drifts[0] - drifts[1]) / 2
    assert f"the cohort drifts by {sum(drifts) / 2:+.1f} ± {half:.1f} points a year" in shown


THEIRS = """
history = "world"
score-from = 2006-01-01
[competitors]
forecasts = { "even chances" = "theirs.csv" }
"""


def test_another_program_s_forecasts_are_compared(tmp_path: Path) -> None:
    """Even chances lose log 2 in every game; a file with a game too few is refused."""
    (tmp_path / "world.toml").write_text(
        'preset = "still"\nyears = 4\nmembers = 80\nregions = 1\nwhite = 80\n', encoding="utf-8"
    )
    assert typed("world", tmp_path / "world.toml", "--out", tmp_path / "world").exit_code == 0
    written = typed("games", tmp_path / "world", "--out", tmp_path / "games.csv")
    assert written.exit_code == 0, written.output
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        games = list(csv.DictReader(file))
    white = [float(game["score"]) for game in games if game["colour"] == "1"]
    black = [float(game["score"]) for game in games if game["colour"] == "-1"]
    assert len(white) + len(black) == len(games)
    assert sum(white) / len(white) > sum(black) / len(black) + 0.05
    scored = [game["game"] for game in games if game["date"] >= "2006-01-01"]
    (tmp_path / "study.toml").write_text(THEIRS, encoding="utf-8")
    lines = [f"{game},0.5" for game in scored]
    (tmp_path / "theirs.csv").write_text("\n".join(["game,probability", *lines[:-1], ""]), encoding="utf-8")
    short = typed("run", tmp_path / "study.toml", "--results", tmp_path / "results")
    assert short.exit_code == 1
    assert f"There is no forecast for game {scored[-1]}" in short.output
    (tmp_path / "theirs.csv").write_text("\n".join(["game,probability", *lines, ""]), encoding="utf-8")
    done = typed("run", tmp_path / "study.toml", "--results", tmp_path / "results")
    assert done.exit_code == 0, done.output
    shown = json.loads(typed("compare", tmp_path / "results", "--json").output)["variants"]
    assert [line["name"] for line in shown] == ["the rules as they are", "forecasts even chances"]
    assert shown[1]["log_loss"] == pytest.approx(math.log(2.0))
    assert typed("report", tmp_path / "results", "--out", tmp_path / "report.html").exit_code == 0
    fitted = json.loads(typed("fit-expectancy", tmp_path / "world", "--strengths", "--json").output)
    assert fitted["white"]["low"] < 80.0 < fitted["white"]["high"]


def test_games_of_a_file_become_a_history(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(
        "date,event,white,black,result\n2024-01-15,E,a,b,1-0\n", encoding="utf-8"
    )
    done = typed("import", "csv", tmp_path / "games.csv", "--out", tmp_path / "history")
    assert done.exit_code == 0, done.output
    assert "members                2" in done.output
    assert (tmp_path / "history" / "games.parquet").exists()


@pytest.mark.statement("I20")
def test_a_conversion_is_fitted_to_a_file_and_printed_as_in_1995(tmp_path: Path) -> None:
    """Twenty players on the line FIDE + 17: the table says so, in five pairs of columns as R95 prints it."""
    rows = [f"P{number},{2200 + 10 * number},{2217 + 10 * number}" for number in range(20)]
    path = tmp_path / "both.csv"
    path.write_text("\n".join(["id,fide,uscf", *rows]), encoding="utf-8")
    arguments = ("fit-conversion", str(path), "--from", "fide", "--to", "uscf", "--step", "10")
    shown = typed(*arguments)
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert lines[1].split() == ["From", "To"] * 5
    assert lines[2].split() == [
        "2200",
        "2217",
        "2240",
        "2257",
        "2280",
        "2297",
        "2320",
        "2337",
        "2360",
        "2377",
    ]
    found = json.loads(typed(*arguments, "--least", "2250", "--json").output)
    assert (found["pairs"], found["settings"]["span"], found["settings"]["degree"]) == (15, 0.75, 2)
    assert found["rows"][0]["displayed"] == 2267
    overlay = ("--rule", "fide", "--since", "2026-01-01", "--out", tmp_path / "rules.toml")
    said = typed(*arguments, "--method", "pieces", "--pieces", "1", *overlay)
    assert "above: 17.00 + 1.00000 x rating" in said.output
    assert "low_slope = 1.0" in (tmp_path / "rules.toml").read_text(encoding="utf-8")
    assert "output-exists" in typed(*arguments, *overlay).output
    assert "belong together" in typed(*arguments, *overlay[:2]).output
    assert "in rising order" in typed(*arguments, "--knots", "2000,1500").output


def test_files_that_allow_no_fit_are_findings(tmp_path: Path) -> None:
    equal = tmp_path / "equal.csv"
    equal.write_text("a,b\n" + "2400,2400\n" * 12, encoding="utf-8")
    for arguments, code in (
        ((str(equal),), "fit-impossible"),
        ((str(equal), "--least", "2500"), "fit-impossible"),
        ((str(equal), "--from", "c"), "pair-column-missing"),
        ((str(tmp_path / "none.csv"),), "file-unreadable"),
    ):
        shown = typed("fit-conversion", *arguments)
        assert shown.exit_code == 1
        assert code in shown.output
    assert typed("fit-conversion", str(equal), "--from", "a", "--to", "a").exit_code == 2


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("world", "--out", "{}/w"), 2, "either a file or a --preset"),
        (("world", "{}/none.toml", "--out", "{}/w"), 1, "file-unreadable"),
        (("world", "--preset", "club", "--out", "{}/w"), 2, "'club' is not one of"),
        (("world", "{}/study.toml", "--out", "{}/w"), 1, "world-not-read"),
        (("world", "--preset", "still", "--out", "{}/results"), 1, "output-exists"),
        (("run", "{}/none.toml", "--results", "{}/r"), 1, "file-unreadable"),
        (("run", "{}/study.toml", "--results", "{}/r", "--slice", "3/2"), 2, "not a part of a whole"),
        (("run", "{}/study.toml", "--results", "{}/study.toml"), 1, "output-unwritable"),
        (("compare", "{}/none"), 1, "results-unreadable"),
        (("report", "{}", "--out", "{}/r.html"), 1, "results-unreadable"),
        (("solve", "{}/study.toml", "--results", "{}/r", "--free", "bonus"), 2, "not a rule with a range"),
        (("solve", "{}/study.toml", "--results", "{}/r", "--free", "bonus:1..2"), 1, "study-not-read"),
        (
            ("search", "{}/study.toml", "--results", "{}/r", "--free", "bonus_multiplier:9..2"),
            2,
            "has no range",
        ),
        (("import", "csv", "{}/none.csv", "--out", "{}/h"), 1, "file-unreadable"),
        (("import", "csv", "{}/study.toml", "--out", "{}/h"), 1, "games-column-missing"),
        (("import", "csv", "{}", "--out", "{}/h"), 1, "file-unreadable"),
        (("import", "tennis", "{}/study.toml", "--out", "{}/h"), 2, "'csv'"),
        (("import", "csv", "{}/study.toml", "--out", "{}/results"), 1, "output-exists"),
        (("import", "pgn", "{}/none.pgn", "--out", "{}/h"), 1, "file-unreadable"),
        (("import", "pgn", "{}/study.toml", "--minutes", "3", "x", "--out", "{}/h"), 2, "--minutes"),
        (("import", "csv", "{}/study.toml", "--minutes", "3", "10", "--out", "{}/h"), 2, "for PGN files"),
        (("import", "reports", "{}/none", "--out", "{}/h"), 1, "games-none"),
        (("fit-expectancy", "{}/none"), 1, "history-unreadable"),
        (("fit-expectancy", "{}", "--strengths"), 1, "strengths-missing"),
        (("games", "{}/none", "--out", "{}/g.csv"), 1, "history-unreadable"),
        (("games", "{}/none", "--out", "{}/results"), 1, "history-unreadable"),
        (("monitor",), 2, "Give a history"),
        (("monitor", "{}/none"), 1, "history-unreadable"),
        (("monitor", "--book", "{}/none.book"), 1, "book-missing"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, words: tuple[str, ...], status: int, said: str) -> None:
    before = sorted(path.name for path in folder.iterdir())
    result = typed(*(word.replace("{}", str(folder)) for word in words))
    assert said in result.output
    assert result.exit_code == status, result.output
    left = {path.name for path in folder.iterdir()} - set(before)
    assert left <= {"r"}
