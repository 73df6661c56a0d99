"""The tables of the first version, as ``v0001_first.sql`` has them; neither file ever changes."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TYPES = {
    "sqlite": {"counted": "INTEGER", "reference": "INTEGER", "bytewise": "TEXT", "double": "DOUBLE"},
    "postgresql": {
        "counted": "BIGSERIAL",
        "reference": "BIGINT",
        "bytewise": 'TEXT COLLATE "C"',
        "double": "DOUBLE PRECISION",
    },
}
"""A key that the store counts, a reference to one, and text that is compared byte by byte, and a float."""


def upgrade() -> None:
    """Make the tables, their indexes and the triggers that keep what must not change."""
    connection = op.get_bind()
    here = connection.dialect.name
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8").format_map(TYPES[here])
    for statement in text.split(";\n\n"):
        if not statement.startswith(tuple(f"-- {other}" for other in TYPES if other != here)):
            connection.exec_driver_sql(statement)
