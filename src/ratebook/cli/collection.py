"""How often the interpreter looks for values that refer to each other in cycles."""

import gc

VALUES_BETWEEN_COLLECTIONS = (100_000, 50, 100)
"""New values until the youngest are looked through; how often these are until the older ones are."""


def collect_seldom() -> None:
    """Let the collector of cycles rest: work on a book keeps many values, and hardly any in cycles.

    A quarter of a re-rating would be spent on looking through all of them again and again, and one page in some ten
    of a server would take fifty milliseconds longer than the others.
    """
    gc.freeze()
    gc.set_threshold(*VALUES_BETWEEN_COLLECTIONS)
