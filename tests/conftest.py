"""Options of the tests, and how Hypothesis runs: the same examples each time, however slow the machine is."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.doctest import DoctestModule
from _pytest.pathlib import ImportMode, import_path
from hypothesis import HealthCheck, settings

from ratebook.model import System
from ratebook.records.system_titles import OWN_SYSTEMS, OWN_TITLES
from support.whole_run import alone_with, examples, folder_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from sqlalchemy import Connection

settings.register_profile(
    "tests",
    deadline=None,
    derandomize=True,
    max_examples=examples(30).max_examples,
    # It goes by the clock too.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--soak`` and ``--snapshot-update``."""
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes (make soak)")
    parser.addoption(
        "--snapshot-update", action="store_true", help="keep the explanations as they are shown now"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what the markers mean, and collect tests without looking for garbage, of which there is none."""
    gc.disable()
    config.addinivalue_line("markers", "soak: takes minutes; runs with --soak only")
    config.addinivalue_line(
        "markers", "long: takes seconds, a server or a compiler; make quick leaves it out"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the soak out, unless it is asked for, and mark what takes a server or a compiler.

    A file that takes the compiler comes first: what is compiled while another process works is there when it needs it.
    """
    for item in items:
        if item.get_closest_marker("soak") is not None and not config.getoption("--soak"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: make soak, make lab-check"))
        if isinstance(item, pytest.Function) and (
            {"server", "compiled_engine"} & set(item.fixturenames) or "postgresql" in item.name
        ):
            item.add_marker(pytest.mark.long)
    compiling = next(
        (item.path for item in items if "compiled_engine" in getattr(item, "fixturenames", ())), None
    )
    items.sort(key=lambda item: item.path != compiling)


def pytest_collection(session: pytest.Session) -> None:
    """Import every other file first, if a second process imports the rest: assertions are rewritten by one of them."""
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    files = sorted(file for place in config.args for file in Path(config.rootpath, place).rglob("test_*.py"))
    for file in files[int(worker["workerid"][2:]) :: worker["workercount"]]:
        # What is wrong with a file is said when it is collected.
        with suppress(Exception):
            import_path(
                file, mode=ImportMode.importlib, root=config.rootpath, consider_namespace_packages=False
            )


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in docstrings only where there are some: looking at all that tests have takes a second."""
    collectors = yield
    if file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8"):
        return [one for one in collectors if not isinstance(one, DoctestModule)]
    return collectors


def pytest_collection_finish() -> None:
    """Look for garbage from now on, but seldom, as the commands of a book do, and not among the tests themselves."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the systems of the book that another test has read: a process of its own begins without them."""
    OWN_TITLES.set({})
    OWN_SYSTEMS.set(tuple(System))


class CompiledStatements(dict[Any, Any]):
    """Compiled statements by the kind of a dialect: each book has an engine with a dialect of its own."""

    def get(self, key: tuple[Any, ...], default: object = None) -> object:
        """Return a statement, if it was compiled before."""
        return super().get(_shared(key), default)

    def __setitem__(self, key: tuple[Any, ...], value: object) -> None:
        """Keep a statement."""
        super().__setitem__(_shared(key), value)


def _shared(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return type(key[0]), *key[1:]


_COMPILED = CompiledStatements()


def share_statements(connection: Connection) -> None:
    """Let a connection use what those of all books compile."""
    connection.execution_options(compiled_cache=_COMPILED)


@pytest.fixture(scope="session", autouse=True)
def unsynchronized_files() -> Iterator[Callable[[sqlite3.Connection, object], None]]:
    """Let no book wait for the disk, as tests end processes and not the machine; and compile statements once."""
    from sqlalchemy import Engine, event  # noqa: PLC0415 - many tests need no database

    def unsynchronized(connection: sqlite3.Connection, _record: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            # A damaged file is for the program to find.
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA synchronous = OFF")

    event.listen(Engine, "connect", unsynchronized)
    event.listen(Engine, "engine_connect", share_statements)
    yield unsynchronized
    event.remove(Engine, "engine_connect", share_statements)
    event.remove(Engine, "connect", unsynchronized)


@pytest.fixture(scope="session")
def compiled_engine(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Have the engine compiled, once for all processes of the run."""
    from ratebook.demo.synthetic import Shape, synthetic_history  # noqa: PLC0415 - only where it is needed
    from ratebook.replay.run import Options, replay  # noqa: PLC0415 - the same

    with alone_with(folder_of_run(tmp_path_factory) / "compiling"):
        # A compiler keeps what it makes: a seventh of its time would be spent on looking for garbage.
        gc.disable()
        try:
            replay(synthetic_history(Shape(50, 30)), options=Options(short=0))
        finally:
            gc.enable()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of the PostgreSQL server that all processes of a run share."""
    from support.postgresql import shared_server  # noqa: PLC0415 - only tests of a server pay for it

    with shared_server(folder_of_run(tmp_path_factory) / "users of the server") as address:
        yield address
