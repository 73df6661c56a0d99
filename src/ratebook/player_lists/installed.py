"""Player lists that installed packages read, found by their entry points (docs/formats/plugins.md#a-list)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

from ratebook.findings import Findings, Place
from ratebook.formats.archive import SourceError, refused
from ratebook.formats.reading.sheets.lines import lines_of
from ratebook.model import PlayerFacts
from ratebook.player_lists.row import ListedPlayer, ListKind, Match, Rows, Search, clean_name, similar_player
from ratebook.plugins import ContractError, entry_points_of, package_of, reason_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "ratebook.lists"


def checked_list(entry: "EntryPoint") -> ModuleType:
    """Return the module of an entry point.

    Raises:
        ContractError: it has not the functions ``looks_like`` and ``players``.
    """
    module: ModuleType = entry.load()
    for name in ("looks_like", "players"):
        if not callable(getattr(module, name, None)):
            raise ContractError(f"{entry.value}.{name} is no function")
    return module


def installed_list(lines: Sequence[str]) -> Rows | None:
    """Return what reads the list that begins with *lines*, None where no package does; one that fails does not."""
    for entry in entry_points_of(GROUP):
        with suppress(Exception, SystemExit):
            module = checked_list(entry)
            if module.looks_like(lines):
                return partial(_rows, entry, module)
    return None


def _rows(
    entry: "EntryPoint", module: ModuleType, stream: BinaryIO, name: str, search: Search, _findings: Findings
) -> Iterator[ListedPlayer]:
    """Yield the rows of the list in *stream* that *search* asks for."""
    try:
        for number, yielded in module.players(lines_of(stream, name)):
            where, facts = Place(file=name, line=int(number)), _checked_facts(yielded)
            match = search.match(facts.id or facts.fide_id, facts.name)
            if match is Match.WANTED:
                yield ListedPlayer(ListKind.MEMBERS, where, facts._replace(name=clean_name(facts.name)))
            elif match is Match.SIMILAR:
                yield similar_player(ListKind.MEMBERS, where, facts.id, facts.name)
    except SourceError:
        raise
    except (Exception, SystemExit) as failure:
        package, reason = package_of(entry), reason_of(failure)
        raise refused(
            "plugin-failed.list", name, name=entry.name, package=package, reason=reason
        ) from failure


def _checked_facts(yielded: object) -> PlayerFacts:
    if isinstance(yielded, PlayerFacts):
        return yielded
    raise ContractError("it yields something else than PlayerFacts")
