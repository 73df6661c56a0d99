"""The group ``ratebook web``: where a served book is and how it is served; without a command it serves."""

import re
from importlib import import_module
from typing import NamedTuple

import click

from ratebook.cli.command import bundled, option, with_examples
from ratebook.cli.options import PATH_TEXT, WholeRange, default_option, flag_option
from ratebook.cli.settings import BOOK_VARIABLE, SettledGroup, settings_option
from ratebook.cli.show import need

SERVED = ("public", "office", "all")
KEY_VARIABLE = "RATEBOOK_WEB_KEY"
"""What holds the key of second factors where it is in no file."""


class Places(NamedTuple):
    """Where the book, the web store and its key are; None if not given."""

    book: str | None
    store: str | None
    key: str | None = None


class Serving(NamedTuple):
    """How a book is served."""

    served: str
    host: str
    port: int
    uds: str | None
    root_path: str
    names: tuple[str, ...]
    workers: int
    behind_proxy: str | None
    https_by_proxy: bool
    hsts_subdomains: bool
    limit: int
    data: str | None
    access_log: bool
    log_json: bool
    metrics_port: int | None
    metrics_host: str
    demo: bool


COMMANDS = {
    "backup": ("copies", "Back up the book and its accounts together."),
    "restore": ("copies", "Replace both with a backup."),
    "drill": ("copies", "Restore the newest backup to a scratch place."),
    "account": ("accounts", "Add, list, change, reset and disable accounts."),
    "token": ("accounts", "Give programs tokens, list and revoke them."),
}
EXTRAS = ("web", "book")
ROOT_PATH = re.compile(r"(?:/[A-Za-z0-9_.~-]+)+")


def root_path(text: str) -> str:
    """Return the path below which a server has its pages, without a slash at its end, or end with a usage error."""
    path = text.removesuffix("/")
    if path and not ROOT_PATH.fullmatch(path):
        raise click.BadParameter(f"{text!r} is not a path such as /ratings, of letters, digits and - . _ ~")
    return path


places = bundled(
    "places",
    Places,
    option(
        "--book PATH_OR_URL",
        "The book: a file, or postgresql://user@server/database.",
        envvar=BOOK_VARIABLE,
        show_envvar=True,
    ),
    option(
        "--store PATH_OR_URL",
        "Where accounts and sessions are kept (default: BOOK.web, or the server of the book).",
    ),
    option(
        "--key-file PATH",
        "File of the key that encrypts second factors, made if there is none (default: STORE.key); the key itself"
        f" may be in {KEY_VARIABLE} instead.",
        name="key",
    ),
)
serving = bundled(
    "how",
    Serving,
    default_option(
        "--serve",
        "The public site, the signed-in site, or both.",
        click.Choice(SERVED),
        name="served",
        default="all",
    ),
    default_option("--host", "The address to listen on.", default="127.0.0.1"),
    default_option(
        "--port", "The port to listen on; 0 takes any free port.", WholeRange(0, 65535), default=8000
    ),
    option("--uds PATH", "Listen on a socket at this path instead of a port.", PATH_TEXT),
    default_option(
        "--root-path PATH",
        "Serve the pages below this path, such as /ratings, if a proxy passes addresses on unchanged.",
        root_path,
        default="",
        show_default=False,
    ),
    option(
        "--name HOST",
        "A name that browsers may use for the server; repeatable. The names of this machine always work.",
        name="names",
        multiple=True,
    ),
    default_option(
        "--workers",
        "Number of processes; more than one only with --serve public.",
        WholeRange(1, 64),
        default=1,
    ),
    option("--behind-proxy ADDRESS", "Trust the proxy at this address to say where requests come from."),
    flag_option("--https-by-proxy", "A proxy in front of the server uses TLS."),
    flag_option(
        "--hsts-subdomains",
        "Tell browsers, for a year, that every name below the server's also uses TLS; with --https-by-proxy.",
    ),
    default_option(
        "--limit",
        "Requests per minute that programs without a token may make from one address; with a token, and for pages,"
        " ten times as many. 0 means no limits.",
        WholeRange(0, 100_000),
        default=60,
    ),
    option(
        "--data FOLDER", "Serve the complete tables that ratebook book data writes to this folder.", PATH_TEXT
    ),
    flag_option(
        "--access-log", "Log each request on standard error: when, from where, which page, with which status."
    ),
    flag_option("--log-json", "Log as JSON, one object per line."),
    option(
        "--metrics-port N", "Serve figures for Prometheus at this port, as /metrics.", WholeRange(0, 65535)
    ),
    default_option("--metrics-host", "The address at which figures are served.", default="127.0.0.1"),
    flag_option(
        "--demo",
        "Serve an invented federation, with an account for each role, from a folder that is removed at the end.",
    ),
)


@click.group(
    "web",
    cls=SettledGroup,
    package="ratebook.cli.web",
    lazy=COMMANDS,
    extras=EXTRAS,
    invoke_without_command=True,
    help=with_examples(
        """Serve a book to browsers: a public site, and signed-in pages for directors and the office.

        Accounts are made on this machine, by ratebook web account add.

        Examples:
          ratebook web --demo
          ratebook web --book league.book
          ratebook web --book league.book --serve public --workers 2 --name ratings.example.org
          ratebook web --book league.book account add "Ann Lee" --role office
        """
    ),
)
@settings_option
@places
@serving
@click.pass_context
def web_group(context: click.Context, places: Places, how: Serving) -> None:
    """Keep the places for a command, or serve."""
    context.obj = places
    if context.invoked_subcommand is None:
        need(*EXTRAS)
        # What serves loads the libraries of the web, which commands for help need not.
        import_module("ratebook.cli.web.serving").serve(places, how)
