"""Boxes by which warnings are accepted: one for each, and one for all of a code, which says how many these are."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratebook.findings import Finding
from ratebook.pages.queue import brief
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.layout.words import in_running_text

MOST_BOXES, MOST_LABEL = 100, 300
_NAME, _LETTERS = "accept-", 16


class Box(NamedTuple):
    """A check box, and the keys of the warnings that it accepts."""

    asked: Input
    keys: tuple[str, ...]


def box_of(findings: Sequence[Finding], label: str, *of: str) -> Box:
    """Return the box of some warnings, *of* some reports; its name changes with them, so that it accepts no others."""
    keys = tuple(one.key for one in findings)
    name = hashlib.sha256(" ".join((*of, *keys)).encode()).hexdigest()[:_LETTERS]
    return Box(Input(f"{_NAME}{name}", label[:MOST_LABEL], InputKind.CHECK, needed=False), keys)


def boxes_of(findings: Iterable[Finding]) -> list[Box]:
    """Return a box for each warning, after one for all of its code where that has several."""
    of_code: dict[str, list[Finding]] = {}
    for finding in findings:
        of_code.setdefault(finding.code, []).append(finding)
    boxes = []
    for code, alike in of_code.items():
        if len(alike) > 1:
            boxes.append(box_of(alike, f"All {brief(code, len(alike))}"))
        boxes += [box_of([finding], _label(finding)) for finding in alike[:MOST_BOXES]]
    return boxes


def _label(finding: Finding) -> str:
    where = "" if finding.where == "report" else f"{finding.where[:1].upper()}{finding.where[1:]}: "
    return f"{where}{in_running_text(finding.message)}"


def accepted_keys(sent: Sent, boxes: Iterable[Box]) -> tuple[str, ...]:
    """Return the keys of the warnings whose boxes were checked."""
    return tuple(dict.fromkeys(key for box in boxes if sent.is_checked(box.asked.name) for key in box.keys))


def checked_boxes(sent: Sent) -> frozenset[str]:
    """Return the names of all boxes that were checked, also of those that a page no longer has."""
    return frozenset(name for name in sent.texts if name.startswith(_NAME) and sent.is_checked(name))
