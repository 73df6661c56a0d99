"""Hash what the program does, so that a restructuring can be proved to change nothing: ``python -m scripts.freeze``.

    python -m scripts.freeze --quick --check             after each commit
    python -m scripts.freeze --part reports --check      one part in full, as often as its room is touched
    python -m scripts.freeze --part reports              write the hashes anew, where they are meant to change

``scripts/freeze.json`` holds the frozen state: for each entry (twenty damaged files, a command, a table) a hash of each
kind of thing seen, so that ``reports trf16 3: texts`` says that only texts of findings differ. Kinds: ``codes`` (with
severities and exit status), ``places``, ``texts`` (messages, remedies, standard error) and ``order`` of the findings;
``report`` (native JSON), ``json`` (without findings and rules), ``rules`` (in force), ``printed`` (what is no JSON),
``people`` (the same command without ``--json``), ``written`` (files), columns of tables.

``--dump DIR`` writes the texts behind the hashes. To see a difference, dump twice, once with the older program first:

    git worktree add ../before 66edc27
    PYTHONPATH=../before/src python -m scripts.freeze --part reports --only trf16 --dump /tmp/before
    python -m scripts.freeze --part reports --only trf16 --dump /tmp/after
    diff -r /tmp/before /tmp/after

The day is fixed, the paths are relative, random numbers are seeded: the hashes are the same on every later day. This is
deleted when the restructuring ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter

from scripts.freeze.program import empty_folder, stop_clock
from scripts.freeze.record import Record, differences, written

FROZEN = Path(__file__).resolve().parent.parent / "freeze.json"
PARTS = ("reports", "explanations", "json", "imports", "replay", "federation")
SAMPLED = ("reports", "imports")
SMALLER = ("replay", "federation")
"""Parts whose quick entries are some of all their entries; the others do a smaller piece of work of its own."""


def main() -> int:
    """Hash the parts asked for; return 1 where a check finds a difference."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.freeze", description="Hash what the program does."
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; repeatable")
    parser.add_argument(
        "--quick", action="store_true", help="less of reports, imports, replay and federation"
    )
    parser.add_argument(
        "--check", action="store_true", help="compare with the frozen state and write nothing"
    )
    parser.add_argument(
        "--only", default="", metavar="WORD", help="only entries whose name holds this; writes no hashes"
    )
    parser.add_argument(
        "--dump", type=Path, metavar="DIR", help="write the texts behind the hashes; writes no hashes"
    )
    options = parser.parse_args()
    stop_clock()
    differing = 0
    for part in options.part or PARTS:
        started = perf_counter()
        name = f"{part}-quick" if options.quick and part not in SAMPLED and part in SMALLER else part
        record = Record(
            quick=options.quick,
            only=options.only,
            dump=None if options.dump is None else options.dump.absolute() / name,
        )
        with empty_folder():
            import_module(f"scripts.freeze.part_{part}").freeze(record)
        found = record.hashes()
        if options.only:
            found = {entry: kinds for entry, kinds in found.items() if options.only in entry}
        print(f"{name}: {len(found)} entries in {perf_counter() - started:.0f} s", flush=True)
        frozen = json.loads(FROZEN.read_text(encoding="utf-8")) if FROZEN.exists() else {}
        if options.check:
            whole = not options.only and not (options.quick and part in SAMPLED)
            for line in differences(frozen.get(name, {}), found, whole=whole):
                differing += 1
                print(f"  {name} {line}")
        elif not options.only and options.dump is None:
            kept = frozen.get(name, {}) if options.quick and part in SAMPLED else {}
            frozen[name] = {**kept, **found}
            FROZEN.write_text(written(frozen), encoding="utf-8")
    if options.check:
        print(f"{differing} entries differ." if differing else "Nothing differs.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
