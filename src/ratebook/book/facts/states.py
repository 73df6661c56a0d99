"""States as people write them: by their code or their name, in any case."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement

NAMES = {
    "AB": "Alberta", "AK": "Alaska", "AL": "Alabama", "AR": "Arkansas", "AZ": "Arizona",
    "BC": "British Columbia", "CA": "California", "CO": "Colorado", "CT": "Connecticut",
    "DC": "District of Columbia", "DE": "Delaware", "FL": "Florida", "GA": "Georgia", "GU": "Guam",
    "HI": "Hawaii", "IA": "Iowa", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "KS": "Kansas",
    "KY": "Kentucky", "LA": "Louisiana", "MA": "Massachusetts", "MB": "Manitoba", "MD": "Maryland",
    "ME": "Maine", "MI": "Michigan", "MN": "Minnesota", "MO": "Missouri", "MS": "Mississippi",
    "MT": "Montana", "NB": "New Brunswick", "NC": "North Carolina", "ND": "North Dakota", "NE": "Nebraska",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NS": "Nova Scotia", "NV": "Nevada",
    "NY": "New York", "OH": "Ohio", "OK": "Oklahoma", "ON": "Ontario", "OR": "Oregon", "PA": "Pennsylvania",
    "PR": "Puerto Rico", "QC": "Quebec", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota",
    "SK": "Saskatchewan", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VA": "Virginia",
    "VI": "Virgin Islands", "VT": "Vermont", "WA": "Washington", "WI": "Wisconsin", "WV": "West Virginia",
    "WY": "Wyoming",
}  # fmt: skip
"""Of the United States and of provinces of Canada, by their postal codes."""
_CODES = {name.casefold(): code for code, name in NAMES.items()}


def is_state(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Return what is true where a column has the state that somebody wrote."""
    return column.in_(sorted(set(spellings(text))))


def state_code(text: str) -> str:
    """Return the postal code of a state that somebody wrote; what is not known as a state stays as it is.

    >>> state_code("vermont"), state_code("vt"), state_code("Kent")
    ('VT', 'VT', 'Kent')
    """
    written = " ".join(text.split())
    code = _CODES.get(written.casefold(), written.upper())
    return code if code in NAMES else written


def state_names(*states: str) -> dict[str, str]:
    """Return the names of states by their codes, in the order of the names.

    >>> state_names("OR", "ohio", "", "OH")
    {'OH': 'Ohio', 'OR': 'Oregon'}
    """
    codes = {state_code(state) for state in states if state}
    return dict(sorted(((code, NAMES.get(code, code)) for code in codes), key=itemgetter(1)))


def spellings(text: str) -> Iterator[str]:
    """Yield how a state that somebody wrote may be written in a book.

    >>> sorted(set(spellings("vermont")))
    ['VERMONT', 'VT', 'Vermont', 'vermont']
    >>> sorted(set(spellings("vt")))
    ['VERMONT', 'VT', 'Vermont', 'Vt', 'vt']
    """
    written, code = " ".join(text.split()), state_code(text)
    name = NAMES.get(code, code)
    yield from (written, written.upper(), written.title(), code, name, name.upper())
