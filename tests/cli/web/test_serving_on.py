"""A server of public pages answers every request while its book is restored."""

from __future__ import annotations

import re
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from httpx import get

from support.command_line import COMMAND, invoke

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long


@contextmanager
def serving(book: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Give a server with two workers, and its address."""
    arguments = ("web", "--book", book, "--serve", "public", "--workers", "2", "--port", "0", "--limit", "0")
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        assert address is not None
        try:
            yield server, address[0]
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait() == 0


def status(address: str) -> int:
    return get(address, timeout=None).status_code  # noqa: S113 - tests have their own guard


def test_a_book_is_restored_while_it_is_served(book: str, tmp_path: Path) -> None:
    """Alone, and with its accounts."""
    assert invoke("web", "--book", book, "account", "add", "Ann Lee", "--role", "office").exit_code == 0
    with serving(book) as (_, address):
        assert "Example League" in get(address, timeout=None).text  # noqa: S113 - tests have their own guard
        assert status(f"{address}/office") == 404
        for group in ("book", "web"):
            backup = str(tmp_path / group)
            assert invoke(group, "--book", book, "backup", backup).exit_code == 0
            command = [*COMMAND, group, "--book", book, "restore", backup, "--yes"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as restore:
                statuses = [status(address)]
                while restore.poll() is None:
                    statuses.append(status(address))
            statuses += [status(address) for _ in range(20)]
            assert restore.returncode == 0
            assert set(statuses) == {200}
        assert status(f"{address}/health") == 200
