"""Player lists of every kind, read for one report and row by row; zip archives of them too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.readers import Fuzzed, bytes_of
from fuzz.reports import EXAMPLES, FESTIVAL
from ratebook.findings import Findings, has_errors
from ratebook.player_lists.merge import with_players
from ratebook.player_lists.read import iter_listed, read_players
from ratebook.player_lists.row import Match, Search
from unit.player_lists.lists import ADAMS, LISTS, report_of

if TYPE_CHECKING:
    from pathlib import Path

REPORT = report_of(ADAMS, ("90000002", "Baker, Exampel"), ("", "Clark, Example"))


class _Everyone(Search):
    """A search that finds every row."""

    def match(self, number: str, name: str) -> Match:  # noqa: ARG002 - as in the class
        return Match.WANTED


def readers(scratch: Path) -> tuple[Fuzzed, ...]:
    """Return the readers of lists, which come as the file *scratch*."""

    def read(data: bytes) -> None:
        scratch.write_bytes(data)
        findings = Findings()
        for row in iter_listed(scratch, _Everyone(), findings):
            assert row.where
        listed = read_players(scratch, REPORT, complete=True)
        assert listed.kind is not None or has_errors(listed.findings), "no list and no error"
        with_players(REPORT, listed)

    seeds = (*LISTS.values(), *bytes_of((EXAMPLES / "league" / "members.csv", FESTIVAL / "members.csv")))
    return (Fuzzed("rating lists", read, tuple(seeds)),)
