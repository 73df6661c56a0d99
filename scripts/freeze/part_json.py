"""Every command over one script of work (work.txt), twice: for JSON, and for people; then the tables of both books."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.freeze.program import BOOK, EXAMPLES, call, leaves, sorted_files
from scripts.freeze.tables import add_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.freeze.record import Record

WORK = Path(__file__).with_name("work.txt")
OVERLAY = """[bonus_multiplier]
values = [{ from = 2018-01-01, is = 1, document = "vote", where = "May 3", status = "documented" }]
"""
BAD_TABLE = (
    "member_id,id,name,birth_date,system,as_of,rating,starts,expires,source,list_date,on,by,kind,event_id,section,value,reason\n"
    "90000001,90000001,A,1990-13-01,regular,2019-12-31,x,2020-01-01,2019-01-01,fida,2020-01-01,soon,A,result,1,1,Q,\n"
    "12345678,1,,2990-01-01,rapid,2019-12-31,-5,,,fide,,2020-01-01,B,nothing,202002250001,1,W,swapped\n"
)
NEWCOMERS = (
    "id,name,birth_date,expires\n90000051,TWICE EXAMPLE,1990-01-01,\n90000052,AGAIN EXAMPLE,,2030-12-31\n"
)
SAID_TO_PEOPLE = "people"


def work(*, as_json: bool) -> Iterator[tuple[str, list[str], bytes | None]]:
    """Yield the commands of the script with the name of the entry, the arguments and standard input."""
    json_commands = {
        words
        for words, command in leaves()
        if any("--json" in parameter.opts for parameter in command.params)
    }
    seen: dict[str, int] = {}
    for line in WORK.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        seen[line] = seen.get(line, 0) + 1
        said, _, typed = line.partition(" < ")
        arguments = shlex.split(said)
        words = tuple(re.sub(r"--(book|as) ('[^']*'|\"[^\"]*\"|\S+) ", "", said).split())
        if as_json and any(words[:length] in json_commands for length in (1, 2, 3)) and "--csv" not in words:
            arguments.append("--json")
        entry = line if seen[line] == 1 else f"{line} (call {seen[line]})"
        if arguments[0] == "book" and "--as" not in arguments:
            arguments[1:1] = ["--as", "Registrar Example"]
        yield entry, arguments, f"{typed}\n".encode() if typed else None


def do_work(folder: str, record: Record | None, *, as_json: bool) -> None:
    """Do the whole script in a new *folder* and stay there; record the answers where they are wanted."""
    Path(folder).mkdir()
    os.chdir(folder)
    Path("examples").symlink_to(EXAMPLES)
    Path("overlay.toml").write_text(OVERLAY, encoding="utf-8")
    Path("newcomers.csv").write_text(NEWCOMERS, encoding="utf-8")
    Path("bad.csv").write_text(BAD_TABLE, encoding="utf-8")
    for entry, arguments, typed in work(as_json=as_json):
        answer = call(*arguments, data=typed)
        if record is None:
            continue
        if as_json:
            record.add_answer(entry, answer)
        else:
            record.add(entry, SAID_TO_PEOPLE, f"{answer.status}\n{answer.out}\n{answer.err}")


def freeze(record: Record) -> None:
    """Record the script's answers, the help of all commands, the tables and the files that were written."""
    above = Path.cwd()
    for as_json in (True, False):
        os.chdir(above)
        do_work("json" if as_json else "people", record, as_json=as_json)
    for name in (BOOK, "other.book"):
        add_tables(record, name, Path(name))
    for folder in ("demo", "files", "lists", "upload"):
        for path, place in sorted_files(Path(folder)):
            record.add(
                f"folder {folder}", path if folder in {"files", "lists"} else "files", place.read_bytes()
            )
    for words, _ in leaves():
        record.add(" ".join(("help", *words)), "help", call(*words, "--help").out)
