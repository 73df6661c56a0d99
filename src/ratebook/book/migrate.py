"""Leading the tables of a book from one version to another, with Alembic.

Nothing here begins or ends a transaction: a book is led to a version in the transaction of the caller, whole or not
at all.
"""

import os
from collections.abc import Iterable
from types import ModuleType

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ratebook.book import migrations
from ratebook.book.connection import VERSION


def migrate(
    connection: Connection, to: str = VERSION, steps_in: ModuleType = migrations, **attributes: object
) -> None:
    """Lead the tables to the version *to* by the steps of a package; in an empty store they are made.

    What steps need besides the connection are the *attributes* of Alembic's configuration.
    """
    scripts = _scripts(steps_in)

    def steps(revisions: tuple[str, ...], _: MigrationContext) -> Iterable[RevisionStep]:
        return scripts._upgrade_revs(to, revisions)  # type: ignore[arg-type]  # noqa: SLF001 - as alembic.command.upgrade does

    with EnvironmentContext(
        Config(attributes=attributes), scripts, fn=steps, destination_rev=to
    ) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()


def versions(steps_in: ModuleType = migrations) -> tuple[str, ...]:
    """Return the versions that this program knows, the first one first."""
    return tuple(reversed([one.revision for one in _scripts(steps_in).walk_revisions()]))


def _scripts(steps_in: ModuleType) -> ScriptDirectory:
    return ScriptDirectory(os.path.dirname(str(steps_in.__file__)))  # noqa: PTH120 - as book/connection.py
