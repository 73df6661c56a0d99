"""Whole synthetic histories rated again: every column of the history, of the ledger and of the standings at the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scripts.freeze.part_json import OVERLAY
from scripts.freeze.program import call, sorted_files
from scripts.freeze.tables import add_parquet

if TYPE_CHECKING:
    from scripts.freeze.record import Record

REPLAYS = {
    "as it was": ("--workings",),
    "what if": ("--rules", "overlay.toml", "--set", "established_above_games=20"),
}


def freeze(record: Record) -> None:
    """Record a history, its replay with all workings, and a replay by other rules."""
    games, members = ("20000", "1000") if record.quick else ("200000", "10000")
    call("demo-history", "--out", "history", "--games", games, "--members", members)
    Path("overlay.toml").write_text(OVERLAY, encoding="utf-8")
    for path, place in sorted_files(Path("history")):
        add_parquet(record, f"history {path}", place)
    for title, options in REPLAYS.items():
        ledger, standings = f"{title} ledger.parquet", f"{title} standings.parquet"
        answer = call("replay", "history", "--out", ledger, "--standings", standings, *options)
        record.add_answer(f"{title} command", answer)
        for path in (ledger, standings):
            add_parquet(record, path, Path(path))
