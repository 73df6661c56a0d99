"""The words of names are a table of their own, so that an index finds the members of whose names a word begins so.

This file never changes.
"""

from itertools import islice

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

COLLATION = {"sqlite": "", "postgresql": ' COLLATE "C"'}
INSERT = {
    "sqlite": "INSERT INTO name_words (word, member_id) VALUES (?, ?)",
    "postgresql": "INSERT INTO name_words (word, member_id) VALUES (%s, %s)",
}
STATEMENTS = (
    """
    CREATE TABLE name_words (
        word TEXT{collation} NOT NULL,
        member_id TEXT{collation} NOT NULL,
        CONSTRAINT fk_name_words_member_id_members FOREIGN KEY(member_id) REFERENCES members (id)
    )
    """,
    "CREATE UNIQUE INDEX uq_name_words_word_member_id ON name_words (word, member_id)",
    "CREATE INDEX ix_name_words_member_id ON name_words (member_id)",
)
AT_ONCE = 10_000


def upgrade() -> None:
    """Add the table with the words of all names that there are."""
    connection = op.get_bind()
    kind = connection.dialect.name
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement.format(collation=COLLATION[kind]))
    known = connection.exec_driver_sql("SELECT id, folded_name FROM members").all()
    words = ((word, member) for member, name in known for word in dict.fromkeys(name.split()))
    while batch := list(islice(words, AT_ONCE)):
        connection.exec_driver_sql(INSERT[kind], batch)
