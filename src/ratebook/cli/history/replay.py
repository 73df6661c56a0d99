"""The command that rates a whole history again, from files to files, without a book."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import (
    PATH,
    PlaceOfFile,
    WholeRange,
    flag_option,
    overlay_option,
    rulebook_with,
    set_option,
)
from ratebook.cli.output import print_figures, print_findings, progress_bar
from ratebook.cli.output_files import exists_already, unwritable
from ratebook.cli.show import fail, need

if TYPE_CHECKING:
    from ratebook.replay.run import Options, WrittenLedger
    from ratebook.rules.rulebook import Rulebook

FILE = PlaceOfFile(path_type=Path, dir_okay=False)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@command("replay")
@click.argument("history", type=PATH)
@option("--out LEDGER.parquet", "Ledger to write.", FILE, required=True)
@option("--standings FILE.parquet", "Also write the ratings of all members at the end.", FILE)
@set_option
@overlay_option
@option(
    "--threads", "Number of sections rated at the same time (default: all processors).", WholeRange(min=1)
)
@option("--columns NAME,NAME...", "Write only these columns of the ledger, e.g. member,section,rating.")
@flag_option("--workings", "Include the columns of the steps in the ledger.")
@flag_option("--force", "Replace files that exist.")
def replay_command(
    history: Path,
    out: Path,
    standings: Path | None,
    settings: tuple[str, ...],
    overlay: str | None,
    threads: int | None,
    columns: str | None,
    *,
    workings: bool,
    force: bool,
) -> None:
    """Rate the whole HISTORY again by the full rules and write its ledger; no book is needed.

    HISTORY is a folder of Parquet files with the columns of docs/history-columns.md. Results do not depend on the
    number of threads. The ledger appears when it is complete: an error or Ctrl-C leaves nothing behind.

    Examples:
      ratebook replay history --out ledger.parquet
      ratebook replay history --out what-if.parquet --set bonus_multiplier=14 --standings after.parquet
    """
    need("bulk")
    rulebook = rulebook_with(settings, overlay)
    targets = [out] if standings is None else [out, standings]
    if not force:
        occupied = [exists_already(target) for target in targets if target.exists()]
        if occupied:
            fail(occupied)
    if standings is not None and standings.absolute() == out.absolute():
        raise click.UsageError("--out and --standings name the same file.")
    if any(target.resolve().is_relative_to(history.resolve()) for target in targets):
        raise click.UsageError("A result would be written into the history itself.")
    from ratebook.replay.ledger import ledger_schema  # noqa: PLC0415 - only now it is known that libraries are there
    from ratebook.replay.run import Options  # noqa: PLC0415 - as above

    wanted = () if columns is None else tuple(name.strip() for name in columns.split(","))
    try:
        ledger_schema(workings=workings, columns=wanted)
    except ValueError as failure:
        raise click.BadParameter(f"{failure}.", param_hint="--columns") from None

    with progress_bar("Rating") as progress:
        options = Options(
            threads=threads or processors(), workings=workings, columns=wanted, progress=progress
        )
        try:
            written = _written(history, out, standings, rulebook, options)
        except OSError as failure:
            fail([unwritable(failure.filename or out, failure)])
    if written.standings is None:
        fail(written.findings)
    print_findings(written.findings)
    rated = written.standings["member"].n_unique()
    figures = [("ledger rows", written.rows), ("members rated", rated)]
    print_figures(f"The ledger of {history} in {out}", figures)


def _written(
    history: Path, out: Path, standings: Path | None, rulebook: Rulebook, options: Options
) -> WrittenLedger:
    """Replay into the files."""
    from ratebook.replay.ledger import ParquetFile  # noqa: PLC0415 - as in the command
    from ratebook.replay.run import replay_to_file  # noqa: PLC0415 - as in the command
    from ratebook.replay.tables import STANDINGS, VERSION, VERSION_KEY  # noqa: PLC0415 - as in the command

    both = False
    try:
        with ExitStack() as open_files:
            file = None
            if standings is not None:
                # Opened before the long work: a place that cannot be written is said at once.
                schema = STANDINGS.with_metadata({VERSION_KEY: VERSION})
                file = open_files.enter_context(ParquetFile(standings, schema))
            written = replay_to_file(history, out, rulebook, options)
            if file is not None and written.standings is not None:
                both = True
                file.write(written.standings.to_arrow().cast(schema))
                file.complete = True
    except BaseException:
        if both:
            # The ledger has its name already, but must not be there alone.
            out.unlink(missing_ok=True)
        raise
    return written
