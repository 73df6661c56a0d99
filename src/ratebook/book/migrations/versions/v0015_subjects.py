"""What entries of the audit log, decisions that undo, and pending changes are about, as data; this file never changes.

Rows whose links held before are linked anew: what they say is the same, in columns of its own. A row that was changed
past the program keeps its link, so that `verify` still says so.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from alembic import op
from sqlalchemy import Connection

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COLLATION = {"sqlite": "", "postgresql": ' COLLATE "C"'}
NUMBER = {"sqlite": "INTEGER", "postgresql": "BIGINT"}
LINKED = {"audit": "audit", "decisions": "decision", "rerate_marks": "mark"}
GUARDED = ("audit", "decisions")
TABLES = (
    "ALTER TABLE audit ADD COLUMN subject_kind TEXT",
    "ALTER TABLE audit ADD COLUMN subject_id TEXT{collation}",
    "ALTER TABLE audit ADD COLUMN section_number INTEGER",
    "ALTER TABLE audit ADD COLUMN decision_id {number}",
    "ALTER TABLE decisions ADD COLUMN undoes {number}",
    "ALTER TABLE rerate_marks ADD COLUMN decision_id {number}",
    "ALTER TABLE rerate_marks ADD COLUMN late_event TEXT{collation}",
)
INDEXES = (
    "DROP INDEX ix_audit_subject",
    "CREATE INDEX ix_audit_subject ON audit (subject_kind, subject_id)",
    "CREATE INDEX ix_audit_decision_id ON audit (decision_id) WHERE decision_id IS NOT NULL",
)
EVENT_SECTION = re.compile(r"(.*) section ([0-9]{1,6})", re.DOTALL)
BY_DECISION = re.compile(r"decision ([0-9]{1,18}), ")
CAME_LATE = re.compile(r"event (.*) came late", re.DOTALL)


def upgrade() -> None:
    """Add the columns, fill them in, and link the rows anew whose links held."""
    connection = op.get_bind()
    kind = connection.dialect.name
    held = {table: set(_held(connection, table)) for table in LINKED}
    for statement in TABLES:
        connection.exec_driver_sql(statement.format(collation=COLLATION[kind], number=NUMBER[kind]))
    with_guards = list(_guards_taken_off(connection))
    filled = {
        "audit": _fill(connection, "audit", _subjects(connection)),
        "decisions": _fill(connection, "decisions", _undone(connection)),
        "rerate_marks": _fill(connection, "rerate_marks", _causes(connection)),
    }
    for statement in (*with_guards, *INDEXES):
        connection.exec_driver_sql(statement)
    _link_anew(connection, {table: held[table] & numbers for table, numbers in filled.items()})


def _rows(connection: Connection, table: str) -> list[dict[str, Any]]:
    rows = connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY id")  # noqa: S608 - a name of this file
    return [dict(row._mapping) for row in rows]  # noqa: SLF001 - a public name of SQLAlchemy


def _held(connection: Connection, table: str) -> Iterator[int]:
    """Yield the numbers of the rows of which the last link holds, by docs/book/chain.md."""
    latest = {
        subject: (salt, digest)
        for subject, salt, digest in connection.exec_driver_sql(
            f"SELECT subject, salt, digest FROM chain WHERE kind = '{LINKED[table]}' ORDER BY number"  # noqa: S608 - as above
        )
    }
    for row in _rows(connection, table):
        number = row.pop("id")
        said = {name: row[name] for name in sorted(row) if row[name] is not None}
        text = json.dumps(said, separators=(",", ":"), default=date.isoformat)
        salt, digest = latest.get(str(number), ("", ""))
        if hashlib.sha256(f"{salt}[{text}]".encode()).hexdigest() == digest:
            yield number


def _guards_taken_off(connection: Connection) -> Iterator[str]:
    """Take off the triggers that keep rows from being changed, and yield what puts them back."""
    for table in GUARDED:
        name = f"{table}_never_changes"
        if connection.dialect.name == "sqlite":
            said = connection.exec_driver_sql(
                f"SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = '{name}'"  # noqa: S608 - as above
            ).scalar()
            if said:
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
                yield said
        else:
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER {name}")
            yield f"ALTER TABLE {table} ENABLE TRIGGER {name}"


def _fill(connection: Connection, table: str, values: Iterable[tuple[int, dict[str, Any]]]) -> set[int]:
    """Write columns of some rows, by their numbers, and return these."""
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    numbers = set()
    for number, said in values:
        columns = ", ".join(f"{name} = {mark}" for name in said)
        connection.exec_driver_sql(
            f"UPDATE {table} SET {columns} WHERE id = {mark}",  # noqa: S608 - as above
            (*said.values(), number),
        )
        numbers.add(number)
    return numbers


def _subjects(connection: Connection) -> Iterator[tuple[int, dict[str, Any]]]:
    decisions = _rows(connection, "decisions")
    of_entry = {
        (one["kind"], one["decided_by"], one["decided_at"], f"decision {one['id']}: {one['reason']}"): one[
            "id"
        ]
        for one in decisions
    }
    about = {one["id"]: one for one in decisions}
    for row in _rows(connection, "audit"):
        decision = of_entry.get((row["action"], row["by"], row["at"], row["details"]))
        kind, name, section = _subject(row["action"], row["subject"], about.get(decision or 0, {}))
        said = {
            "subject_kind": kind,
            "subject_id": name,
            "section_number": section,
            "decision_id": decision,
        }
        yield row["id"], said


def _subject(action: str, words: str, decision: dict[str, Any]) -> tuple[str, str, int | None]:
    """Return kind, id and section of what an entry is about; a decision says itself what it is about."""
    if action.startswith("import-") or action == "apply-corrections":
        return "file", words, None
    if words == "book":
        return "book", "", None
    if words == f"member {decision.get('member_id')}":
        return "member", str(decision["member_id"]), None
    if words.startswith(f"event {decision.get('event_id')}"):
        return "event", str(decision["event_id"]), decision["section_number"]
    if words.startswith("official list "):
        return "list", words.removeprefix("official list "), None
    kind, _, name = words.partition(" ")
    found = EVENT_SECTION.fullmatch(name) if action == "rate-section" else None
    return (kind, found[1], int(found[2])) if found else (kind, name, None)


def _undone(connection: Connection) -> Iterator[tuple[int, dict[str, Any]]]:
    known = {row["id"] for row in _rows(connection, "decisions")}
    for row in _rows(connection, "decisions"):
        undone = json.loads(row["details"]).get("decision") if row["kind"] == "undo" else None
        if undone in known:
            yield row["id"], {"undoes": undone}


def _causes(connection: Connection) -> Iterator[tuple[int, dict[str, Any]]]:
    known = {row["id"] for row in _rows(connection, "decisions")}
    for row in _rows(connection, "rerate_marks"):
        by, late = BY_DECISION.match(row["reason"]), CAME_LATE.fullmatch(row["reason"])
        if by and int(by[1]) in known:
            yield row["id"], {"decision_id": int(by[1])}
        elif late:
            yield row["id"], {"late_event": late[1]}


def _link_anew(connection: Connection, numbers: dict[str, set[int]]) -> None:
    from ratebook.book.chain.contents import Linked  # noqa: PLC0415 - they are written when the transaction ends
    from ratebook.book.chain.links import note_linked  # noqa: PLC0415 - as above

    for table, of_table in numbers.items():
        note_linked(connection, Linked(LINKED[table]), sorted(of_table))
