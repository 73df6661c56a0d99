"""Standings of the ratings API as JSON files."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="api-json",
        title="standings of the ratings API, JSON",
        page="ratings-api.md",
        reader="ratebook.formats.ratings_api.read",
    ),
)
