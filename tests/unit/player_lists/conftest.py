"""A players' list on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def given_list(tmp_path: Path) -> Callable[[bytes], Path]:
    """Return what puts bytes into a file whose name says nothing."""

    def put(data: bytes, name: str = "list") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return put
