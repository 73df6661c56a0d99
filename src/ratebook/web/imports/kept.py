"""A file that waits for its import: kept in the web store for a day, written to a folder while it is read, and run."""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import MsgspecError, Struct, msgpack

from ratebook.book.connection import Actor, Book
from ratebook.findings import Finding, has_errors
from ratebook.office import Progress, no_progress
from ratebook.office.action import Action
from ratebook.office.decisions.revision import Reason
from ratebook.office.founding.found import FOUND, Founded
from ratebook.office.imports.actions import IMPORTS
from ratebook.office.imports.reports import ImportedReports
from ratebook.office.imports.table import Imported
from ratebook.pages.columns import counted
from ratebook.web.forms.actions import values_of
from ratebook.web.forms.inputs import Input, InputKind
from ratebook.web.forms.sent import Sent
from ratebook.web.gate.gate import Gate
from ratebook.web.gate.visitors import Visitor, new_token
from ratebook.web.imports.proof import prove
from ratebook.web.site import Site
from ratebook.web.store.reports.previews import keep_preview, read_preview
from ratebook.web.trial.child import PATIENT, USUAL

_ACTIONS: tuple[Action[Book, Any], ...] = (FOUND, *IMPORTS)
KINDS = {action.word: action for action in _ACTIONS}
NAME_BYTES = 16
BEGINNING = "import-"
"""Of the names of files that wait, so that they are no one's previews."""
LONGEST_NAME = 80
AT_ONCE_BYTES = 256 * 1024
"""Larger files are tried and imported by jobs; so is whatever a book is founded with."""


class KeptFile(Struct):
    """A file as it was sent."""

    name: str
    content: bytes


class WaitingImport(Struct):
    """An import that waits: its kind, its files by the names of their inputs, and what else was typed."""

    kind: str
    files: dict[str, KeptFile]
    texts: dict[str, str]

    @property
    def size(self) -> int:
        """Return how many bytes its files have."""
        return sum(len(one.content) for one in self.files.values())


def keep(
    gate: Gate, visitor: Visitor, kind: str, sent: Sent, inputs: tuple[Input, ...]
) -> tuple[str, WaitingImport]:
    """Keep what was sent for an import, and return the name under which it waits."""
    files = {
        field.name: KeptFile(file.name, file.content)
        for field in inputs
        if field.kind is InputKind.FILE and (file := sent.file(field.name)) is not None
    }
    waiting = WaitingImport(kind, files, {name: text for name, text in sent.values(inputs).items() if text})
    name = BEGINNING + new_token(gate.random, NAME_BYTES)
    with gate.store.writing() as connection:
        keep_preview(connection, name, visitor.account.id, msgpack.encode(waiting), gate.now())
    return name, waiting


def kept_import(gate: Gate, owner: int, kind: str, name: str) -> WaitingImport | None:
    """Return an import of a kind that waits under a name; None for others than who sent it, and after a day."""
    if not name.startswith(BEGINNING):
        return None
    with gate.store.reading() as connection:
        content = read_preview(connection, name, owner, gate.now())
    try:
        waiting = None if content is None else msgpack.decode(content, type=WaitingImport)
    except MsgspecError:
        return None
    return waiting if waiting is not None and waiting.kind == kind and kind in KINDS else None


class Outcome(NamedTuple):
    """What an import did, or would do, in words.

    Attributes:
        changes: who of those that the book had is changed how.
        is_whole: whether nothing keeps it from being done.
        founded: what a founding did, without its findings.
        is_known: whether the book has all of it already.
    """

    words: tuple[str, ...]
    changes: tuple[str, ...]
    findings: tuple[Finding, ...]
    is_whole: bool
    founded: Founded | None = None
    is_known: bool = False


def outcome_of(result: Imported | ImportedReports | Founded) -> Outcome:
    """Return what an import did."""
    if isinstance(result, Founded):
        return Outcome(
            (), (), result.findings, result.is_done, result._replace(findings=()), is_known=result.is_known
        )
    is_whole = not has_errors(result.findings)
    if isinstance(result, ImportedReports):
        counts = f"{counted(result.ready, 'report')} ready, {result.held:,} held back, {result.already:,} already known"
        return Outcome((f"{counted(result.files, 'file')}: {counts}.",), (), result.findings, is_whole)
    counts = (
        "the book has all of this already, and nothing changes" if result.is_known else result.counts.words
    )
    words = [f"{counted(result.rows, 'row')}: {counts}."]
    if not result.is_known and any(result.balances):
        words.append(f"Opening balances: {result.balances.words}.")
    if result.marked:
        words.append(f"Rated sections of {counted(result.marked, 'member')} wait for a re-rating then.")
    return Outcome(
        tuple(words) if is_whole else (), result.changes, result.findings, is_whole, is_known=result.is_known
    )


class TriedImport(NamedTuple):
    """What an import would do to the book at a revision; nothing of it is kept."""

    revision: int
    outcome: Outcome


def try_import(
    waiting: WaitingImport, site: Site, actor: Actor, progress: Progress = no_progress
) -> TriedImport:
    """Return what an import would do."""
    seen = site.revision()
    trial = site.book.sibling(dry_run=True)
    with nullcontext() if KINDS[waiting.kind].at_once else trial.trying():
        return TriedImport(seen, run_import(waiting, trial, site, actor, progress))


def run_import(
    waiting: WaitingImport, book: Book, site: Site, actor: Actor, progress: Progress = no_progress
) -> Outcome:
    """Run an import on a *book*, which may be one that keeps nothing."""
    sent = Sent({name: (text,) for name, text in waiting.texts.items()}, {})
    with _written(waiting.files) as files:
        limits = USUAL if waiting.size <= AT_ONCE_BYTES and waiting.kind != FOUND.word else PATIENT
        heavy = [found for path in files.values() if (found := prove(path, waiting.kind, limits)) is not None]
        if heavy:
            return Outcome((), (), tuple(heavy), is_whole=False)
        action, because = KINDS[waiting.kind], Reason(actor, "")
        values = {**values_of(action, sent), **files, "progress": progress}
        return outcome_of(action.done(book, because, values, site.today()))


@contextmanager
def _written(files: Mapping[str, KeptFile]) -> Iterator[dict[str, Path]]:
    """Give the paths of files, in a folder that is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="ratebook-import-") as folder:
        paths = {name: Path(folder, name, safe_name(file.name)) for name, file in files.items()}
        for name, path in paths.items():
            path.parent.mkdir()
            path.write_bytes(files[name].content)
        yield paths


def safe_name(name: str) -> str:
    """Return the name of a file as findings may show it, which leads nowhere.

    >>> safe_name("../../etc/passwd"), safe_name("Members 2026.csv"), safe_name("..")
    ('etc_passwd', 'Members_2026.csv', 'file')
    """
    return re.sub(r"[^\w.-]+", "_", name, flags=re.ASCII).strip("._")[-LONGEST_NAME:] or "file"
