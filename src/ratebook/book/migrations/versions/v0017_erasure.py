"""Texts of decisions and of the audit log may lose the name of a person who is erased; this file never changes.

Nothing else of these rows changes, and a text only if it says then that something was erased. The chain vouches for
the new text.
"""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

KEPT = {
    "audit": ("id", "at", "by", "action", "subject_kind", "section_number", "decision_id"),
    "decisions": (
        *("id", "kind", "decided_by", "decided_at", "effective", "member_id", "system", "event_id"),
        *("section_number", "value", "undoes"),
    ),
}
TEXTS = {"audit": ("subject", "subject_id", "details"), "decisions": ("reason", "details")}
ROLES = (
    "SELECT DISTINCT grantee FROM information_schema.column_privileges"
    " WHERE table_schema = current_schema() AND table_name = 'chain' AND column_name = 'salt'"
    " AND privilege_type = 'UPDATE' AND grantee <> grantor"
)
"""Those who may do office work (``server-role``)."""


def upgrade() -> None:
    """Replace the triggers, and let who does office work erase."""
    connection = op.get_bind()
    on_file = connection.dialect.name == "sqlite"
    for table, columns in KEPT.items():
        differ, position = ("IS NOT", "instr") if on_file else ("IS DISTINCT FROM", "strpos")
        new, old = (", ".join(f"{side}.{column}" for column in columns) for side in ("NEW", "OLD"))
        refused = [f"({new}) {differ} ({old})"]
        refused += [
            f"(NEW.{text} {differ} OLD.{text} AND {position}(NEW.{text}, '(erased)') = 0)"
            for text in TEXTS[table]
        ]
        trigger = f"{table}_never_changes"
        drop = f"DROP TRIGGER {trigger}" if on_file else f"DROP TRIGGER {trigger} ON {table}"
        make = f"CREATE TRIGGER {trigger} BEFORE UPDATE ON {table}"
        when = " OR ".join(refused)
        says = f"SELECT RAISE(ABORT, 'rows of {table} do not change')"
        connection.exec_driver_sql(drop)
        connection.exec_driver_sql(
            f"{make} WHEN {when} BEGIN {says}; END"
            if on_file
            else f"{make} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION rows_are_kept()"
        )
    if not on_file:
        quoted = connection.dialect.identifier_preparer.quote
        for role in connection.exec_driver_sql(ROLES).scalars().all():
            for table, texts in TEXTS.items():
                connection.exec_driver_sql(f"GRANT UPDATE ({', '.join(texts)}) ON {table} TO {quoted(role)}")
