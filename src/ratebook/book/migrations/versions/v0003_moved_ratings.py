"""Room in the ledger for ratings that a decision moved, which have no section; this file never changes."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

DECISION = "CONSTRAINT fk_postings_decision_id_decisions FOREIGN KEY(decision_id) REFERENCES decisions (id)"
STATEMENTS = {
    # SQLite lets constraints, which change no row, be edited: https://www.sqlite.org/lang_altertable.html, section 8.
    "sqlite": """
ALTER TABLE postings ADD COLUMN decision_id INTEGER;

PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql, 'section_id INTEGER NOT NULL', 'section_id INTEGER')
WHERE type = 'table' AND name IN ('postings', 'ledger');

UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES postings (id)', 'REFERENCES postings (id), {decision}')
WHERE type = 'table' AND name = 'postings';

PRAGMA writable_schema = RESET""",
    "postgresql": """
ALTER TABLE postings ALTER COLUMN section_id DROP NOT NULL;

ALTER TABLE ledger ALTER COLUMN section_id DROP NOT NULL;

ALTER TABLE postings ADD COLUMN decision_id BIGINT;

ALTER TABLE postings ADD {decision}""",
}
INDEX = (
    "CREATE INDEX ix_ledger_moved_ratings ON ledger (member_id) "
    "WHERE superseded_by IS NULL AND section_id IS NULL"
)


def upgrade() -> None:
    """Let postings and rows be without a section, and add the decision of a posting."""
    connection = op.get_bind()
    for statement in (*STATEMENTS[connection.dialect.name].format(decision=DECISION).split(";\n\n"), INDEX):
        connection.exec_driver_sql(statement)
