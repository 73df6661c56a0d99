"""Findings: what is wrong with an input, where, and what to do about it.

Bad input never raises. A parser or a check returns findings; nothing is rated while one of them is an error. What a
finding says is declared in ``findings.toml``; code gives its code, its place and the values of its text.
"""

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

TEXTS = os.path.join(os.path.dirname(__file__), "findings.json")
"""``findings.toml`` as ``make docs`` parses it, since parsing it costs a third of the start-up."""


class Severity(StrEnum):
    """How much a finding matters: an error stops the rating, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(NamedTuple):
    """One finding.

    Attributes:
        code: stable short name, for example ``opponent-missing``.
        severity: error, warning or note.
        where: file, record and field in words, for example ``section 1, seat 3, round 2``.
        message: what is wrong, as a sentence.
        remedy: what the user can do about it.
        file: the name of the file with which *where* begins, if it does: names of files may look like places.
    """

    code: str
    severity: Severity
    where: str
    message: str
    remedy: str
    file: str = ""

    @property
    def place(self) -> str:
        """Where it is within its file."""
        return self.where.removeprefix(self.file).removeprefix(", ") if self.file else self.where

    def of_file(self, *names: str) -> "Finding":
        """Return it with the one of these files with whose name its place begins, if it does.

        >>> found = Finding("a", Severity.NOTE, "section 1, seat 2.csv, line 3", "", "")
        >>> found.of_file("section 1, seat 2.csv").place
        'line 3'
        """
        begins = (name for name in names if self.where == name or self.where.startswith(f"{name}, "))
        return self._replace(file=max(begins, key=len, default=""))


class Spot(NamedTuple):
    """Where in a report a finding is: section, seats, round and player, 0 or empty where it does not say."""

    section: int = 0
    seats: tuple[int, ...] = ()
    round: int = 0
    player: str = ""


_SPOT = re.compile(
    r"section ([0-9]{1,4})(?:, seats? ([0-9]{1,4}(?:, [0-9]{1,4})*))?(?:, round ([0-9]{1,4}))?(?![0-9])"
)


_PLAYER = re.compile(r"player (\S+)")


def spot_of(place: str) -> Spot:
    """Return the first spot that a place within a report names.

    >>> (
    ...     tuple(spot_of("section 1, seat 3, round 2")),
    ...     spot_of("section 2, seats 4, 7").seats,
    ...     spot_of("player P7").player,
    ... )
    ((1, (3,), 2, ''), (4, 7), 'P7')
    """
    named, player = _SPOT.search(place), _PLAYER.search(place)
    if named is None:
        return Spot(player=player[1] if player else "")
    seats = tuple(int(seat) for seat in named[2].split(", ")) if named[2] else ()
    return Spot(int(named[1]), seats, int(named[3] or 0))


ALL = "all"
"""Accepts every warning, as a code accepts those that have it."""

_KEY_LETTERS = 16


def key_of(found: Finding) -> str:
    """Return a short name of a finding: of its code, its place and what it says.

    >>> key_of(Finding("name-twice", Severity.WARNING, "section 1, seat 3", "A name comes twice.", "Look."))
    '2fcc6509264a06d7'
    """
    said = f"{found.code}\0{found.where}\0{found.message}"
    return hashlib.sha256(said.encode()).hexdigest()[:_KEY_LETTERS]


def is_accepted(found: Finding, accepted: Collection[str]) -> bool:
    """Return whether a warning is among those *accepted*: by its key, by its code, or with all others."""
    return found.severity is Severity.WARNING and not {ALL, found.code, key_of(found)}.isdisjoint(accepted)


class FindingText(NamedTuple):
    """What a finding of one code says; message and remedy have ``{places}`` for values.

    Attributes:
        on_page: the remedy in a browser, where the other one names commands or options; empty: the same.
    """

    severity: Severity
    message: str
    remedy: str
    on_page: str = ""


@cache
def texts() -> Mapping[str, FindingText]:
    """Return every text by ``code``, or ``code.case`` where one code has several."""
    with open(TEXTS, "rb") as stream:
        stored: dict[str, list[str]] = json.loads(stream.read())
    return {name: FindingText(Severity(severity), *said) for name, (severity, *said) in stored.items()}


def finding(name: str, where: str, /, **values: object) -> Finding:
    """Return the finding that ``findings.toml`` declares under *name*: ``code`` or ``code.case``.

    *where* is file, record and field in words; *values* fill the places in the texts: ``{count:game|games}`` is a
    number with its noun, ``{count:=is|are}`` the word alone that agrees with it.

    >>> finding("peak-missing", "player P1", system="regular").code
    'peak-missing'
    """
    text = texts()[name]
    return Finding(
        name.partition(".")[0],
        text.severity,
        where,
        filled(text.message, values),
        filled(text.remedy, values),
    )


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return *text* with the *values* in their places.

    >>> filled("{left:line|lines} {left:=was|were} left out", {"left": 1})
    '1 line was left out'
    """
    return text.format_map(
        {
            key: _Count(value) if isinstance(value, int) and not isinstance(value, bool) else value
            for key, value in values.items()
        }
    )


class _Count(int):
    """A number in a text, with which words agree."""

    def __format__(self, spec: str) -> str:
        one, between, several = spec.removeprefix("=").partition("|")
        if not between:
            return super().__format__(spec)
        word = one if self == 1 else several
        return word if spec.startswith("=") else f"{int(self):,} {word}"


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return whether any of *findings* is an error.

    >>> has_errors([finding("peak-missing", "player P1", system="regular")])
    False
    """
    return any(one.severity is Severity.ERROR for one in findings)


FINDINGS_SHOWN = 1_000
"""More findings than this help no one; the rest is counted."""


class Findings:
    """Collects the findings of one parser, at most `FINDINGS_SHOWN` errors and as many others.

    >>> findings = Findings()
    >>> findings.add("file-empty.decode", "report.json")
    >>> findings.has_errors
    True
    """

    def __init__(self) -> None:
        self._kept: list[Finding] = []
        self._errors = 0
        self._others = 0

    @property
    def has_errors(self) -> bool:
        """Whether an error was found."""
        return self._errors > 0

    @property
    def full(self) -> bool:
        """Whether no further error will be shown, so that costly remedies need not be looked for."""
        return self._errors >= FINDINGS_SHOWN

    def add(self, name: str, where: str, /, **values: object) -> None:
        """Add the finding that ``findings.toml`` declares under *name* (`ratebook.findings.finding`)."""
        if self._is_shown(texts()[name].severity):
            self._kept.append(finding(name, where, **values))

    def append(self, found: Finding) -> None:
        """Add a finding that was made elsewhere."""
        if self._is_shown(found.severity):
            self._kept.append(found)

    def _is_shown(self, severity: Severity) -> bool:
        """Count one more finding, and return whether it is among those that are kept."""
        if severity is Severity.ERROR:
            self._errors += 1
            return self._errors <= FINDINGS_SHOWN
        self._others += 1
        return self._others <= FINDINGS_SHOWN

    def of_file(self, name: str) -> tuple[Finding, ...]:
        """Return what was found in the file *name*; too much is cut, and a note gives the total."""
        found = self._errors + self._others
        if found <= FINDINGS_SHOWN:
            return tuple(self._kept)
        shown = sorted(self._kept, key=lambda one: one.severity is not Severity.ERROR)[:FINDINGS_SHOWN]
        return (
            *shown,
            finding("too-many-findings.of-file", name, found=found, findings_shown=FINDINGS_SHOWN),
        )
