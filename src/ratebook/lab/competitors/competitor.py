"""What a study may set beside the variants of the rules, as its file names it."""

from pathlib import Path
from typing import NamedTuple

FITTED = "fit on training years"
"""Written for a constant: the value that forecasts best before the day from which a study scores."""
LIST, FORECASTS = "official-list", "forecasts"
"""The competitors that rate nothing: the list in effect, and forecasts that another program has made."""


class Competitor(NamedTuple):
    """A system that rates, by *method* and *constants* in its own units, or that only forecasts, from a *file*.

    *fitted* names the constant that is found on training years, if any; *digest* of the file tells results apart.
    """

    method: str
    constants: tuple[tuple[str, float], ...] = ()
    fitted: str = ""
    title: str = ""
    digest: str = ""
    file: Path | None = None

    @property
    def levels(self) -> dict[str, str]:
        """Return what names it among the variants.

        >>> Competitor("elo", (("k", 24.0),)).levels, Competitor("glicko", fitted="c").levels
        ({'elo': 'k 24'}, {'glicko': 'c fitted'})
        """
        if self.method == LIST:
            return {"last": "official list"}
        if self.method == FORECASTS:
            return {"forecasts": self.title}
        values = [f"{name} {value:g}" for name, value in self.constants]
        if self.fitted:
            values.append(f"{self.fitted} fitted")
        return {self.method: ", ".join(values)} if values else {"system": self.method}

    def with_fitted(self, value: float) -> "Competitor":
        """Return the competitor with the constant that was fitted."""
        return self._replace(constants=(*self.constants, (self.fitted, value)), fitted="")

    @property
    def without_file(self) -> "Competitor":
        """Return what is the same wherever the file of forecasts lies."""
        return self._replace(file=None)
