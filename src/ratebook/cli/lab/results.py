"""A study and its results, as commands are given them: what is wrong with them ends a command with findings."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ratebook.cli.options import PATH, WordOf, default_option
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_unreadable, fail_with
from ratebook.findings import Place
from ratebook.lab.studies.comparing import DEFAULT_BLOCKS, Blocks
from ratebook.lab.studies.lock import Lock, read_lock
from ratebook.lab.studies.study import StudyError

results_argument = click.argument("results", type=PATH, metavar="RESULTS")
results_option = click.option(
    "--results", type=PATH, required=True, metavar="DIR", help="Folder of the results; made if it is missing."
)
blocks_option = default_option(
    "--blocks",
    type=WordOf(Blocks),
    default=DEFAULT_BLOCKS.value,
    help="What games share that intervals of a single history take as dependent: by section, intervals are for its"
    " members; by player, for another federation too.",
)


@contextmanager
def problems_shown(study: Path, results: Path) -> Iterator[None]:
    """End the command where the file of a study is wrong or cannot be read, or results cannot be written."""
    try:
        yield
    except StudyError as refused:
        fail(refused.findings)
    except OSError as failure:
        if failure.filename is not None and Path(failure.filename) == study:
            fail_unreadable(study, failure)
        fail([unwritable(failure.filename or results, failure)])


def results_with_baseline(results: Path) -> Lock:
    """Return what results are of, or end the command: they must be readable, and the baseline's cell be there."""
    lock = results_in(results)
    if lock.variants[0] in lock.missing:
        fail_with("results-missing.baseline", Place(file=str(results)), count=len(lock.missing))
    return lock


def results_in(results: Path) -> Lock:
    """Return what results are of, or end the command."""
    reason = ""
    try:
        lock = read_lock(results)
    except json.JSONDecodeError:
        reason = "study.lock is not JSON"
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or str(failure)
    if reason:
        fail_with("results-unreadable", Place(file=str(results)), reason=reason)
    return lock
