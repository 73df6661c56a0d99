"""What is written as a birth date is shown by no finding, however it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import invoke

QUAD = Path("examples/quad.json")


def codes_without(said: str, *arguments: str) -> list[str]:
    """Return the codes of the findings of a check, none of which shows what is *said*."""
    printed = invoke("check", *arguments, "--json").stdout
    assert said not in printed
    found: list[dict[str, Any]] = json.loads(printed)["problems"]
    return sorted({one["code"] for one in found if "birth" in one["where"] + one["message"]})


@pytest.mark.parametrize(
    ("said", "code"),
    [("2016-11-144", "date-unreadable"), (20161114, "type-wrong"), ("1016-11-14", "date-out-of-range")],
)
def test_of_a_native_report(tmp_path: Path, said: object, code: str) -> None:
    report = json.loads(QUAD.read_text(encoding="utf-8"))
    report["players"][3]["birth_date"] = said
    place = tmp_path / "report.json"
    place.write_text(json.dumps(report), encoding="utf-8")
    assert codes_without(str(said), str(place)) == [code]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("2012-13-01", "date-unreadable"),
        ("5/6/2012", "date-order-unclear"),
        ("13/6/2012", "date-order-taken"),
        ("1012-05-01", "date-out-of-range"),
    ],
)
@pytest.mark.parametrize("of_members", [False, True])
def test_of_a_table(tmp_path: Path, said: str, code: str, *, of_members: bool) -> None:
    place = tmp_path / "table.csv"
    done = invoke("convert", str(QUAD), str(place), "--to", "members-csv" if of_members else "csv")
    assert done.exit_code == 0
    text = place.read_text(encoding="utf-8")
    assert text.count("2012-05-01") == 1
    place.write_text(text.replace("2012-05-01", said), encoding="utf-8")
    given = (str(QUAD), "--players", str(place)) if of_members else (str(place),)
    assert code in codes_without(said, *given)


def test_of_corrections(tmp_path: Path) -> None:
    book = ("book", "--book", str(tmp_path / "league.book"))
    assert invoke(*book, "init", "--name", "League").exit_code == 0
    place = tmp_path / "corrections.csv"
    place.write_text(
        "on,kind,value,opponent_value,by,reason\n2026-01-10,birth-date,90000012,2012-13-01,Ann,seen\n",
        encoding="utf-8",
    )
    refused = invoke(*book, "import", "corrections", str(place))
    assert "opponent_value: What is written here is not a calendar date." in refused.stderr
    assert "2012" not in refused.output
