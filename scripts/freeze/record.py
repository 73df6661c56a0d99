"""What was seen, as hashes: entry by entry and kind by kind, with the texts behind them where a dump is wanted."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from scripts.freeze.program import Answer

    Hashes = Mapping[str, Mapping[str, str]]

DIGITS = 12
"""Hexadecimal digits of a hash that are kept."""


class Record:
    """Hashes of one part.

    Attributes:
        quick: whether only the smaller piece of work is wanted.
        only: a word that an entry's name must hold to be worked out, where work can be left out.
    """

    def __init__(self, *, quick: bool = False, only: str = "", dump: Path | None = None) -> None:
        self.quick = quick
        self.only = only
        self._dump = dump
        self._hashes: dict[str, dict[str, Any]] = {}

    def add(self, entry: str, kind: str, text: str | bytes) -> None:
        """Add *text* to what is hashed as *kind* of *entry*."""
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        hashed = self._hashes.setdefault(entry, {}).setdefault(kind, sha256())
        hashed.update(b"%d\n" % len(data) + data)
        if self._dump is not None:
            folder = self._dump / entry.replace("/", "-")[:150]
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / f"{kind}.txt").open("ab") as stream:
                stream.write(data + b"\n")

    def keep(self, entry: str, name: str, data: bytes) -> None:
        """Keep *data* beside the texts of *entry*, where a dump is wanted; it is not hashed."""
        if self._dump is not None:
            folder = self._dump / entry.replace("/", "-")[:150]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    def add_answer(self, entry: str, answer: Answer, title: str = "") -> None:
        """Add what a command answered: findings apart from the rest, their codes, places and texts each for itself."""
        found = answer.findings
        order = [f"{one['severity']} {one['code']}" for one in found]
        self.add(entry, "order", "\n".join([title, *order]))
        self.add(entry, "codes", "\n".join([title, answer.status, *sorted(order)]))
        places = sorted(f"{one['code']}: {one['where']}" for one in found)
        self.add(entry, "places", "\n".join([title, *places]))
        texts = sorted(f"{one['code']}: {one['message']} | {one['remedy']}" for one in found)
        self.add(entry, "texts", "\n".join([title, *texts, answer.err]))
        if answer.rules:
            self.add(entry, "rules", f"{title}\n{json.dumps(answer.rules, sort_keys=True, indent=1)}")
        if answer.data is None:
            self.add(entry, "printed", f"{title}\n{answer.out}")
        else:
            self.add(entry, "json", f"{title}\n{json.dumps(answer.data, sort_keys=True, indent=1)}")

    def hashes(self) -> dict[str, dict[str, str]]:
        """Return the hashes by entry and kind."""
        return {
            entry: {kind: hashed.hexdigest()[:DIGITS] for kind, hashed in sorted(kinds.items())}
            for entry, kinds in self._hashes.items()
        }


def differences(frozen: Hashes, found: Hashes, *, whole: bool) -> Iterator[str]:
    """Yield a line for each entry that differs; with *whole*, for each that is missing too."""
    for entry, kinds in found.items():
        before = frozen.get(entry)
        if before is None:
            yield f"{entry}: is new"
            continue
        differing = sorted(
            kind for kind in before.keys() | kinds.keys() if before.get(kind) != kinds.get(kind)
        )
        if differing:
            yield f"{entry}: {', '.join(differing)}"
    if whole:
        yield from (f"{entry}: is missing" for entry in frozen if entry not in found)


def written(parts: Mapping[str, Hashes]) -> str:
    """Return the frozen state as JSON, one line for each entry."""
    blocks = []
    for part, hashes in sorted(parts.items()):
        lines = [f"  {json.dumps(entry)}: {json.dumps(kinds)}" for entry, kinds in hashes.items()]
        blocks.append(f" {json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(blocks) + "\n}\n"
