"""The chain of links, and triggers that keep what is only ever added to; this file never changes.

SQLite runs no trigger for the rows that REPLACE removes, so what would replace a row is refused before it comes.
"""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

COLLATION = {"sqlite": "", "postgresql": ' COLLATE "C"'}
NUMBER = {"sqlite": "INTEGER", "postgresql": "BIGINT"}
TABLE = (
    """
    CREATE TABLE chain (
        number {number} NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT{collation} NOT NULL,
        salt TEXT NOT NULL,
        digest TEXT NOT NULL,
        head TEXT NOT NULL,
        CONSTRAINT pk_chain PRIMARY KEY (number)
    )
    """,
    "CREATE INDEX ix_chain_subject ON chain (kind, subject)",
)
KEPT = ("audit", "chain", "decisions", "postings", "rule_sets", "rulebooks", "runs")
"""Tables whose rows are not deleted; those of the ledger and of lists were kept before."""
CLOSED = {
    "audit": "TRUE",
    "chain": "NEW.salt <> '' OR (NEW.number, NEW.kind, NEW.subject, NEW.digest, NEW.head) {differ}"
    " (OLD.number, OLD.kind, OLD.subject, OLD.digest, OLD.head)",
    "decisions": "TRUE",
    "postings": "(NEW.id, NEW.run_id, NEW.section_id, NEW.system, NEW.place, NEW.dual_rated, NEW.withdrawn, NEW.rules,"
    " NEW.input_hash, NEW.decision_id) {differ} (OLD.id, OLD.run_id, OLD.section_id, OLD.system, OLD.place,"
    " OLD.dual_rated, OLD.withdrawn, OLD.rules, OLD.input_hash, OLD.decision_id)",
    "rule_sets": "TRUE",
    "rulebooks": "TRUE",
    "runs": "OLD.finished_at IS NOT NULL"
    " OR (NEW.id, NEW.kind, NEW.started_at, NEW.started_by, NEW.engine, NEW.platform,"
    " NEW.rulebook_id) {differ} (OLD.id, OLD.kind, OLD.started_at, OLD.started_by, OLD.engine, OLD.platform,"
    " OLD.rulebook_id)",
}
"""When a change of a row is refused, by table."""
BOTH_HOLD = "superseded_by IS NULL AND NEW.superseded_by IS NULL"
KEYS = {
    "audit": ("id = NEW.id",),
    "chain": ("number = NEW.number",),
    "decisions": ("id = NEW.id",),
    "ledger": (
        "id = NEW.id",
        "member_id = NEW.member_id AND system = NEW.system AND place = NEW.place AND " + BOTH_HOLD,
    ),
    "postings": (
        "id = NEW.id",
        "section_id = NEW.section_id AND system = NEW.system AND " + BOTH_HOLD,
    ),
    "published_lists": ("id = NEW.id",),
    "published_ratings": ("list_id = NEW.list_id AND member_id = NEW.member_id AND system = NEW.system",),
    "rule_sets": ("fingerprint = NEW.fingerprint",),
    "rulebooks": ("id = NEW.id", "fingerprint = NEW.fingerprint"),
    "runs": ("id = NEW.id",),
}
"""Where a row stands in the way of a new one, by table."""


def upgrade() -> None:
    """Add the table and the triggers."""
    connection = op.get_bind()
    kind = connection.dialect.name
    for statement in TABLE:
        connection.exec_driver_sql(statement.format(collation=COLLATION[kind], number=NUMBER[kind]))
    for statement in _sqlite() if kind == "sqlite" else _postgresql():
        connection.exec_driver_sql(statement)


def _sqlite() -> list[str]:
    kept = [
        f"CREATE TRIGGER {table}_keeps_rows BEFORE DELETE ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'rows of {table} are kept'); END"
        for table in KEPT
    ]
    closed = [
        f"CREATE TRIGGER {table}_never_changes BEFORE UPDATE ON {table} WHEN {when.format(differ='IS NOT')}"
        f" BEGIN SELECT RAISE(ABORT, 'rows of {table} do not change'); END"
        for table, when in CLOSED.items()
    ]
    replaced = [
        f"CREATE TRIGGER {table}_replaces_nothing BEFORE INSERT ON {table} WHEN {' OR '.join(there)}"
        f" BEGIN SELECT RAISE(ABORT, 'rows of {table} are not replaced'); END"
        for table, keys in KEYS.items()
        for there in [[f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in keys]]  # noqa: S608 - names of this file
    ]
    return [*kept, *closed, *replaced]


def _postgresql() -> list[str]:
    kept = [
        f"CREATE TRIGGER {table}_keeps_rows BEFORE DELETE ON {table}"
        " FOR EACH ROW EXECUTE FUNCTION rows_are_kept()"
        for table in KEPT
    ]
    closed = [
        f"CREATE TRIGGER {table}_never_changes BEFORE UPDATE ON {table}"
        f" FOR EACH ROW WHEN ({when.format(differ='IS DISTINCT FROM')}) EXECUTE FUNCTION rows_are_kept()"
        for table, when in CLOSED.items()
    ]
    return [*kept, *closed]
