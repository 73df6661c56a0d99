"""A history made of games that were read from files."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import polars as pl

from ratebook.findings import Finding, Findings, Place
from ratebook.lab.imports.games import read_games
from ratebook.replay.check import MOST_ENTRIES
from ratebook.replay.history import write_history
from ratebook.replay.tables import SCHEMAS, History
from ratebook.rules.rulebook import load_rulebook

REGULAR = 1
"""The bit of OTB Regular."""


class ImportedHistory(NamedTuple):
    """How much was imported, and how many games were left out, as they were played before the rules began."""

    members: int
    sections: int
    games: int
    before_the_rules: int


def import_history(
    path: Path, folder: Path, read: Callable[[Path, Findings], pl.DataFrame] = read_games
) -> tuple[ImportedHistory | None, tuple[Finding, ...]]:
    """Write the games that *read* finds at *path* as a history; with an error nothing is written.

    Every section is rated in OTB Regular. The first rating that is read of a player is the balance, established;
    players of whom none is read are unrated.

    Raises:
        FileExistsError: *folder* exists.
        OSError: a file cannot be read or written.
    """
    findings = Findings()
    games = read(path, findings)
    first_day = load_rulebook().first_day
    sections = sections_of(games)
    early = sections.filter(pl.col("start") < first_day)
    scored = games.join(early, on=["event", "section"], how="anti", maintain_order="left")
    if not findings.has_errors and not len(scored):
        findings.add("games-none", Place(file=path.name), first_day=first_day)
    if findings.has_errors:
        return None, findings.of_file(path.name)
    history = history_of_games(scored)
    large = pl.DataFrame(history.sections).filter(pl.col("entries") > MOST_ENTRIES)
    for event, entries in large.select("event", "entries").iter_rows():
        place = Place(file=path.name, event=event)
        findings.add("games-section-large", place, entries=entries, most=MOST_ENTRIES)
    all_findings = findings.of_file(path.name)
    if findings.has_errors:
        return None, all_findings
    write_history(history, folder)
    counts = (len(table) for table in (history.members, history.sections, scored))
    return ImportedHistory._make((*counts, len(games) - len(scored))), all_findings


def sections_of(games: pl.DataFrame) -> pl.DataFrame:
    """Return the sections of games in the order of rating, with the number of each in its event."""
    return (
        games.group_by("event", "section")
        .agg(pl.col("start").min(), pl.col("end").max())
        .sort("end", "event", "section")
        .with_columns(number=pl.int_range(1, pl.len() + 1).over("event"))
        .with_row_index("at")
    )


def history_of_games(games: pl.DataFrame) -> History:
    """Return a history of games with the columns of ``games.GAMES``."""
    sections = sections_of(games)
    ids = pl.concat([games["one"], games["two"]]).unique().sort()
    member = pl.col("one", "two").replace_strict(ids, pl.int_range(len(ids), dtype=pl.Int32, eager=True))
    numbered = (
        games.with_columns(member, pl.col("round").cast(pl.Int16), pl.col("score", "colour").cast(pl.Int8))
        .join(sections.select("event", "section", "at"), on=["event", "section"], maintain_order="left")
        .drop("event", "section", "start", "end", "row")
        .with_row_index("game")
        .sort("at", "round", "game")
        # The key of an entry: in numbers that follow each other, all members of a section, then those of the next one.
        .with_columns(pl.col("one", "two").cast(pl.Int64) + pl.col("at").cast(pl.Int64) * len(ids))
    )
    sides = pl.concat(
        numbered.select(
            "round",
            "game",
            key=pl.col(side),
            other=pl.col(other),
            score=pl.col("score") if side == "one" else 2 - pl.col("score"),
            colour=pl.col("colour") if side == "one" else -pl.col("colour"),
        )
        for side, other in (("one", "two"), ("two", "one"))
    ).sort("key", "round", "game")
    entries = (
        sides.group_by("key", maintain_order=True)
        .agg(games=pl.len())
        .with_columns(at=pl.col("key") // len(ids), member=pl.col("key") % len(ids))
    )
    first = entries["at"].search_sorted(entries["at"])
    place = entries["key"].search_sorted(sides["other"])
    rows = sides.select("score", "round", "colour", opponent=place - first.gather(place))
    people = pl.DataFrame({"member": pl.int_range(len(ids), eager=True), "id": ids})
    for what in ("born", "rating"):
        columns = [(pl.col(side) % len(ids), pl.col(f"{what}_{side}")) for side in ("one", "two")]
        known = pl.concat(
            numbered.select("at", "round", "game", member=member, value=value).drop_nulls("value")
            for member, value in columns
        ).sort("at", "round", "game")
        first_known = known.unique("member", keep="first").select("member", pl.col("value").alias(what))
        people = people.join(first_known, on="member", how="left", maintain_order="left")
    entered = entries.group_by("at").agg(entries=pl.len())
    no, nothing = pl.lit(value=False), pl.lit(0)
    rated = people.drop_nulls("rating")
    opened = games["start"].min() if len(games) else date.min
    assert isinstance(opened, date), "a column of dates"  # noqa: S101 - tells the type checker
    return History(
        members=people.select(
            "id", birth_date="born", adult=no, canadian_resident=no, usa_flag=no, fide_opt_in=no
        ),
        balances=rated.select(
            **{name: pl.lit(None) for name in SCHEMAS["balances"].names}
            | {
                "member": pl.col("member"),
                "system": nothing,
                "as_of": pl.lit(max(opened, date(1, 1, 2)) - timedelta(days=1)),
                "rating": pl.col("rating"),
                "at_least": nothing,
            }
        ),
        **{
            name: SCHEMAS[name].empty_table()
            for name in ("foreign_ratings", "decisions", "published_ratings")
        },
        sections=sections.join(entered, on="at", maintain_order="left").select(
            "event",
            "number",
            "start",
            "end",
            "entries",
            kind=nothing,
            half_k=no,
            youth=no,
            systems=pl.lit(REGULAR),
        ),
        entries=entries.select("member", "games", marks=nothing, fide=pl.lit(0.0)),
        games=rows.select("opponent", "score", "round", "colour"),
    )
