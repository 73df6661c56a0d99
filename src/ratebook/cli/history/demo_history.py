"""The command that writes a synthetic history of any size, to try replays on."""

from pathlib import Path

from ratebook.cli.command import command
from ratebook.cli.extras import need
from ratebook.cli.history.options import members_option, out_option, seed_option
from ratebook.cli.options import WholeRange, default_option
from ratebook.cli.output import print_figures
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_with
from ratebook.findings import Place

MOST_GAMES = 50_000_000
"""The tables are made in memory, which needs some hundred bytes a game."""


@command("demo-history")
@out_option(help="Folder to write, which must not exist.")
@default_option(
    "--games", type=WholeRange(100, MOST_GAMES), default=200_000, help="Approximate number of rated games."
)
@members_option(type=WholeRange(30, 5_000_000), default=10_000)
@seed_option
def demo_history_command(out: Path, games: int, members: int, seed: int) -> None:
    """Write a synthetic history of twelve years, with the columns of docs/history-columns.md.

    Members meet at random; shares of systems, newcomers, matches, foreign events and decisions are like those of a
    federation. No person in it is real. `ratebook replay` rates it.

    Examples:
      ratebook demo-history --out history
      ratebook demo-history --out large --games 12000000 --members 600000
    """
    need("bulk")
    from ratebook.demo.synthetic import Shape, synthetic_history  # noqa: PLC0415 - as above
    from ratebook.replay.history import write_history  # noqa: PLC0415 - only now it is known that its libraries are there

    if out.exists() or out.is_symlink():
        fail_with("output-exists.folder-used", Place(file=str(out)))
    history = synthetic_history(Shape(games, members, seed))
    try:
        write_history(history, out)
    except OSError as failure:
        fail([unwritable(out, failure)])
    figures = {name: getattr(history, name).num_rows for name in ("members", "sections", "entries")}
    figures["games"] = history.games.num_rows // 2
    print_figures(f"A synthetic history in {out}", figures.items())
