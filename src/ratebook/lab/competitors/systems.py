"""The systems that a study may set beside the rules: our own, and those of other installed packages."""

import hashlib
import inspect
import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ratebook.bounded_files import bounded_bytes
from ratebook.lab.competitors.competitor import FITTED, FORECASTS, LIST, Competitor
from ratebook.lab.competitors.elo import Elo, FederationK, FideElo
from ratebook.lab.competitors.forecasts import MOST_OF_FORECASTS
from ratebook.lab.competitors.glicko import Glicko, Glicko2, Glicko1995, Stephenson
from ratebook.lab.competitors.rating_system import RatedMembers, RatingSystem
from ratebook.plugins import ContractError, entry_points_of, reason_of

GROUP = "ratebook.competitors"
OWN: Mapping[str, type[RatingSystem]] = {
    "elo": Elo,
    "federation-k": FederationK,
    "fide": FideElo,
    "glicko": Glicko,
    "glicko-1995": Glicko1995,
    "glicko-2": Glicko2,
    "stephenson": Stephenson,
}
LARGEST = 1_000.0
"""Of a constant."""


def names_of_competitors() -> tuple[str, ...]:
    """Return what a study may name, those of other packages included."""
    others = [entry.name for entry in entry_points_of(GROUP) if entry.name not in OWN]
    return (*OWN, LIST, FORECASTS, *others)


def is_own(competitor: Competitor) -> bool:
    """Return whether a competitor is none of another package's."""
    return competitor.method in (*OWN, LIST, FORECASTS)


def made(competitor: Competitor, members: RatedMembers) -> RatingSystem:
    """Return the system of a competitor, whose constants are known.

    Raises:
        ContractError: another package's system cannot be loaded.
    """
    kind = kind_of(competitor.method)
    system: RatingSystem = kind(members, **dict(competitor.constants))
    return system


def kind_of(method: str) -> Any:  # noqa: ANN401 - what makes a `RatingSystem`, perhaps another package's
    """Return what makes the system of a method.

    Raises:
        KeyError: there is none of that name.
        ContractError: another package's system cannot be loaded.
    """
    if method in OWN:
        return OWN[method]
    for entry in entry_points_of(GROUP):
        if entry.name == method:
            try:
                return entry.load()
            except (Exception, SystemExit) as failure:
                raise ContractError(reason_of(failure)) from failure
    raise KeyError(method)


def competitors_of(settings: Mapping[str, Any], folder: Path) -> tuple[Competitor, ...]:
    """Return the competitors of a table such as ``elo = { k = [16, 24] }, fide = true``, each once.

    Args:
        settings: the table.
        folder: from which the files of forecasts are named.

    Raises:
        ValueError: something in it is not understood; the argument names it.
        ContractError: another package's system cannot be loaded.
        OSError: a file of forecasts cannot be read.
    """
    return tuple(
        dict.fromkeys(
            competitor for name, given in settings.items() for competitor in _competitors(name, given, folder)
        )
    )


def _competitors(name: str, settings: object, folder: Path) -> Iterator[Competitor]:
    if name == LIST and settings is True:
        yield Competitor(LIST)
    elif name == FORECASTS and isinstance(settings, dict):
        for title, file in settings.items():
            if not isinstance(file, str):
                raise ValueError(f"{name}.{title}")  # noqa: TRY004 - a wrong value of the study, as the others
            path = (folder / file).absolute()
            digest = hashlib.sha256(bounded_bytes(path, MOST_OF_FORECASTS)).hexdigest()
            yield Competitor(FORECASTS, title=title, digest=digest, file=path)
    elif name in (LIST, FORECASTS) or not (settings is True or isinstance(settings, dict)):
        raise ValueError(name)
    else:
        yield from _with_constants(name, {} if settings is True else settings)


def _with_constants(name: str, settings: Mapping[str, object]) -> Iterator[Competitor]:
    """Yield a system with each combination of its constants, where a list has several values."""
    try:
        kind = kind_of(name)
        parameters = list(inspect.signature(kind).parameters.values())[1:]
    except (KeyError, TypeError) as failure:
        raise ValueError(name) from failure
    needed = {parameter.name for parameter in parameters if parameter.default is parameter.empty}
    if not needed <= settings.keys() <= {parameter.name for parameter in parameters}:
        raise ValueError(name)
    choices = []
    for constant, values in settings.items():
        choices.append(values if isinstance(values, list) else [values])
        if not all(_is_value(kind, constant, value) for value in choices[-1]):
            raise ValueError(f"{name}.{constant}")
    for values in itertools.product(*choices):
        chosen = dict(zip(settings, values, strict=True))
        fitted = [constant for constant, value in chosen.items() if value == FITTED]
        if len(fitted) > 1:
            raise ValueError(f"{name}.{fitted[1]}")
        numbers = tuple((constant, float(value)) for constant, value in chosen.items() if value != FITTED)
        yield Competitor(name, numbers, fitted[0] if fitted else "")


def _is_value(kind: Any, constant: str, value: object) -> bool:  # noqa: ANN401 - as `kind_of`
    if value == FITTED:
        return constant in getattr(kind, "FITS", {})
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0.0 < value <= LARGEST or (value == 0.0 and constant in getattr(kind, "OPTIONAL", ()))
