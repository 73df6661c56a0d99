"""The options of the commands that write an invented federation or history."""

from functools import partial

import click

from ratebook.cli.options import PATH, WholeRange, default_option

out_option = partial(click.option, "--out", type=PATH, required=True, metavar="DIR")
members_option = partial(default_option, "--members", help="Number of members.")
seed_option = default_option(
    "--seed", type=WholeRange(min=0), default=1, help="Another seed gives other players."
)
