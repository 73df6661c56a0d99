"""An official list as a page to be printed or put on a website: plain HTML, no script, nothing loaded."""

from collections.abc import Callable, Iterator
from html import escape

from ratebook.official_lists.columns import rating_column, titles_text
from ratebook.official_lists.contents import ListMember, OfficialList
from ratebook.records.system_titles import OWN_TITLES, USUAL_TITLES

STYLE = """
body { font: 10pt/1.35 sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { caption-side: bottom; padding-top: 0.6rem; text-align: left; }
th, td { border-bottom: 1px solid #ccc; padding: 0.15rem 0.5rem; text-align: left; }
thead th { border-bottom: 2px solid #333; vertical-align: bottom; }
caption { overflow-wrap: anywhere; }
tbody th { font-weight: normal; }
.rating { text-align: right; white-space: nowrap; }
@page { margin: 15mm; }
@media print {
  body { margin: 0; max-width: none; padding: 0; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
}
"""


def html_page(official: OfficialList) -> str:
    """Return the list as one page: a heading, and a table with a row for each member."""
    title = f"{official.federation}: official ratings of {official.month}"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{escape(title)}</h1>",
        "<table>",
        *_table(official),
        "</table>",
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _table(official: OfficialList) -> Iterator[str]:
    """Yield the caption, the headings and the rows; the name is the heading of its row."""
    day = official.cut_off.isoformat()
    seal = f"<br>Seal of the book: {official.seal}" if official.seal else ""
    yield (
        f'<caption>Sections that ended by <time datetime="{day}">{day}</time>.'
        f" P and a number: provisional, on so many games.{seal}</caption>"
    )
    cells: dict[str, tuple[str, Callable[[ListMember], str]]] = {
        "ID": ("td", lambda member: member.id),
        "Name": ("th", lambda member: member.name),
        "State": ("td", lambda member: member.state),
    }
    for system in official.systems:
        heading = escape(OWN_TITLES.get().get(system) or USUAL_TITLES[system].removeprefix("OTB "))
        cells[heading] = ("rating", rating_column(system))
    cells["Titles"] = ("td", titles_text)
    used = {
        title: cell
        for title, cell in cells.items()
        if title not in {"State", "Titles"} or any(map(cell[1], official.members))
    }
    headings = "".join(
        f'<th scope="col"{_RATING if kind == "rating" else ""}>{title}</th>'
        for title, (kind, _) in used.items()
    )
    yield f"<thead><tr>{headings}</tr></thead>"
    yield "<tbody>"
    for member in official.members:
        yield f"<tr>{''.join(_cell(kind, text(member)) for kind, text in used.values())}</tr>"
    yield "</tbody>"


_RATING = ' class="rating"'


def _cell(kind: str, text: str) -> str:
    """Return one cell: plain, a rating, or the heading of its row."""
    match kind:
        case "th":
            return f'<th scope="row">{escape(text)}</th>'
        case "rating":
            return f"<td{_RATING}>{escape(text)}</td>"
        case _:
            return f"<td>{escape(text)}</td>"
