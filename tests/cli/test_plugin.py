"""The package of examples/plugin, installed as its users install it, is used by the commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.command_line import invoke

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "examples" / "plugin"
LIST = PLUGIN / "league-list.txt"
EVENING = PLUGIN / "evening.swt"
QUIET = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    pip = [sys.executable, "-m", "pip", "install", *QUIET, "--target", str(folder), str(PLUGIN)]
    subprocess.run(pip, check=True, capture_output=True)
    return folder


def ratebook(packages: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return python(packages, "-m", "ratebook", *arguments)


def alone(*arguments: str | Path) -> Result:
    """Run the command where no package brings anything."""
    return invoke(*map(str, arguments))


def python(packages: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    folders = [str(packages), os.environ.get("PYTHONPATH", "")]
    path = {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | path,
    )


def test_a_report_in_its_format_is_rated_and_checked_by_it(packages: Path) -> None:
    checked = ratebook(packages, "check", EVENING)
    assert checked.returncode == 0
    assert "warning: section 1: The section has 2 rounds; the league rates sections of 3" in checked.stderr
    rated = ratebook(packages, "rate", EVENING, "--accept", "league-rounds", "--notes")
    assert rated.returncode == 0
    assert "CLARK, EXAMPLE" in rated.stdout
    assert "[league-rounds]" in rated.stderr


def test_its_list_brings_what_a_report_lacks(packages: Path) -> None:
    without = ratebook(packages, "rate", EVENING, "--accept", "league-rounds")
    listed = ratebook(packages, "rate", EVENING, "--accept", "league-rounds", "--players", LIST)
    assert listed.returncode == 0
    lines = [next(line for line in done.stdout.splitlines() if "DAVIS" in line) for done in (without, listed)]
    assert ["1405" in line for line in lines] == [False, True]
    assert "[list-unknown]" in alone("rate", ROOT / "examples" / "quad.json", "--players", LIST).stderr


def test_what_packages_bring_is_listed_with_what_fails(packages: Path, tmp_path: Path) -> None:
    listed = json.loads(ratebook(packages, "plugins", "--json").stdout)
    assert listed["problems"] == []
    assert {
        (one["kind"], one["name"], one["package"], one["version"], one["usable"]) for one in listed["plugins"]
    } == {
        (kind, name, "example-league", "1.0", True)
        for kind, name in (
            ("format", "swiss-table"),
            ("check", "rounds"),
            ("list", "league-list"),
            ("competitor", "club-elo"),
            ("findings", "league"),
        )
    }
    broken = tmp_path / "packages"
    shutil.copytree(packages, broken)
    (broken / "example_league" / "league_list.py").write_text("players = 1\n", "utf-8")
    (broken / "example_league" / "findings.toml").write_text("[club-rounds]\n", "utf-8")
    failed = ratebook(broken, "plugins")
    assert failed.returncode == 1
    assert (
        "The list league-list cannot be used: example_league.league_list.looks_like is no function"
        in failed.stderr
    )
    assert "The findings league cannot be used: club-rounds does not begin with league-" in failed.stderr
    assert "swiss-table" in failed.stdout
    assert "No installed package brings anything." in alone("plugins").stdout


def test_a_report_that_is_sent_to_a_server_is_read_by_it_in_the_child(packages: Path) -> None:
    script = (
        "import pathlib, sys\n"
        "from ratebook.web.trial.reading import read_in_child\n"
        "loaded = read_in_child(pathlib.Path(sys.argv[1]).read_bytes(), 'evening.swt')\n"
        "print(len(loaded.report.players), [found.code for found in loaded.findings])\n"
    )
    done = python(packages, "-c", script, EVENING)
    assert done.stdout == "4 []\n", done.stderr


def test_a_report_is_converted_to_its_format_and_back(packages: Path, tmp_path: Path) -> None:
    native = tmp_path / "evening.json"
    again = tmp_path / "again.swt"
    assert ratebook(packages, "convert", EVENING, native).returncode == 0
    assert ratebook(packages, "convert", native, again, "--to", "swiss-table").returncode == 0
    assert again.read_text("utf-8") == EVENING.read_text("utf-8")


def test_its_own_findings_say_what_is_wrong(packages: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.swt"
    wrong.write_text(EVENING.read_text("utf-8").replace("+4w", "+4x").replace("1630", "many"), "utf-8")
    checked = ratebook(packages, "check", wrong)
    assert checked.returncode == 1
    assert "line 3: '+4x' is no result." in checked.stderr
    assert "[league-row]" in checked.stderr


def test_without_the_package_its_name_is_unknown(tmp_path: Path) -> None:
    converted = alone("convert", EVENING, tmp_path / "x.swt", "--to", "swiss-table")
    assert converted.exit_code == 2
    assert "'swiss-table' is not one of 'native'" in converted.stderr


STUDY = """
history = "world"
score-from = 2005-01-01
[competitors]
club-elo = { half = [10, 40] }
"""


def test_its_rating_system_is_a_competitor_in_a_study(packages: Path, tmp_path: Path) -> None:
    """What it forecasts differs with its constant; what it does wrong is a finding."""
    world = tmp_path / "world.toml"
    world.write_text('preset = "still"\nyears = 3\nmembers = 60\nregions = 1\n', "utf-8")
    assert alone("lab", "world", world, "--out", tmp_path / "world").exit_code == 0
    study = tmp_path / "study.toml"
    study.write_text(STUDY, "utf-8")
    results = tmp_path / "results"
    computed = ratebook(packages, "lab", "run", study, "--results", results)
    assert computed.returncode == 0, computed.stderr
    lines = json.loads(ratebook(packages, "lab", "compare", results, "--json").stdout)["variants"]
    losses = {line["name"]: line["log_loss"] for line in lines}
    assert set(losses) == {"the rules as they are", "club-elo half 10", "club-elo half 40"}
    assert len(set(losses.values())) == 3
    study.write_text(STUDY.replace("half", "quarter"), "utf-8")
    refused = ratebook(packages, "lab", "run", study, "--results", results)
    assert refused.returncode == 1
    assert "competitors.club-elo: This is not a competitor, or it has no such constant" in refused.stderr
    study.write_text(STUDY, "utf-8")
    assert "competitors.club-elo" in alone("lab", "run", study, "--results", results).stderr


def test_what_its_rating_system_does_wrong_is_a_finding(packages: Path, tmp_path: Path) -> None:
    broken = tmp_path / "packages"
    shutil.copytree(packages, broken)
    module = broken / "example_league" / "club_elo.py"
    module.write_text(module.read_text("utf-8").replace("self.most /", "self.least /"), "utf-8")
    world = tmp_path / "world.toml"
    world.write_text('preset = "still"\nyears = 1\nmembers = 30\nregions = 1\n', "utf-8")
    assert alone("lab", "world", world, "--out", tmp_path / "world").exit_code == 0
    study = tmp_path / "study.toml"
    study.write_text(STUDY, "utf-8")
    failed = ratebook(broken, "lab", "run", study, "--results", tmp_path / "results")
    assert failed.returncode == 1
    assert (
        "The rating system club-elo of an installed package cannot be used: AttributeError" in failed.stderr
    )
    assert "Traceback" not in failed.stderr
