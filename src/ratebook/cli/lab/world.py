"""The command that makes a simulated federation."""

from pathlib import Path

import click

from ratebook.bounded_files import bounded_text
from ratebook.cli.command import command, option
from ratebook.cli.options import PATH, WholeRange
from ratebook.cli.output import print_figures, progress_bar
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_unreadable, fail_with
from ratebook.findings import Place
from ratebook.lab.worlds.making import make_world
from ratebook.lab.worlds.world import PRESETS, World, read_world


@command("world")
@click.argument("settings", type=PATH, required=False, metavar="[WORLD.toml]")
@option("--preset", "Use this preset, without a file.", click.Choice(list(PRESETS)))
@option("--seed", "Another seed gives other members and results.", WholeRange(min=0))
@option("--out DIR", "Folder to write, which must not exist.", PATH, required=True)
def world_command(settings: Path | None, preset: str | None, seed: int | None, out: Path) -> None:
    """Make a simulated federation: a history, and beside it the true strength of every entry.

    Members improve, change and leave as WORLD.toml says. Sections are formed and paired by ratings as they would be
    published; results depend on true strengths alone. The same settings give the same history on every machine.

    Examples:
      ratebook lab world --preset school --out school
      ratebook lab world --preset federation --seed 2 --out federation
      ratebook lab world examples/lab/world.toml --out world
    """
    if settings is not None and preset is None:
        world = _read(settings)
    elif preset is not None and settings is None:
        world = PRESETS[preset]
    else:
        raise click.UsageError("Give either a file or a --preset.")
    if seed is not None:
        world = world._replace(seed=seed)
    if out.exists() or out.is_symlink():
        fail_with("output-exists.folder-used", Place(file=str(out)))
    try:
        with progress_bar("Making") as progress:
            figures = make_world(world, out, progress)
    except OSError as failure:
        fail([unwritable(out, failure)])
    print_figures(f"A simulated federation in {out}", figures._asdict().items())


def _read(path: Path) -> World:
    try:
        text = bounded_text(path)
    except (OSError, UnicodeDecodeError) as failure:
        fail_unreadable(path, failure)
    world = read_world(text, path.name)
    if not isinstance(world, World):
        fail(world)
    return world
