"""How a federation shows itself on every page: its name, logo, colours and footer, from its profile."""

import hashlib
from functools import lru_cache
from typing import NamedTuple

from ratebook.book.profile import Profile
from ratebook.office.face import DARK, LIGHT, FaceFile, Ground, Palette, dark_palette, light_palette, logo_of

OWN_NAME = "ratebook"
ADDRESS = "/face/{name:str}"


class Face(NamedTuple):
    """What every page shows of a federation.

    Attributes:
        name: what it is called.
        footer: a line at the foot of every page.
        logo: a picture of its own, if it has one.
        style: its own colours, if it has any.
    """

    name: str = OWN_NAME
    footer: str = ""
    logo: FaceFile | None = None
    style: FaceFile | None = None

    @property
    def files(self) -> dict[str, FaceFile]:
        """Return its files by their names."""
        return {file.name: file for file in (self.logo, self.style) if file is not None}


@lru_cache(maxsize=4)
def face_of(profile: Profile) -> Face:
    """Return what pages show of the federation of a profile."""
    return Face(
        name=profile.name,
        footer=profile.footer,
        logo=logo_of(profile.logo),
        style=_style(profile.accent) if profile.accent else None,
    )


class ThemeSample(NamedTuple):
    """A theme with an accent of the federation's own, as a picture shows it."""

    title: str
    ground: Ground
    palette: Palette


def themes_of(accent: str) -> tuple[ThemeSample, ...]:
    """Return both themes with an accent; none where the federation has none."""
    if not accent:
        return ()
    return ThemeSample("Light", LIGHT, light_palette(accent)), ThemeSample("Dark", DARK, dark_palette(accent))


def _style(accent: str) -> FaceFile:
    light, dark = light_palette(accent), dark_palette(accent)
    text = f"{_rule(light)}@media (prefers-color-scheme: dark) {{ {_rule(dark)}}}\n".encode()
    return FaceFile(f"colours.{hashlib.sha256(text).hexdigest()[:12]}.css", text, "text/css")


def _rule(palette: Palette) -> str:
    own = {"accent": palette.accent, "on-accent": palette.on_accent, "accent-soft": palette.soft}
    return f":root {{ {' '.join(f'--{name}: {colour};' for name, colour in own.items())} }}\n"
