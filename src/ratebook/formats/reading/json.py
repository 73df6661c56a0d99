"""JSON, read within bounds and with every mistake named; keys that occur twice are kept in mind."""

import json

from ratebook.findings import Findings, Place
from ratebook.formats.reading.text import BYTE_ORDER_MARK

_DENSE_FROM = 1_000_000
_BYTES_FOR_A_VALUE = 5


class RepeatedKeys(dict[str, object]):
    """A JSON object in which keys occur more than once; it holds their last values."""

    repeated: tuple[str, ...] = ()


def object_from_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the JSON object made of *pairs*, marked where keys repeat (a hook for `json.loads`)."""
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    seen: set[str] = set()
    repeated: dict[str, None] = {}
    for key, _ in pairs:
        if key in seen:
            repeated[key] = None
        seen.add(key)
    marked = RepeatedKeys(values)
    marked.repeated = tuple(repeated)
    return marked


class _KeyCount:
    """Counts the keys of all objects (a hook for `json.loads`)."""

    __slots__ = ("keys",)

    def __init__(self) -> None:
        self.keys = 0

    def __call__(self, values: dict[str, object]) -> dict[str, object]:
        self.keys += len(values)
        return values


def _decode(findings: Findings, data: bytes, name: str) -> str | None:
    """Return the text in *data*, or None with a finding."""
    data = data.removeprefix(BYTE_ORDER_MARK)
    if not data.strip():
        findings.add("file-empty.json", Place(file=name))
        return None
    if b"\0" in data:
        findings.add("file-binary.utf8", Place(file=name))
        return None
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        findings.add("not-utf8", Place(file=name, line=line))
        return None


def load_json(findings: Findings, data: bytes, name: str, *, mark_repeated: bool = False) -> object:
    """Return the JSON value in *data*, or None with a finding; *mark_repeated* marks the objects with repeated keys."""
    text = _decode(findings, data, name)
    if text is None:
        return None
    if len(data) > _DENSE_FROM and len(data) < _BYTES_FOR_A_VALUE * _values_in(data):
        # A value takes some hundred bytes of memory whatever it takes in the file.
        findings.add("file-too-dense", Place(file=name))
        return None
    try:
        counted = _KeyCount()
        values: object = json.loads(text, object_hook=counted if mark_repeated else None)
        # Every key has its colon: where there are as many keys as colons, none was lost. Else some occur twice, or a
        # text holds a colon; a slower reading, which takes more memory, tells.
        if mark_repeated and counted.keys != text.count(":"):
            del values
            values = json.loads(text, object_pairs_hook=object_from_pairs)
    except json.JSONDecodeError as failure:
        place = Place(file=name, line=failure.lineno, field=f"column {failure.colno}")
        findings.add("not-json", place, msg=failure.msg)
        return None
    except RecursionError:
        findings.add("nested-too-deeply", Place(file=name))
        return None
    except ValueError:
        # int() refuses thousands of digits (the interpreter's limit against denial of service).
        findings.add("number-too-long", Place(file=name))
        return None
    if values is None:
        findings.add("type-wrong.null", Place(file=name))
    return values


def _values_in(data: bytes) -> int:
    """Return about how many values JSON text has: whatever begins an object, a list, an item or a field."""
    # To delete them all in one go takes a third of the time of counting one after another.
    blocks = (data[at : at + _DENSE_FROM] for at in range(0, len(data), _DENSE_FROM))
    return len(data) - sum(len(block.translate(None, b"{[,:")) for block in blocks)
