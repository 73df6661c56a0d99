"""Extras of the installation: a finding if the libraries of one are not installed."""

from importlib.util import find_spec

from ratebook.cli.show import fail_with
from ratebook.findings import Place

WEB = ("argon2", "cryptography", "jinja2", "litestar", "msgspec", "pyotp", "segno", "uvicorn", "zxcvbn")


def need_bulk() -> None:
    """End with a finding and exit status 1 where a library of the extra ``bulk`` is missing."""
    _need("bulk-library-missing", "numba", "numpy", "polars", "pyarrow")


def need_lab() -> None:
    """End with a finding and exit status 1 where a library of the extras ``bulk`` and ``lab`` is missing."""
    need_bulk()
    _need("lab-library-missing", "altair", "jinja2", "scipy", "skmisc", "vl_convert")


def need_cluster() -> None:
    """End with a finding and exit status 1 where the library of the extra ``lab-cluster`` is missing."""
    _need("cluster-library-missing", "distributed")


def need_sign() -> None:
    """End with a finding and exit status 1 where the library of the extra ``sign`` is missing."""
    _need("sign-library-missing", "cryptography")


def need_web() -> None:
    """End with a finding and exit status 1 where a library of the extra ``web`` is missing."""
    _need("web-library-missing", *WEB)


def _need(code: str, *names: str) -> None:
    for name in names:
        # Loaded only by what uses them.
        if find_spec(name) is None:
            fail_with(code, Place(file=name), name=name)
