"""What another variant makes of persons, as tables of the office."""

import click

from ratebook.cli.show import fail_with, show, table
from ratebook.findings import Place
from ratebook.lab.cells.members.people import people_beside
from ratebook.lab.studies.lock import Lock, LockedVariant
from ratebook.lab.studies.people import Mover, Turnover, people_between
from ratebook.pages.columns import Column, Columns

MOST = 20
"""Of those who gain, and of those who lose."""

MOVERS: Columns[Mover] = (
    Column("Id", "id"),
    Column("First", "first", "right"),
    Column("Second", "second", "right"),
    Column("Difference", "difference", "right", "+d"),
    Column("Class", "first_class"),
    Column("becomes", lambda one: "" if one.second_class == one.first_class else one.second_class),
)
TURNOVERS: Columns[Turnover] = (
    Column("What", "what"),
    Column("First", "first", "right", ","),
    Column("Second", "second", "right", ","),
    Column("Gained", "gained", "right", ","),
    Column("Lost", "lost", "right", ","),
)


def show_people(lock: Lock, first: str, second: str) -> None:
    """Print who differs between two variants."""
    one, other = (_variant(lock, name).place for name in (first, second))
    for place in (one, other):
        if not place.is_there or not people_beside(place.blocks).exists():
            fail_with("results-missing.people", Place(file=str(people_beside(place.blocks))))
    found = people_between(one, other, lock.history, MOST)
    content = {
        "title": lock.contents["title"],
        "first": first,
        "second": second,
        "members": found.members,
        "percentiles": found.percentiles,
        "movers": [one._asdict() for one in found.movers],
        "turnovers": [one._asdict() for one in found.turnovers],
    }
    spread = ", ".join(f"{percent} %: {value:+.1f}" for percent, value in found.percentiles.items())
    show(
        "lab-people",
        content,
        table(
            f"Who moves most from “{first}” to “{second}”", MOVERS, found.movers, none="No rating differs."
        ),
        "",
        table("Titles that follow from ratings, floors and classes", TURNOVERS, found.turnovers),
        f"{found.members:,} members are established in both; percentiles of the difference: {spread}.",
        findings=None,
    )


def _variant(lock: Lock, name: str) -> LockedVariant:
    for one in lock.variants:
        if one.name == name:
            return one
    names = "; ".join(one.name for one in lock.variants)
    raise click.UsageError(f"There is no variant “{name}”. The variants are: {names}.")
