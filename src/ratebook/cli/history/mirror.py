"""The command that copies the complete tables of a server."""

import click

from ratebook.cli.command import command, option
from ratebook.cli.options import PATH_TEXT
from ratebook.cli.output import progress_bar
from ratebook.cli.output_files import unwritable
from ratebook.cli.show import fail, fail_with, json_option, need, show
from ratebook.findings import Place
from ratebook.records.data_files import ENDINGS


@command("mirror", json_option)
@click.argument("url", metavar="URL")
@click.argument("folder", type=PATH_TEXT, metavar="FOLDER")
@option("--format", "Format (default: the first that the server has).", click.Choice([*ENDINGS]), name="form")
def mirror_command(url: str, folder: str, form: str | None) -> None:
    """Copy the complete tables of the server at URL to FOLDER, and verify them: players, ratings, standings, histories.

    Run it again to follow the server: only files that changed are fetched, those that the server no longer
    has are removed, and an interrupted download continues where it stopped.

    Examples:
      ratebook mirror https://ratings.example.org ratings
      ratebook mirror https://ratings.example.org ratings --format parquet
    """
    need("client")
    from ratebook.client import Client, ServerError  # noqa: PLC0415 - loads the libraries of the extra

    try:
        with Client(url) as client, progress_bar("Copying") as progress:
            copy = client.mirror_data(folder, form, progress)
    except ServerError as failure:
        fail_with("mirror-failed", Place(subject=url), said=str(failure))
    except OSError as failure:
        fail([unwritable(folder, failure)])
    manifest = copy.manifest
    words = (
        f"Revision {manifest.revision} of {manifest.federation} in {folder}: {len(manifest.files)} files,"
        f" {copy.fetched} fetched ({copy.bytes / 1e6:,.1f} MB)."
    )
    show("mirror", {"revision": manifest.revision, "files": manifest.files, "fetched": copy.fetched}, words)
