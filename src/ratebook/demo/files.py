"""A federation as files: lists in CSV, and each report in its format; the same federation gives the same bytes."""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ratebook.demo.values import Arrival, Federation, Member
from ratebook.formats.registry import format_named, write_report
from ratebook.player_lists.members_columns import COLUMNS, LIFE, cell_text, cells_of

REPORTS = "reports"
_ZIP_DAY = (1980, 1, 1, 0, 0, 0)
_UNIX = 3

BALANCE_COLUMNS = (
    "member_id",
    "system",
    "as_of",
    "rating",
    "games",
    "wins",
    "draws",
    "losses",
    "record",
    "long_events",
    "peak",
    "life_master_games",
    "floor_kind",
    "floor",
)
MANIFEST_COLUMNS = ("file", "received", "event_id", "start", "end", "time_control", "type", "online")
CORRECTION_COLUMNS = (
    "on",
    "by",
    "kind",
    "event_id",
    "section",
    "seat",
    "round",
    "value",
    "opponent_value",
    "reason",
)


def federation_files(federation: Federation) -> Iterator[tuple[str, bytes]]:
    """Yield every file of *federation*: its path, folders separated by slashes, and its bytes; reports come last."""
    yield "members.csv", _members(federation.members)
    yield "memberships.csv", _table(("member_id", "starts", "expires"), federation.memberships)
    yield (
        "external-ratings.csv",
        _table(("member_id", "source", "list_date", "rating"), federation.external_ratings),
    )
    yield "opening-balances.csv", _table(BALANCE_COLUMNS, _balances(federation))
    yield "corrections.csv", _table(CORRECTION_COLUMNS, federation.corrections)
    names: list[str] = [file_name(arrival) for arrival in federation.arrivals]
    yield (
        "reports.csv",
        _table(
            MANIFEST_COLUMNS,
            (_manifest(name, arrival) for name, arrival in zip(names, federation.arrivals, strict=True)),
        ),
    )
    for name, arrival in zip(names, federation.arrivals, strict=True):
        yield f"{REPORTS}/{name}", report_bytes(arrival)


def file_name(arrival: Arrival) -> str:
    """Return the name of a report's file: sorted by name, files stand in the order of their arrival."""
    suffix = {"native": ".json", "uschess-2c": ".zip", "csv": ".csv", "crosstable": ".txt"}.get(
        arrival.format, ".trf" if len(arrival.report.sections) == 1 else ".zip"
    )
    return f"{arrival.number:06}-{arrival.report.event.id}{suffix}"


def report_bytes(arrival: Arrival) -> bytes:
    """Return the file of a report; several files of a format are an archive."""
    target = format_named(arrival.format)
    if target is None:
        raise ValueError(f"there is no format {arrival.format!r}")
    files = write_report(arrival.report, target).files
    if not files:
        raise ValueError(f"the format {arrival.format!r} cannot hold the report {arrival.report.event.id}")
    return next(iter(files.values())) if len(files) == 1 else zipped(files)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return *files* as an archive without compression, whose bytes depend on no library and no system."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, _ZIP_DAY)
            member.create_system = _UNIX
            archive.writestr(member, data)
    return out.getvalue()


def _table(header: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([cell_text(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _members(members: Sequence[Member]) -> bytes:
    """Return the members CSV; columns that are empty for everybody are left out."""
    rows = []
    for member in members:
        expires = "life" if member.expires == LIFE else member.expires.isoformat()
        rows.append(cells_of(member.facts) | {"expires": expires, "state": member.state})
    used = set[str]().union(*(row.keys() for row in rows))
    titles = [title for title in COLUMNS if title in used]
    return _table(titles, ([row.get(title, "") for title in titles] for row in rows))


def _balances(federation: Federation) -> Iterator[tuple[object, ...]]:
    for member, system, rating, floor in federation.opening_balances:
        yield (
            member,
            system,
            rating.as_of,
            rating.rating,
            rating.games,
            rating.wins,
            rating.draws,
            rating.losses,
            rating.record,
            rating.long_events,
            rating.peak,
            rating.life_master_games,
            None if floor is None else floor.kind,
            None if floor is None else floor.floor,
        )


def _manifest(name: str, arrival: Arrival) -> tuple[object, ...]:
    hints = arrival.hints
    return (
        name,
        arrival.received,
        arrival.report.event.id,
        hints.start,
        hints.end,
        hints.time_control,
        hints.type,
        hints.online or None,
    )
