"""A federation as files: lists in CSV, and each report in its format; the same federation gives the same bytes."""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ratebook.demo.values import Arrival, Correction, InventedFederation, Member, OpeningBalance
from ratebook.formats.reading.dates import LIFE
from ratebook.formats.reading.sheets.player_columns import COLUMNS, cell_text, cells_of
from ratebook.formats.reading.spreadsheet import csv_text
from ratebook.formats.registry import built_in, write_report
from ratebook.model import Rating

REPORTS = "reports"
_ZIP_DAY = (1980, 1, 1, 0, 0, 0)
_UNIX = 3

_OF_A_RATING = Rating._fields.index("published")
"""How many fields of a rating an opening balance has: those before the official rating."""

BALANCE_COLUMNS = ("member_id", "system", "as_of", *Rating._fields[:_OF_A_RATING], "floor_kind", "floor")
MANIFEST_COLUMNS = (
    "file",
    "received",
    "event_id",
    "start",
    "end",
    "time_control",
    "type",
    "online",
    "event_name",
)


def federation_files(federation: InventedFederation) -> Iterator[tuple[str, bytes]]:
    """Yield every file of *federation*: its path, folders separated by slashes, and its bytes; reports come last."""
    yield from member_lists(federation)
    yield "corrections.csv", corrections_table(federation.corrections)
    yield "reports.csv", _table(MANIFEST_COLUMNS, map(_manifest, federation.arrivals))
    for arrival in federation.arrivals:
        yield f"{REPORTS}/{file_name(arrival)}", report_bytes(arrival)


def member_lists(federation: InventedFederation) -> Iterator[tuple[str, bytes]]:
    """Yield the files about members, in the order in which a book takes them."""
    yield "members.csv", _members(federation.members)
    yield "memberships.csv", _table(("member_id", "starts", "expires"), federation.memberships)
    rated_abroad = _table(("member_id", "source", "list_date", "rating"), federation.external_ratings)
    yield "external-ratings.csv", rated_abroad
    yield "opening-balances.csv", _table(BALANCE_COLUMNS, map(_balance, federation.opening_balances))


def corrections_table(corrections: Iterable[Correction]) -> bytes:
    """Return a table of corrections."""
    return _table(Correction._fields, corrections)


def file_name(arrival: Arrival) -> str:
    """Return the name of a report's file; files sorted by name are in the order of their arrival."""
    suffix = {"native": ".json", "uschess-2c": ".zip", "csv": ".csv", "crosstable": ".txt"}.get(
        arrival.format, ".trf" if len(arrival.report.sections) == 1 else ".zip"
    )
    return f"{arrival.number:06}-{arrival.report.event.id}{suffix}"


def report_bytes(arrival: Arrival) -> bytes:
    """Return the file of a report; several files of a format are an archive."""
    target = built_in(arrival.format)
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
    return csv_text([header, *(map(cell_text, row) for row in rows)]).encode()


def _members(members: Sequence[Member]) -> bytes:
    """Return the members CSV without the columns that are empty for all members."""
    rows = []
    for member in members:
        expires = "life" if member.expires == LIFE else member.expires.isoformat()
        rows.append(cells_of(member.facts) | {"expires": expires, "state": member.state})
    used = set[str]().union(*(row.keys() for row in rows))
    titles = [title for title in COLUMNS if title in used]
    return _table(titles, ([row.get(title, "") for title in titles] for row in rows))


def _balance(balance: OpeningBalance) -> tuple[object, ...]:
    member, system, rating, floor = balance
    entered = (None, None) if floor is None else (floor.kind, floor.floor)
    return member, system, rating.as_of, *rating[:_OF_A_RATING], *entered


def _manifest(arrival: Arrival) -> tuple[object, ...]:
    hints = arrival.hints
    of_the_event = (file_name(arrival), arrival.received, arrival.report.event.id)
    online = hints.online or None
    return *of_the_event, hints.start, hints.end, hints.time_control, hints.type, online, hints.name
