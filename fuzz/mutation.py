"""Changes that keep the form of what people and programs write: words and lines are exchanged, nasty values put in."""

from __future__ import annotations

import random
import re

WORD = re.compile(rb"[^\s,;:\"'{}\[\]|=<>&?/()]+")
TEXTS = (
    *(
        "",
        "-1",
        "0",
        "1e400",
        "-1e-400",
        "nan",
        "inf",
        "99999999999999999999",
        "1" * 400,
        "0.1.2",
        "+5",
        "1_000",
    ),
    *("2026-02-30", "0001-01-01", "9999-12-31", "99/99/99", "1/2/3", "30.2.2026", "20260230"),
    *("\u00b2", "\u0663", "\u200b", "\u202e", "\ufeff", "\u2028", "\x1b[2J", "\t", "\0", "\x85"),
    *("null", "true", "{}", "[]", "[" * 2_000, '"', "'", "--", "%s", "%00", "../../x", "=1+1", "\\", "life"),
    *(
        "W1",
        "B",
        "H",
        "U",
        "1-0",
        "off",
        "all",
        "regular",
        "quick",
        "swiss",
        "A" * 5_000,
        "1" * 5_000,
        "\u00df" * 80,
    ),
)
SHARE_OF_WORDS, SHARE_OF_NASTY = 0.7, 0.6
NASTY = (*(text.encode() for text in TEXTS), b"\xff", b"\xed\xa0\x80", b"\xff\xfe")


def changed(data: bytes, seed: int) -> bytes:
    """Return *data* with one to four words or lines changed, as *seed* decides."""
    chance = random.Random(seed)  # noqa: S311 - repeats on purpose
    for _ in range(chance.randrange(1, 5)):
        data = _with_word(data, chance) if chance.random() < SHARE_OF_WORDS else _with_line(data, chance)
    return data


def _with_word(data: bytes, chance: random.Random) -> bytes:
    words = [found.span() for found in WORD.finditer(data)]
    if not words:
        return data + chance.choice(NASTY)
    start, end = chance.choice(words)
    other = slice(*chance.choice(words))
    return (
        data[:start]
        + (chance.choice(NASTY) if chance.random() < SHARE_OF_NASTY else data[other])
        + data[end:]
    )


def _with_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            lines.insert(one, lines[other])
        case 1:
            del lines[one]
        case _:
            lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)
