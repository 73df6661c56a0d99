"""The native report, changed at any place: findings and never an exception."""

from __future__ import annotations

import json
import string

from hypothesis import given
from hypothesis import strategies as st

from ratebook.findings import has_errors
from ratebook.formats.contract import is_unreadable
from ratebook.formats.native.read import parse_native_json
from unit.formats.native.reports import CONTRACT_EXAMPLE, set_at


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all values inside *value*."""
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    else:
        return [path]
    return [path] * bool(path) + [deep for key, child in children for deep in paths_of(child, (*path, key))]


PATHS = paths_of(json.loads(CONTRACT_EXAMPLE))
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["2026-11-14", "regular", "W2w", "P1", "money"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(changes=st.lists(st.tuples(st.sampled_from(PATHS), JSON_VALUES), min_size=1, max_size=4))
def test_a_changed_report_yields_findings_and_never_an_exception(
    changes: list[tuple[tuple[str | int, ...], object]],
) -> None:
    values = json.loads(CONTRACT_EXAMPLE)
    for path, value in changes:
        try:
            set_at(*path, to=value)(values)
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took this place away
    result = parse_native_json(json.dumps(values).encode(), "quad.json")
    assert (result.report is None) == is_unreadable(result.findings)
    assert all(
        part.isprintable()
        for finding in result.findings
        for part in (finding.where, finding.message, finding.remedy)
    )


@given(data=st.binary(max_size=200) | st.text(string.printable, max_size=200).map(str.encode))
def test_any_bytes_yield_findings_and_never_an_exception(data: bytes) -> None:
    result = parse_native_json(data, "f.json")
    assert result.report is None
    assert has_errors(result.findings)


@given(start=st.integers(0, len(CONTRACT_EXAMPLE)), byte=st.integers(0, 255))
def test_a_flipped_byte_yields_findings_or_a_report(start: int, byte: int) -> None:
    data = bytearray(CONTRACT_EXAMPLE.encode())
    data[start : start + 1] = bytes([byte])
    result = parse_native_json(bytes(data), "quad.json")
    assert (result.report is None) == is_unreadable(result.findings)
