"""Pairings and results by round and board, as text."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="pairings",
        title="pairings with results by round and board, as text or a table",
        page="pairings.md",
        reader="ratebook.formats.pairings.read",
    ),
)
