"""Damage to files: bytes, lines, cells, values of JSON, records of dBASE tables; all by a seeded `Random`."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    Files = tuple[tuple[str, bytes], ...]

WORDS = (
    "", "0", "1", "-1", "7", "12", "99999", "1e9", "nan", "1500", "1843.27", "2400/8", "1500P12", "1699.5", "95.",
    "W1", "L2", "D3", "W99", "W1w", "L2b", "B", "H", "U", "X4", "F3", "Z", "N2", "S1", "R5", "W 1", "Q7", "b", "+", "=",
    "2026-08-30", "2026-02-30", "2004-05-01", "2031-01-01", "20260830", "1999", "08/30/2026", "2016/02/11",
    "G/60;d5", "G/90", "40/90,SD/30;+30", "G/5;d0", "G/29", "G/1", "blitz", "regular", "quick", "online-blitz",
    "90000001", "90000009", "12345678", "FIDE79000012", "true", "no", "swiss", "match", "fide", "EXAMPLE, ÉLOÏSE",
    "=SUM(A1)", '"', "|", ";", "\u0000", "x" * 300, "life", "USA", "W;1", "12.5", "0x10", "٣",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3.5, 12, 10**30, 1e308, 0.1, 1_500, 2_400.25, [], {}, [[]], ["W1"], {"rating": 1500},
    {"rating": 1500, "games": 12}, *WORDS,
)  # fmt: skip
TOKEN = re.compile(rb"[A-Za-z0-9.;/+-]+")
PIECES = (
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xe9",
    b"\r",
    b"\n\n",
    b"\t",
    b'"',
    b",",
    b"{",
    b"]",
    b"PK\x03\x04",
    b"\x1a",
)
FIELD, HEAD = 32, 32


def damaged(files: Files, random: Random, *, gentle: bool) -> Files:
    """Return *files* with one to three pieces of damage in them, which are *gentle* where most of it stays readable."""
    changed = list(files)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if len(changed) > 1 and not gentle and random.random() < 0.08:
            changed = _archive(changed, random)
            continue
        at = random.randrange(len(changed))
        name, data = changed[at]
        damages: list[Any] = [_text] * 8 + [_bytes]
        if gentle:
            damages = [_alike]
        elif name.upper().endswith(".DBF"):
            damages = [_dbf] * 8 + [_bytes] * 2
        elif name.endswith(".json"):
            damages = [_json] * 8 + [_text, _bytes]
        changed[at] = (name, random.choice(damages)(data, random))
    return tuple(changed)


def packed(files: Files) -> bytes:
    """Return the only file as it is, several as a zip archive."""
    if len(files) == 1:
        return files[0][1]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


def _archive(files: list[tuple[str, bytes]], random: Random) -> list[tuple[str, bytes]]:
    at, other = random.sample(range(len(files)), 2)
    name, data = files[at]
    match random.randrange(5):
        case 0:
            files.pop(at)
        case 1:
            files[at] = (files[other][0], data)
            files[other] = (name, files[other][1])
        case 2:
            files[at] = (random.choice(("README.TXT", name.lower(), "../" + name, "X" + name)), data)
        case 3:
            files.append(("sub/" + name, data))
        case _:
            files[at] = (name, b"")
    return files


def _bytes(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    until = min(len(data), at + random.choice((1, 1, 2, 8, 100)))
    match random.randrange(8):
        case 0:
            return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[until:]
        case 2:
            return data[:at] + data[at:until] + data[at:]
        case 3:
            return data[:at] + random.choice(PIECES) + data[at:]
        case 4:
            return data[:at]
        case 5:
            return data[:at] + random.randbytes(until - at) + data[until:]
        case 6:
            to = random.randrange(len(data) + 1)
            return data[:at] + data[to : to + until - at] + data[until:]
        case _:
            return data[:at] + bytes(reversed(data[at:until])) + data[until:]


def _text(data: bytes, random: Random) -> bytes:
    """Damage lines and words."""
    if random.random() < 0.05:
        text = data.decode("utf-8", "replace")
        whole = (
            data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"), b"\xef\xbb\xbf" + data,
            text.encode("utf-16"), data.replace(b",", b";"), data.replace(b",", b"\t"), data.upper(),
            data.lower(), data.replace(b"  ", b" "), text.replace("A", "Á").encode("latin-1", "replace"),
            data.rstrip(), data * 2,
        )  # fmt: skip
        return random.choice(whole)
    if random.random() < 0.3:
        lines = data.splitlines(keepends=True) or [b""]
        at, other = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(5):
            case 0:
                lines.pop(at)
            case 1:
                lines.insert(other, lines[at])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines.insert(at, random.choice((b"\n", b"# remark\n", b"001 1\n", b"Section 9\n", b"x,y\n")))
            case _:
                lines[at] = lines[at].replace(b" ", b"", 1)
        return b"".join(lines)
    tokens = list(TOKEN.finditer(data))
    if not tokens:
        return _bytes(data, random)
    token = random.choice(tokens)
    old = token.group()
    digit = bytes([random.choice(b"0123456789")])
    ways = (
        random.choice(WORDS).encode(), random.choice(WORDS).encode(), random.choice(tokens).group(), old + digit,
        old[:-1], old[:-1] + digit, random.choice((b"W", b"L", b"D", b"H", b"X")) + old[1:], b"", old.swapcase(),
    )  # fmt: skip
    new = random.choice(ways)
    if random.random() < 0.5:
        new = new[: len(old)].ljust(len(old))
    return data[: token.start()] + new + data[token.end() :]


def _alike(data: bytes, random: Random) -> bytes:
    """Put another word of the same shape in the place of one, or change one of its digits."""
    tokens = list(TOKEN.finditer(data))
    if not tokens:
        return _bytes(data, random)
    token = random.choice(tokens)
    old = token.group()
    others = sorted({one.group() for one in tokens if _shape(one.group()) == _shape(old)} - {old})
    new = random.choice(others) if others and random.random() < 0.6 else old
    digits = [at for at, byte in enumerate(old) if byte in b"0123456789"]
    if digits and new == old:
        at = random.choice(digits)
        new = old[:at] + bytes([random.choice(b"0123456789")]) + old[at + 1 :]
    return data[: token.start()] + new + data[token.end() :]


def _shape(word: bytes) -> bytes:
    return re.sub(rb"[A-Za-z]", b"A", re.sub(rb"[0-9]", b"9", word))


def _json(data: bytes, random: Random) -> bytes:
    """Damage one value, key, or item of JSON."""
    try:
        document = json.loads(data)
    except ValueError:
        return _bytes(data, random)
    nodes: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        value = waiting.pop()
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        nodes += [(value, key) for key in keys]
        waiting += [value[key] for key in keys if isinstance(value[key], dict | list)]
    if not nodes:
        return _bytes(data, random)
    holder, key = random.choice(nodes)
    value = holder[key]
    match random.randrange(9):
        case 0:
            del holder[key]
        case 1:
            other, its_key = random.choice(nodes)
            holder[key], value = other[its_key], None
        case 2 if isinstance(holder, dict):
            holder[random.choice((key + "s", key.upper(), "remark", "rating", "number"))] = holder.pop(key)
        case 2 | 3 if isinstance(holder, list):
            holder.insert(random.randrange(len(holder) + 1), value)
        case 3:
            holder[random.choice(("remark", "fide", "online", "half_k", "start", "games", "name"))] = (
                random.choice(VALUES)
            )
        case 4 | 5 if isinstance(value, int | float) and not isinstance(value, bool):
            holder[key] = random.choice(
                (value + 1, value - 1, -value, value * 10, value + 0.5, str(value), value / 3)
            )
        case 4 | 5 | 6 if isinstance(value, str):
            ways = (
                value.swapcase(), value[:-1], value + " ", value + "1", value.replace("1", "2"), [value],
                random.choice("WLDHUXFBZNSR") + value[1:], value[:-1] + random.choice("0123456789wb"),
            )  # fmt: skip
            holder[key] = random.choice(ways)
        case _:
            holder[key] = random.choice(VALUES)
    ascii_only = random.random() < 0.5
    try:
        return json.dumps(document, ensure_ascii=ascii_only, indent=random.choice((None, 1))).encode()
    except (ValueError, RecursionError):  # a value was put into itself
        return data[: len(data) // 2]


def _dbf(data: bytes, random: Random) -> bytes:
    """Damage one field of one record, one description of a field, or the head of a dBASE table."""
    head = int.from_bytes(data[8:10], "little")
    record = int.from_bytes(data[10:12], "little")
    fields = [(at, data[at + 16]) for at in range(HEAD, head - FIELD, FIELD) if at + 16 < len(data)]
    rows = (len(data) - head) // record if record else 0
    if not fields or rows < 1 or random.random() < 0.1:
        at = random.randrange(min(len(data), head) or 1)
        return data[:at] + bytes([random.choice((0, 1, 3, 32, 65, 255))]) + data[at + 1 :]
    chosen = random.randrange(len(fields))
    at, width = fields[chosen]
    if random.random() < 0.1:
        name = random.choice((b"X_NEW", b"D_RND09", b"S_TIMECTL", b"H_NAME", b"D_MEM_ID"))
        return data[:at] + name.ljust(11, b"\0") + data[at + 11 :]
    row = random.randrange(rows)
    if random.random() < 0.1:
        start = head + row * record
        return random.choice((data[:start] + b"*" + data[start + 1 :], data[:start] + data[start + record :]))
    start = head + row * record + 1 + sum(wide for _, wide in fields[:chosen])
    old = data[start : start + width]
    ways = (
        random.choice(WORDS).encode("cp850", "replace"), random.choice(WORDS).encode("cp850", "replace"), b"",
        old[:1] + random.choice((b"1", b"2", b"9", b"99")),
        random.choice((b"W", b"L", b"D", b"X", b"U")) + old[1:], old.strip().rjust(width), old[:-1] + b"w",
    )  # fmt: skip
    new = random.choice(ways)
    return data[:start] + new[:width].ljust(width) + data[start + width :]
