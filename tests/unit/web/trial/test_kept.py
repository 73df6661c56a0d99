"""A file stays the file when its sender takes members for its players, or changes it in the form."""

from __future__ import annotations

import pytest

from ratebook.reports.draft import draft_of, native_of
from ratebook.reports.load import load_bytes
from ratebook.web.trial.kept import Trial, with_brought, with_taken

CSV = """Small Quad,,,,,,
Ended 27 November 2026,G/90;+30,,,,,
No,Name,ID,R1,R2,R3,Total
1,"Alder, Ahmed",90000049,W2,W3,D4,2.5
2,"Redwood, Kofi",90000029,L1,D4,W3,2.5
3,"Lupin, Jin",9000078,D4,L1,L2,0.5
4,"Vireo, Isaac",90000089,D3,D2,D1,1.5
"""
TRF = "\n".join(
    [
        "012 Small Quad",
        "042 2026/11/27",
        "052 2026/11/27",
        "122 G/90;+30",
        *(
            f"001{seat:5} {'':4} {name:33}{'':33}{points:>4} {seat:4}"
            + "".join(f"  {opponent:4} w {result}" for opponent, result in games)
            for seat, name, points, games in (
                (1, "Alder, Ahmed", "2.5", [(2, "1"), (3, "1"), (4, "=")]),
                (2, "Redwood, Kofi", "2.5", [(1, "0"), (4, "="), (3, "1")]),
                (3, "Lupin, Jin", "0.5", [(4, "="), (1, "0"), (2, "0")]),
                (4, "Vireo, Isaac", "1.5", [(3, "="), (2, "="), (1, "=")]),
            )
        ),
    ]
)


def tried(name: str, text: str) -> Trial:
    """Return the trial of a file whose second player has a printed total of 2.5, and results of 1.5."""
    loaded = load_bytes(text.encode(), name)
    assert loaded.report is not None
    return Trial(name, loaded, data=text.encode())


def totals(trial: Trial) -> list[str]:
    """Return what is said of printed totals."""
    assert trial.loaded is not None
    return [
        f"{found.place.seats} {found.message}"
        for found in trial.loaded.findings
        if found.code in {"total-differs", "points-differ"}
    ]


@pytest.mark.parametrize(("name", "text"), [("quad.csv", CSV), ("quad.trf", TRF)])
def test_a_printed_total_is_compared_until_the_results_agree(name: str, text: str) -> None:
    file = tried(name, text)
    said = totals(file)
    assert len(said) == 1
    assert "(2,)" in said[0]
    trial = file.taking(1, 3, "90000078", "Lupin, Jin")
    assert totals(trial) == said
    assert trial.report is not None
    assert trial.report.sections[0].entries[2].player == "90000078"
    assert trial.draft is None
    draft = draft_of(trial.report)
    typed = trial.in_form(draft)
    (section,) = draft.sections
    won = section.players[1]._replace(cells=("D1", "W4", "W3"))
    lost = section.players[3]._replace(cells=("D3", "L2", "D1"))
    players = (section.players[0], won, section.players[2], lost)
    for changed, last in ((section, said), (section._replace(players=players), [])):
        loaded = load_bytes(native_of(draft.with_section(changed)), name)
        left = totals(typed._replace(loaded=with_brought(loaded, typed.brought)))
        assert [each for each in left if "(2,)" in each] == last


def test_a_member_is_taken_again_when_the_file_is_read_again_and_has_the_same_player_there() -> None:
    file = tried("quad.csv", CSV)
    trial = (
        file.taking(1, 3, "90000078", "Lupin, Jin")
        .taking(9, 3, "90000078", "Lupin, Jin")
        .taking(1, 9, "90000078", "Lupin, Jin")
    )
    assert [(each.seat, each.player) for each in trial.taken] == [(3, "9000078")]
    again = with_taken(load_bytes(CSV.encode(), "quad.csv"), trial.taken)
    assert trial.loaded == again
    other = load_bytes(CSV.replace("9000078", "90000012").encode(), "quad.csv")
    assert with_taken(other, trial.taken) == other
