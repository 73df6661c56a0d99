"""The commands as the tests call them."""

from __future__ import annotations

from click.testing import CliRunner, Result

from ratebook.cli.main import run


def invoke(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(run, arguments, input=data)
