"""A large report takes a little memory for each player, and what is printed of it is not held as a whole."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from benchmarks.large_report import large_report

from ratebook.cli.output import print_json
from ratebook.formats.native.read import parse_native_json
from ratebook.reports.rate import rate_report
from ratebook.rules.rulebook import load_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

BYTES_A_PLAYER = 4_200
"""With 45,000 players 189 MB, so that a report of 10 MB is rated within 256 MB (benchmarks/large_report.py)."""


def test_a_report_is_read_and_rated_in_a_few_kilobytes_a_player() -> None:
    rulebook = load_rulebook()
    small, large = (large_report(sections, 150, 6) for sections in (1, 3))
    peaks = []
    for data in (small, small, large):
        tracemalloc.start()
        parsed = parse_native_json(data, "report.json")
        assert parsed.report is not None
        rated = rate_report(parsed.report, rulebook)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(rated.sections) == len(parsed.report.sections)
    assert peaks[2] - peaks[1] < 300 * BYTES_A_PLAYER


@pytest.mark.parametrize("number", [0, 1, 2_000])
def test_json_is_printed_item_by_item(capsys: pytest.CaptureFixture[str], number: int) -> None:
    item = {"name": "Ünal\n" * 30, "none": [], "list": [1, {"a": None}]}
    printed: list[str] = []

    def items() -> Iterator[object]:
        for _ in range(number):
            printed.append(capsys.readouterr().out)
            yield item

    print_json({"before": {"a": [1]}, "items": items(), "after": []})
    printed.append(capsys.readouterr().out)
    expected = {"before": {"a": [1]}, "items": [item] * number, "after": []}
    assert "".join(printed) == json.dumps(expected, indent=2, ensure_ascii=False) + "\n"
    assert max(map(len, printed)) < 100_000
