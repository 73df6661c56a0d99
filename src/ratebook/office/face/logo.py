"""Logos: what a federation gives as a file, and what a book keeps of it and pages load."""

import hashlib
from base64 import b64decode, b64encode
from typing import NamedTuple

from ratebook.office.face.png import SIGNATURE, clean_png
from ratebook.office.face.refusal import LogoError
from ratebook.office.face.svg import clean_svg

MOST_BYTES = 32 * 1024
"""Every page of the site loads it, and every page is made from a profile that has it."""
MOST_PIXELS = 1024
"""A side of a picture that is made of pixels."""
SVG_START = "<svg"


class Logo(NamedTuple):
    """A logo as pages load it; its *name* has a hash of its content, so that what it names never changes."""

    name: str
    content: bytes
    kind: str


def kept_logo(content: bytes) -> str:
    """Return what a book keeps of a logo: an SVG file written anew, or a PNG file in base64.

    Raises:
        LogoError: it is neither, too large, or has what a logo must not have.
    """
    if len(content) > MOST_BYTES:
        raise LogoError(f"it has {len(content):,} bytes, and at most {MOST_BYTES:,} are taken")
    if content.startswith(SIGNATURE):
        return b64encode(clean_png(content, MOST_PIXELS)).decode()
    text = clean_svg(content)
    if len(text.encode()) > MOST_BYTES:
        raise LogoError(f"it has more than {MOST_BYTES:,} bytes when it is written anew")
    return text


def logo_of(stored: str) -> Logo | None:
    """Return the logo that a book keeps; None where it has none."""
    if not stored:
        return None
    is_svg = stored.startswith(SVG_START)
    content = stored.encode() if is_svg else b64decode(stored)
    ending, kind = ("svg", "image/svg+xml") if is_svg else ("png", "image/png")
    return Logo(f"logo.{hashlib.sha256(content).hexdigest()[:12]}.{ending}", content, kind)


__all__ = ["Logo", "LogoError", "kept_logo", "logo_of"]
