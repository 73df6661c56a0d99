"""What a study may set beside the variants of the rules, as its file names it."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

FITTED = "fit on training years"
"""Written for Glicko's c: the value that forecasts best before the day from which a study scores."""


class Method(StrEnum):
    """What rates."""

    ELO = "elo"
    GLICKO = "glicko"
    GLICKO_1995 = "glicko-1995"
    LIST = "official-list"


CONSTANTS = {Method.ELO: "k", Method.GLICKO: "c", Method.GLICKO_1995: "c"}
"""The constant of each method; the official list has none."""
LARGEST = 1_000.0
"""Of a constant."""


class Competitor(NamedTuple):
    """A method and its constant; None for the official list, and for a constant that is fitted."""

    method: Method
    constant: float | None

    @property
    def is_fitted(self) -> bool:
        """Return whether the constant is found on training years."""
        return self.constant is None and self.method in CONSTANTS

    @property
    def levels(self) -> dict[str, str]:
        """Return what names it among the variants."""
        if self.method not in CONSTANTS:
            return {"last": "official list"}
        value = "fitted" if self.constant is None else f"{self.constant:g}"
        return {self.method.value: f"{CONSTANTS[self.method]} {value}"}


def competitors_of(settings: Mapping[str, Any]) -> tuple[Competitor, ...]:
    """Return the competitors of a table such as ``elo = { k = [16, 24] }, glicko = { c = 60 }, official-list = true``.

    Raises:
        ValueError: something in it is not understood; the argument names it.
    """
    return tuple(
        competitor for name, constants in settings.items() for competitor in _competitors(name, constants)
    )


def _competitors(name: str, constants: object) -> Iterator[Competitor]:
    if name not in set(Method):
        raise ValueError(name)
    method = Method(name)
    if method is Method.LIST:
        if constants is not True:
            raise ValueError(name)
        yield Competitor(method, None)
        return
    constant = CONSTANTS[method]
    if not isinstance(constants, dict) or constants.keys() != {constant}:
        raise ValueError(name)
    values = constants[constant] if isinstance(constants[constant], list) else [constants[constant]]
    for value in values:
        if value == FITTED and method is not Method.ELO:
            yield Competitor(method, None)
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0.0 < value <= LARGEST:
            yield Competitor(method, float(value))
        else:
            raise ValueError(f"{name}.{constant}")
