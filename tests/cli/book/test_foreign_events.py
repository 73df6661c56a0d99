"""Foreign FIDE events at the office: opt-ins and flags are dated, refusals are said, nothing touches earlier events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.book.office_commands import OfficeCommands, codes_in, write_report

ANN = "90000001"
BEN = "90000002"
JUNE = "202506010001"
WHY = ("--reason", "asked in writing")

MEMBERS = f"""id,name,birth_date,us_member,usa_flag,fide_opt_in,expires,state
{ANN},"ALPHA, ANN",1990-01-01,true,true,false,life,NY
{BEN},"BETA, BEN",1990-01-01,true,true,false,life,NY
"""
MEMBERSHIPS = f"member_id,starts,expires\n{ANN},2001-01-01,9999-12-31\n{BEN},2001-01-01,9999-12-31\n"
BALANCES = f"""member_id,system,as_of,rating,games,wins,draws,losses,record,long_events,peak,life_master_games
{ANN},regular,2024-12-31,2000,325,140,7,178,mixed,81,2051,0
{BEN},regular,2024-12-31,1800,325,140,7,178,mixed,81,1851,0
"""
RATINGS = f"member_id,source,list_date,rating\n{ANN},fide,2025-01-01,2100\n"


MOVED = {"rating": 2112, "provisional_games": None}


def event(path: Path, event_id: str, start: str, end: str, *, marked: bool = True) -> str:
    """Write a foreign event that Ann won against three opponents rated 2200, 2300 and 2300 by FIDE."""
    foreign = [
        {"id": f"FIDE{at}", "fide": {"rating": rating}} for at, rating in ((1, 2200), (2, 2300), (3, 2300))
    ]
    won = {"seat": 1, "player": ANN, "rounds": ["W2", "W3", "W4"], **({"update": True} if marked else {})}
    lost = [
        {"seat": seat, "player": f"FIDE{seat - 1}", "rounds": [*[""] * (seat - 2), "L1"]}
        for seat in (2, 3, 4)
    ]
    report = {
        "format": "ratebook-report/1",
        "event": {"id": event_id, "name": "Foreign", "start": start, "end": end},
        "players": [{"id": ANN, "name": "ALPHA, ANN"}, *foreign],
        "sections": [{"number": 1, "type": "fide", "entries": [won, *lost]}],
    }
    path.write_text(json.dumps(report), encoding="utf-8")
    return str(path)


@pytest.fixture
def abroad(tmp_path: Path) -> OfficeCommands:
    """Give a book in which Ann, FIDE 2100 and not opted in, played abroad in June 2025; what was marked is refused."""
    office = OfficeCommands(str(tmp_path / "league.book"))
    office.done("init", "--name", "Example League")
    for kind, text in (
        ("members", MEMBERS),
        ("memberships", MEMBERSHIPS),
        ("opening-balances", BALANCES),
        ("foreign-ratings", RATINGS),
    ):
        (tmp_path / f"{kind}.csv").write_text(text, encoding="utf-8")
        office.done("import", kind, str(tmp_path / f"{kind}.csv"))
    office.done(
        "submit", event(tmp_path / "june.json", JUNE, "2025-06-01", "2025-06-05"), "--received", "2025-06-06"
    )
    return office


@pytest.fixture
def refused(abroad: OfficeCommands) -> OfficeCommands:
    """Give that book after the event of June was rated."""
    abroad.done("rate")
    return abroad


def ledger(office: OfficeCommands, member: str = ANN) -> list[dict[str, int | None]]:
    return [one["after"] for one in office.asked("history", member)["sections"]]


def another(office: OfficeCommands, folder: Path, start: str, *, marked: bool = True) -> None:
    """Send and rate another such event, of one day."""
    event_id = f"{start.replace('-', '')}0001"
    office.done(
        "submit", event(folder / "more.json", event_id, start, start, marked=marked), "--received", start
    )
    office.run("rate")


NOT_ELIGIBLE = "not eligible: neither opted in nor a US flag with FIDE 2200 or more"


def test_a_refused_update_is_a_finding_of_the_section(abroad: OfficeCommands) -> None:
    rated = abroad.asked("rate")
    assert [(one["code"], one["where"]) for one in rated["problems"]] == [
        ("fide-not-eligible", f"event {JUNE}, section 1, seat 1")
    ]
    shown = abroad.asked("show", "1")["problems"]
    assert "fide-not-eligible" in [one["code"] for one in shown]
    crosstable = abroad.done("crosstable", JUNE)
    assert "withdrawn" not in crosstable
    assert NOT_ELIGIBLE in crosstable


@pytest.mark.statement("M11")
def test_an_opt_in_of_2026_does_not_touch_june_2025(refused: OfficeCommands) -> None:
    refused.done("correct", "facts", ANN, "--fide-opt-in", *WHY)
    assert "No current rating changed" in refused.done("rerate")
    assert ledger(refused) == []
    assert refused.asked("verify")["problems"] == []


@pytest.mark.statement("M11")
@pytest.mark.parametrize(
    ("received", "counts"), [("2025-05-31", True), ("2025-06-01", False), ("2025-06-03", False)]
)
def test_an_opt_in_counts_for_events_that_begin_after_its_day(
    refused: OfficeCommands, received: str, *, counts: bool
) -> None:
    refused.done("adjust", "opt-in", ANN, "--received", received, *WHY)
    said = refused.done("rerate")
    # 2000 -> 2111.79 was computed by the audit of November 2026.
    assert ledger(refused) == ([MOVED] if counts else [])
    assert ("2000.00" in said and "2111.79" in said) == counts
    assert "unrated" not in said
    assert refused.asked("verify")["problems"] == []


@pytest.mark.statement("M10", "M11")
def test_who_opted_in_is_updated_without_a_mark(refused: OfficeCommands, tmp_path: Path) -> None:
    refused.done("adjust", "opt-in", ANN, "--received", "2025-07-01", *WHY)
    another(refused, tmp_path, "2025-08-01", marked=False)
    assert len(ledger(refused)) == 1


@pytest.mark.statement("M11")
def test_no_list_opts_a_member_out(refused: OfficeCommands, tmp_path: Path) -> None:
    refused.done("adjust", "opt-in", ANN, "--received", "2025-05-01", *WHY)
    refused.done("rerate")
    before = ledger(refused)
    assert len(before) == 1
    out = tmp_path / "out.csv"
    out.write_text(f'id,name,fide_opt_in\n{ANN},"ALPHA, ANN",false\n', encoding="utf-8")
    result = refused.run("import", "members", str(out))
    assert codes_in(result.stderr) == ["import-opt-out"]
    refused.done("rerate")
    assert ledger(refused) == before


@pytest.mark.statement("M11")
def test_an_opt_out_needs_an_approval_and_touches_no_earlier_event(
    refused: OfficeCommands, tmp_path: Path
) -> None:
    refused.done("adjust", "opt-in", ANN, "--received", "2025-05-01", *WHY)
    refused.done("rerate")
    assert refused.run("adjust", "opt-in", ANN, "--lift", *WHY).exit_code == 2
    lifted = ("adjust", "opt-in", ANN, "--lift", "--approved-by", "A. Director", *WHY)
    assert refused.refused(*lifted, "--received", "2025-05-15") == ["opt-out-too-early"]
    assert refused.refused(*lifted, "--received", "2199-01-01") == ["mark-in-future"]
    refused.done(*lifted, "--received", "2025-06-30")
    assert refused.refused(*lifted) == ["nothing-changes"]
    refused.done("rerate")
    assert ledger(refused) == [MOVED]
    another(refused, tmp_path, "2025-08-01")
    assert len(ledger(refused)) == 1
    decided = refused.asked("decisions")["decisions"]
    assert "opt-in-lifted" in json.dumps(decided)


@pytest.mark.statement("M11")
def test_an_opt_in_in_a_members_list_counts_from_the_day_of_the_import(
    refused: OfficeCommands, tmp_path: Path
) -> None:
    asked = tmp_path / "in.csv"
    asked.write_text(f"id,fide_opt_in\n{ANN},true\n", encoding="utf-8")
    refused.done("import", "members", str(asked))
    refused.done("rerate")
    assert ledger(refused) == []
    assert "opt-in" in json.dumps(refused.asked("decisions"))


FIDE_LIST = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def fide_list(path: Path, *rows: tuple[str, str, str, str, str]) -> str:
    """Write a FIDE list as text: number, name, federation, rating and games of each row."""
    lines = [
        f"{number:<15}{name:<61}{federation:<4}{'M':<4}{'':<5}{'':<5}{'':<15}{'':<4}{rating:<6}{games:<4}{20:<3}"
        f"{'':<6}{'':<4}{'':<3}{'':<6}{'':<4}{'':<3}{'1990':<6}"
        for number, name, federation, rating, games in rows
    ]
    path.write_text("\n".join([FIDE_LIST, *lines]) + "\n", encoding="utf-8")
    return str(path)


def numbers(path: Path) -> str:
    path.write_text(f"member_id,source,number\n{ANN},fide,2000001\n{BEN},fide,2000002\n", encoding="utf-8")
    return str(path)


def test_a_fide_list_brings_the_flag_from_its_day_on(refused: OfficeCommands, tmp_path: Path) -> None:
    listed = fide_list(tmp_path / "july.txt", ("2000001", "Alpha, Ann", "USA", "2250", "9"))
    moved = fide_list(tmp_path / "november.txt", ("2000001", "Alpha, Ann", "CAN", "2260", "3"))
    numbered = ("--numbers", numbers(tmp_path / "numbers.csv"), "--list-date")
    refused.run("import", "foreign-ratings", moved, *numbered, "2025-11-01")
    refused.run("import", "foreign-ratings", listed, *numbered, "2025-07-01")
    another(refused, tmp_path, "2025-08-01")
    another(refused, tmp_path, "2025-11-01")
    events = [one["event"] for one in refused.asked("history", ANN)["sections"]]
    assert events == ["202508010001"]
    assert refused.asked("verify")["problems"] == []


@pytest.mark.statement("M12")
def test_a_fide_list_names_all_with_the_flag_who_played(abroad: OfficeCommands, tmp_path: Path) -> None:
    listed = fide_list(
        tmp_path / "list.txt",
        ("2000001", "Alpha, Ann", "USA", "2250", "9"),
        ("2000002", "Beta, Ben", "USA", "2100", "4"),
        ("2000003", "Gamma, Gus", "USA", "2300", "5"),
        ("2000004", "Delta, Dan", "USA", "2400", "0"),
        ("2000005", "Epsilon, Eve", "CAN", "2500", "9"),
    )
    asked = ("foreign-events", "--from", listed, "--list-date", "2026-01-01")
    answer = abroad.asked(*asked, "--numbers", numbers(tmp_path / "numbers.csv"))
    named = [
        (one["number"], one["member"], one["games"], one["updated"], one["because"])
        for one in answer["players"]
    ]
    assert named == [
        ("2000001", ANN, 9, True, "automatic"),
        ("2000002", BEN, 4, False, "neither opted in nor a US flag with FIDE 2200 or more"),
        ("2000003", "", 5, False, "the book does not know the number: give --numbers"),
    ]
    assert len(abroad.asked(*asked)["players"]) == 3
    assert "3 players with the US flag" in abroad.done(*asked)


@pytest.mark.statement("M12")
def test_a_report_alone_names_them_too(abroad: OfficeCommands, tmp_path: Path) -> None:
    path = event(tmp_path / "july.json", "202507010001", "2025-07-01", "2025-07-05", marked=False)
    answer = abroad.asked("foreign-events", path)
    assert [(one["member"], one["games"], one["updated"]) for one in answer["players"]] == [(ANN, 3, False)]
    abroad.done("adjust", "opt-in", ANN, "--received", "2025-06-30", *WHY)
    answer = abroad.asked("foreign-events", path)
    assert [(one["updated"], one["because"]) for one in answer["players"]] == [(True, "opted in")]


def test_who_played_abroad_is_asked_rightly(abroad: OfficeCommands, tmp_path: Path) -> None:
    assert abroad.run("foreign-events").exit_code == 2
    assert abroad.run("foreign-events", "r.json", "--list-date", "2026-01-01").exit_code == 2
    assert abroad.refused("foreign-events", "--from", str(tmp_path / "members.csv")) == ["list-unknown"]
    swiss = write_report(tmp_path / "swiss.json", "2026-01-10", [1, 2], ["W2", "L1"])
    assert abroad.refused("foreign-events", swiss) == ["no-foreign-event"]


def test_no_answer_is_given_beside_an_error_or_about_players_who_are_not_known(
    abroad: OfficeCommands, tmp_path: Path
) -> None:
    wrong = abroad.run("foreign-events", "--from", str(tmp_path / "members.csv"))
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    quad = Path("examples/quad-crosstable.txt").read_text(encoding="utf-8")
    (tmp_path / "quad.txt").write_text(quad.replace("9000000", "9100000"), encoding="utf-8")
    said = ("--end", "2025-07-05", "--type", "fide")
    answer = abroad.done("foreign-events", str(tmp_path / "quad.txt"), *said)
    assert "says that any of the players has the US flag; the book does not know 4 players" in answer
    assert abroad.run("foreign-events", "--from", "list.txt", "--type", "fide").exit_code == 2
