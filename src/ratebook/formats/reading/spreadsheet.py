"""CSV as spreadsheets take it: a text that would be taken for a formula is guarded by a quote.

Every CSV that is written guards its texts so, and reading takes the guard away.
"""

import csv
import io
from collections.abc import Iterable

_FORMULA_STARTS = "=+-@\t\r"


def guarded(text: str) -> str:
    """Return *text* with a quote before it where a spreadsheet would take it for a formula.

    >>> guarded("=SUM(A1)"), guarded("'-5"), guarded("O'HARA"), guarded("'TIS")
    ("'=SUM(A1)", "''-5", "O'HARA", "'TIS")
    """
    return f"'{text}" if text.lstrip("'")[:1] in _FORMULA_STARTS and text.strip("'") else text


def unguarded(text: str) -> str:
    """Return *text* as it was before it was `guarded`.

    >>> unguarded("'=SUM(A1)"), unguarded("''-5"), unguarded("'TIS")
    ('=SUM(A1)', "'-5", "'TIS")
    """
    return text[1:] if text[:1] == "'" and guarded(text) != text else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    r"""Return *rows* as CSV.

    >>> csv_text([["id", "name"], [1, "ADAMS, EXAMPLE"]])
    'id,name\n1,"ADAMS, EXAMPLE"\n'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
