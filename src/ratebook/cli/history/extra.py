"""The extra ``bulk``: a finding if its libraries are not installed."""

from importlib import import_module

from ratebook.cli.show import fail_with

LIBRARIES = ("numba", "numpy", "polars", "pyarrow")


def need_bulk() -> None:
    """End with a finding and exit status 1 where a library of the extra is missing."""
    for name in LIBRARIES:
        try:
            import_module(name)
        except ModuleNotFoundError:
            fail_with("bulk-library-missing", name, name=name)
