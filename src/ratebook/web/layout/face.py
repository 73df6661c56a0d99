"""How a federation shows itself on every page."""

from typing import NamedTuple

from ratebook.book.profile import Profile

OWN_NAME = "ratebook"


class Face(NamedTuple):
    """What every page shows of a federation; *name* is what it is called."""

    name: str = OWN_NAME


def face_of(profile: Profile) -> Face:
    """Return what pages show of the federation of a profile."""
    return Face(profile.name)
