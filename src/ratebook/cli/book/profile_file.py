"""A federation's profile as the user gives it: options, or a TOML file, checked before anything is written."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from ratebook.book.profile import THIRD_WEDNESDAY, Profile
from ratebook.findings import Finding, error
from ratebook.formats.reading.fields import close_match
from ratebook.model import System

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

LAST_CUT_OFF = 28
"""Every month has this day."""

MOST_LEAST_GAMES = 100
LONGEST_TEXT = 200

_KEYS = {
    "name": "name",
    "country": "country",
    "member_id_pattern": "member_id_pattern",
    "systems": "systems",
    "cut_off": "cut_off",
    "least_games": "least_published_games",
}
_OVERLAY = "overlay"


def read_profile_file(path: Path) -> tuple[Profile, list[Finding]]:
    """Return the profile in a TOML file, and what is wrong with it.

    Its keys are ``name``, ``country``, ``member_id_pattern``, ``systems`` (a list), ``cut_off``, ``least_games`` and
    ``overlay``, the path of the federation's own rules, beside the file.
    """
    name = str(path)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        overlay = values.pop(_OVERLAY, None)
        text = "" if overlay is None else (path.parent / str(overlay)).read_text(encoding="utf-8")
    except OSError as failure:
        return Profile(), [
            error(
                "file-unreadable",
                str(failure.filename or name),
                f"It cannot be read: {failure.strerror or failure}.",
                "Give a readable file.",
            )
        ]
    except (tomllib.TOMLDecodeError, UnicodeError, RecursionError) as failure:
        return Profile(), [
            error(
                "profile-unreadable",
                name,
                f"It is no TOML: {failure}.",
                'Write lines such as name = "Example League".',
            )
        ]
    findings = [_unknown(name, key) for key in values if key not in _KEYS]
    given = {_KEYS[key]: value for key, value in values.items() if key in _KEYS}
    profile, found = profile_of(given, Profile(overlay=text))
    return profile, findings + found


def _unknown(name: str, key: str) -> Finding:
    return error(
        "profile-key-unknown",
        f"{name}, {key}",
        "A profile has no such key.",
        close_match(key, frozenset({*_KEYS, _OVERLAY})),
    )


def profile_of(given: Mapping[str, Any], start: Profile) -> tuple[Profile, list[Finding]]:
    """Return *start* with what is *given* (fields of `Profile`; None: not given), and what is wrong with that."""
    values = {name: value for name, value in given.items() if value is not None}
    findings = list(_wrong(values))
    if findings:
        return start, findings
    if "systems" in values:
        chosen = {System(word) for word in values["systems"]}
        values["systems"] = tuple(system for system in System if system in chosen)
    if "cut_off" in values:
        text = str(values["cut_off"])
        values["cut_off"] = text if text == THIRD_WEDNESDAY else str(int(text))
    return start._replace(**values), []


def _wrong(values: Mapping[str, Any]) -> Iterator[Finding]:
    for name in ("name", "country", "member_id_pattern"):
        text = values.get(name, "text")
        blank = name == "name" and not str(text).strip()
        if not isinstance(text, str) or blank or len(text) > LONGEST_TEXT or not text.isprintable():
            yield _refused(name, text, f"Give a text of at most {LONGEST_TEXT} letters in one line.")
    pattern = values.get("member_id_pattern", "")
    try:
        re.compile(str(pattern))
    except (re.error, RecursionError, OverflowError):
        yield _refused("member_id_pattern", pattern, r"Give a regular expression, for example [0-9]{8}.")
    systems = values.get("systems", list(System))
    known = {system.value for system in System}
    if not isinstance(systems, list | tuple) or not systems or not set(map(str, systems)) <= known:
        yield _refused("systems", systems, f"Give one or more of {', '.join(System)}.")
    cut_off = str(values.get("cut_off", THIRD_WEDNESDAY))
    day = int(cut_off) if cut_off.isascii() and cut_off.isdigit() and len(cut_off) < 3 else 0  # noqa: PLR2004 - two digits of a day
    if cut_off != THIRD_WEDNESDAY and not 1 <= day <= LAST_CUT_OFF:
        yield _refused("cut_off", cut_off, f"Give {THIRD_WEDNESDAY}, or a day from 1 to {LAST_CUT_OFF}.")
    least = values.get("least_published_games", 1)
    if isinstance(least, bool) or not isinstance(least, int) or not 0 <= least <= MOST_LEAST_GAMES:
        yield _refused("least_games", least, f"Give a whole number from 0 to {MOST_LEAST_GAMES}.")


def _refused(name: str, value: object, remedy: str) -> Finding:
    return error(
        "profile-value-wrong", f"profile, {name}", f"{str(value)[:80]!r} cannot be the {name}.", remedy
    )
