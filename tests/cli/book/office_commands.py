"""The commands of the book as the tests call them, and reports and members as files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from click.testing import CliRunner, Result

from ratebook.cli.main import run
from ratebook.formats.native.write import write
from ratebook.model import SectionType
from support.book_reports import member_id, report

if TYPE_CHECKING:
    from pathlib import Path

BIRTH_DATES = tuple(f"{1950 + number}-03-07" for number in range(1, 9))
"""Of the members 1 to 8; no command prints them."""

MEMBERS = "id,name,birth_date,expires\n" + "".join(
    f'{member_id(number)},"EXAMPLE, PLAYER {number}",{born},2030-12-31\n'
    for number, born in enumerate(BIRTH_DATES, start=1)
)

BALANCES = "member_id,system,as_of,rating,games,wins,draws,losses\n" + "".join(
    f"{member_id(number)},regular,2025-11-30,1500,100,40,20,40\n" for number in (1, 2, 3, 4)
)


class OfficeCommands(NamedTuple):
    """Calls ``ratebook book`` for one book."""

    place: str

    def run(self, *arguments: str, data: bytes | None = None) -> Result:
        """Call a command and return what it printed, whatever its exit status."""
        return CliRunner().invoke(
            run, ["book", "--book", self.place, "--as", "Registrar Example", *arguments], input=data
        )

    def done(self, *arguments: str, data: bytes | None = None) -> str:
        """Call a command that must succeed, and return its standard output."""
        result = self.run(*arguments, data=data)
        assert result.exit_code == 0, result.output
        return result.stdout

    def refused(self, *arguments: str) -> list[str]:
        """Call a command that must be refused by a finding, and return the codes of all findings."""
        result = self.run(*arguments)
        assert result.exit_code == 1, result.output
        assert "Traceback" not in result.output
        return codes_in(result.stderr)

    def asked(self, *arguments: str) -> dict[str, Any]:
        """Call a command for JSON and return it."""
        found: dict[str, Any] = json.loads(self.run(*arguments, "--json").stdout)
        return found


def codes_in(text: str) -> list[str]:
    """Return the codes of the findings printed in *text*."""
    return re.findall(r"^(?:error|warning|note): .* \[([a-z0-9-]+)\]$", text, re.MULTILINE)


def write_report(  # noqa: PLR0913 - each test says another thing about a report
    path: Path,
    day: str,
    players: list[int],
    rounds: list[str],
    *,
    event_id: str = "",
    kind: SectionType = SectionType.SWISS,
) -> str:
    """Write a native report at G/90;d5, which OTB Regular alone rates, and return its path."""
    one = report(day, players, rounds, event_id=event_id, kind=kind)
    path.write_bytes(write(one).files["report.json"])
    return str(path)


def new_office(folder: Path) -> OfficeCommands:
    """Make a book with eight members, four of them rated 1500 on 100 games, by the commands themselves."""
    office = OfficeCommands(str(folder / "league.book"))
    office.done("init", "--name", "Example League")
    (folder / "members.csv").write_text(MEMBERS, encoding="utf-8")
    (folder / "balances.csv").write_text(BALANCES, encoding="utf-8")
    office.done("import", "members", str(folder / "members.csv"))
    office.done("import", "opening-balances", str(folder / "balances.csv"))
    return office
