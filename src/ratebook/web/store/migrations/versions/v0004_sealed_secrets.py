"""Sealed secrets of second factors, codes of recovery, and a log that is quickly counted; this file never changes."""

import sqlalchemy as sa
from alembic import context, op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, the column and the index, and seal the secrets that lie in clear."""
    op.add_column("sessions", sa.Column("offered", sa.Text, nullable=True))
    op.create_table(
        "recovery_codes",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column(
            "account_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("accounts.id", name="fk_recovery_codes_account_id_accounts"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_account_id", "recovery_codes", ["account_id"])
    op.create_index("ix_log_address_kind_at", "log", ["address", "kind", "at"])
    connection = op.get_bind()
    accounts = sa.table("accounts", sa.column("id"), sa.column("secret"))
    in_clear = connection.execute(sa.select(accounts).where(accounts.c.secret.is_not(None))).all()
    if in_clear and connection.dialect.name == "sqlite":
        # Else they would stay in the pages of the file.
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    seal = context.config.attributes["seal"]
    for number, secret in in_clear:
        sealed = seal(secret, number)
        connection.execute(sa.update(accounts).where(accounts.c.id == number).values(secret=sealed))
