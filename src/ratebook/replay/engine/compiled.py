"""The compiled loop, kept between runs in a cache that an edited formula never outlives.

Numba's own cache looks at one file only, that of the function it compiles. Here the folder of the cache is named after
a hash of everything that the compiled code is made of: the sources of the mathematics and of the loop, the versions of
Numba and NumPy, and the processor.
"""

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba
import numpy as np

from ratebook.findings import Finding
from ratebook.private_files import PRIVATE_FOLDER, make_private_folder
from ratebook.replay.engine import kernel, plain, scan
from ratebook.replay.engine.registration import register_engine
from ratebook.replay.engine.trust import findings_of_cache

PACKAGE = Path(__file__).parents[2]
SOURCES = ("rating/*.py", "rules/in_force.py", "model.py", "replay/**/*.py")
"""Files whose change makes compiled code stale."""


class Functions(NamedTuple):
    """The loops over a chunk; compiled ones compile when they are first called, unless the cache has them."""

    rate_sections: Callable[..., None]
    scan_games: Callable[..., tuple[int, int, int]]


PLAIN = Functions(plain.rate_sections, scan.scan_games)
"""The same, interpreted."""


def default_cache() -> Path:
    """Return the folder of the user's caches in which compiled code is kept."""
    return Path.home() / ".cache" / "ratebook"


def source_files() -> list[Path]:
    """Return the files that compiled code is made of."""
    return sorted(path for pattern in SOURCES for path in PACKAGE.glob(pattern))


def cache_name(sources: Iterable[Path]) -> str:
    """Return the name of the folder for code compiled from *sources* by this Numba for this processor."""
    digest = hashlib.sha256()
    for path in sources:
        # Numba compiles again for sources that lie elsewhere, even if they are the same.
        digest.update(bytes(path) + b"\0" + path.read_bytes() + b"\0")
    features = llvmlite.binding.get_host_cpu_features().flatten()
    versions = (numba.__version__, llvmlite.__version__, np.__version__)
    for text in (*versions, llvmlite.binding.get_host_cpu_name(), features):
        digest.update(text.encode() + b"\0")
    return f"compiled-{digest.hexdigest()[:16]}"


@cache
def cached_folder(folder: Path) -> Path:
    """Return the folder below *folder* that holds what is compiled from the present sources."""
    return folder / cache_name(source_files())


def is_compiled(folder: Path) -> bool:
    """Return whether the loop was compiled before, so that a run does not have to wait for it."""
    return not cache_findings(folder) and any(cached_folder(folder).glob("**/*rate_sections*.nbc"))


def cache_findings(folder: Path) -> list[Finding]:
    """Return why no compiled code is read from *folder* or kept there; empty where it can be trusted."""
    return findings_of_cache(cached_folder(folder), folder)


@cache
def compiled(folder: Path) -> Functions:
    """Return the compiled functions, kept in *folder* between runs.

    A folder that cannot be written, or not be trusted, only costs the time of compiling again.
    """
    register_engine()
    place = cached_folder(folder)
    # Numba describes neither its settings nor the option that switches off the counting of references.
    settings: Any = numba.config
    compile_alone: Any = numba.njit
    before = settings.CACHE_DIR
    keep = not cache_findings(folder)
    if keep:
        try:
            with suppress(FileExistsError):
                make_private_folder(place)
            place.chmod(PRIVATE_FOLDER)
        except OSError:
            keep = False
    try:
        # Numba reads the setting when a function is marked for caching; it is put back for other users of Numba.
        settings.CACHE_DIR = str(place)
        return Functions(
            rate_sections=compile_alone(nogil=True, cache=keep, _nrt=False)(kernel.rate_sections),
            scan_games=numba.njit(nogil=True, cache=keep)(scan.scan_games),
        )
    finally:
        settings.CACHE_DIR = before


def allowed_threads(threads: int) -> int:
    """Return *threads*, or as many as there are processors for: one that waits for another must not take its place."""
    settings: Any = numba.config
    return max(1, min(threads, int(settings.NUMBA_DEFAULT_NUM_THREADS)))
