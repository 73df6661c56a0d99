"""Room for what changed at which revision, filled with all that is public; this file never changes."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

COLLATION = {"sqlite": "", "postgresql": ' COLLATE "C"'}
NUMBER = {"sqlite": "INTEGER", "postgresql": "BIGINT"}
REVISION = "CASE WHEN book.revision > 0 THEN book.revision ELSE 1 END"
STATEMENTS = (
    """
    CREATE TABLE changed (
        kind TEXT NOT NULL,
        subject TEXT{collation} NOT NULL,
        revision {number} NOT NULL,
        CONSTRAINT pk_changed PRIMARY KEY (kind, subject)
    )
    """,
    "CREATE INDEX ix_changed_revision ON changed (revision, kind, subject)",
    "INSERT INTO changed SELECT 'player', members.id, {revision} FROM members, book",
    "INSERT INTO changed SELECT 'section', CAST(sections.id AS TEXT), {revision} FROM sections, book",
    "INSERT INTO changed SELECT 'list', published_lists.id, {revision} FROM published_lists, book",
)


def upgrade() -> None:
    """Add the table; everything counts as changed at the revision of now."""
    connection = op.get_bind()
    kind = connection.dialect.name
    for statement in STATEMENTS:
        connection.exec_driver_sql(
            statement.format(collation=COLLATION[kind], number=NUMBER[kind], revision=REVISION)
        )
