"""Extras of the installation: a finding if a library of one is not installed."""

from collections.abc import Mapping
from importlib.util import find_spec

from ratebook.findings import Finding, Place, finding

LIBRARIES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "book": ("book-library-missing", ("alembic", "sqlalchemy", "tomli_w")),
    "bulk": ("bulk-library-missing", ("numba", "numpy", "polars", "pyarrow")),
    "client": ("client-library-missing", ("httpx", "msgspec")),
    "lab": ("lab-library-missing", ("altair", "jinja2", "msgspec", "scipy", "skmisc", "vl_convert")),
    "lab-cluster": ("cluster-library-missing", ("distributed",)),
    "sign": ("sign-library-missing", ("cryptography",)),
    "web": (
        "web-library-missing",
        (
            "argon2",
            "cryptography",
            "jinja2",
            "litestar",
            "msgspec",
            "prometheus_client",
            "pyotp",
            "segno",
            "uvicorn",
            "zxcvbn",
        ),
    ),
}
"""The libraries of each extra, and the finding that one is missing."""


def missing_library(*extras: str) -> Finding | None:
    """Return the finding that a library of one of the *extras* is missing; None where all are there."""
    for code, libraries in map(LIBRARIES.__getitem__, extras):
        for library in libraries:
            # Loaded only by what uses them.
            if find_spec(library) is None:
                return finding(code, Place(file=library), name=library)
    return None
