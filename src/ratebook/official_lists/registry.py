"""The formats of official lists by name: what writes each, and the file that it goes to."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from ratebook.formats.contract import Written
from ratebook.model import System

if TYPE_CHECKING:
    from ratebook.findings import Finding
    from ratebook.official_lists.contents import OfficialList


class ListFormat(NamedTuple):
    """One format of official lists.

    Attributes:
        name: the word for ``--format``.
        title: what people call it.
        module: with ``write``.
        file_name: of the file, with the month in it where the list's users allow that.
        binary: whether it can only go to a file.
    """

    name: str
    title: str
    module: str
    file_name: str
    binary: bool = False


LIST_FORMATS = (
    ListFormat("text", "text", "text", "ratings-{month}.txt"),
    ListFormat("csv", "CSV, one row for each member", "csv", "ratings-{month}.csv"),
    ListFormat("members-csv", "members CSV, for --players", "members_csv", "members-{month}.csv"),
    ListFormat("golden", "Golden Database (dBASE)", "golden", "TARATSUP.DBF", binary=True),
    ListFormat("supplement", "rating supplement (dBASE)", "supplement", "TARSFLE.DBF", binary=True),
    ListFormat("json", "JSON", "json", "ratings-{month}.json"),
)


def list_format(name: str) -> ListFormat:
    """Return the format of this *name*.

    Raises:
        KeyError: there is none.
    """
    for known in LIST_FORMATS:
        if known.name == name:
            return known
    raise KeyError(name)


def write_list(official: OfficialList, name: str, second: System = System.QUICK) -> Written:
    """Return an official list as the file of one format, with a note for everything that the format cannot hold.

    Args:
        official: the list.
        name: of the format.
        second: the system of the second rating, in the formats that hold two; the first is OTB Regular.

    Raises:
        KeyError: there is no such format.
    """
    known = list_format(name)
    module = import_module(f"ratebook.official_lists.{known.module}")
    data: bytes
    findings: tuple[Finding, ...]
    data, findings = module.write(official, second)
    return Written({known.file_name.format(month=official.month): data}, findings)
