"""Which figures of a rating are only lower bounds, in the ledger and in opening balances; this file never changes."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEPT = (
    "id", "posting_id", "section_id", "member_id", "system", "place", "source", "rating_before", "games_before",
    "rating", "games", "wins", "draws", "losses", "record", "long_events", "peak", "life_master_games", "floors",
    "match_change", "played", "formula", "effective_games", "k", "score", "expected", "bonus", "step3", "step4",
    "step5", "floor_applied", "at_least",
)  # fmt: skip
"""The columns of a ledger row that never change."""

TRIGGERS = {
    "sqlite": """
DROP TRIGGER ledger_closes_once;

CREATE TRIGGER ledger_closes_once BEFORE UPDATE ON ledger
WHEN OLD.superseded_by IS NOT NULL OR ({new}) IS NOT ({old})
BEGIN SELECT RAISE(ABORT, 'rows of ledger do not change'); END
""",
    "postgresql": """
DROP TRIGGER ledger_closes_once ON ledger;

CREATE TRIGGER ledger_closes_once BEFORE UPDATE ON ledger
FOR EACH ROW WHEN (OLD.superseded_by IS NOT NULL OR ({new}) IS DISTINCT FROM ({old}))
EXECUTE FUNCTION rows_are_kept()
""",
}
"""What keeps a row as it is: the old trigger goes, one that knows the new column comes."""


def upgrade() -> None:
    """Add the columns, empty in all rows that there are, and keep them as the others are kept."""
    connection = op.get_bind()
    for table in ("ledger", "opening_balances"):
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN at_least TEXT")
    new, old = (", ".join(f"{row}.{column}" for column in KEPT) for row in ("NEW", "OLD"))
    for statement in TRIGGERS[connection.dialect.name].split(";\n\n"):
        connection.exec_driver_sql(statement.format(new=new, old=old))
