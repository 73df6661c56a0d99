"""A federation's own face: its accent colour and its logo, checked before a book takes them, and written anew.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio); text needs 4.5 (1.4.3, level AA).
Files are SVG (W3C, Scalable Vector Graphics 2), written from a short list of elements and attributes, or PNG (W3C,
Portable Network Graphics, third edition), verified part by part. What could run, load or grow is refused; what draws
nothing (comments, an editor's notes) is left out. There is no document type, so there are no entities, and no element
that draws another one again.
"""

import hashlib
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache
from typing import NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape, quoteattr

COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
READABLE, EASY = 4.5, 7.0
"""The least contrast of text, and that of the accent on the dark theme, where soft areas take some of it."""
WHITE, BLACK = "#ffffff", "#000000"
SOFT = 0.12
"""How much of the accent is in a soft area, at most."""
STEPS = 256
VIVID = 0.7
"""The most saturation of an accent on the dark theme, where a pure colour glares."""
LINEAR_BELOW = 0.04045
"""Of sRGB (IEC 61966-2-1)."""


class Ground(NamedTuple):
    """What the accent of a theme is seen on, and the colour of other text."""

    page: str
    card: str
    ink: str


LIGHT = Ground("#f4f6f8", "#ffffff", "#16202c")
DARK = Ground("#0f141a", "#171d25", "#e8ecf1")
"""As the style sheet has them."""


class Palette(NamedTuple):
    """The accent of a theme: its own colour, that of text on it, and that of soft areas on which it is text."""

    accent: str
    on_accent: str
    soft: str


def contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours.

    >>> contrast("#000000", "#ffffff"), round(contrast("#777777", "#ffffff"), 2)
    (21.0, 4.48)
    """
    dark, light = sorted((_luminance(colour), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def readable(accent: str) -> str:
    """Return the accent itself if text in it can be read on a page and a card, else the nearest darker shade that can.

    >>> readable("#0b5d2a")
    '#0b5d2a'
    """
    shades = (_mixed(accent, BLACK, step / STEPS) for step in range(STEPS + 1))
    return _first(shades, READABLE, LIGHT)


@lru_cache(maxsize=16)
def light_palette(accent: str) -> Palette:
    """Return the colours of the light theme."""
    return Palette(accent, WHITE, _soft(accent, LIGHT.card))


@lru_cache(maxsize=16)
def dark_palette(accent: str) -> Palette:
    """Return the colours of the dark theme: the nearest lighter shade that is easy to read on it."""
    twin = _first(_lighter(accent), EASY, DARK)
    return Palette(twin, DARK.page, _soft(twin, DARK.card))


def _soft(accent: str, card: str) -> str:
    """Return a card with a breath of the accent: as much as leaves text in the accent readable on it."""
    shades = (_mixed(card, accent, SOFT * (STEPS - step) / STEPS) for step in range(STEPS))
    return next((shade for shade in shades if contrast(accent, shade) >= READABLE), card)


def _lighter(colour: str) -> Iterator[str]:
    """Yield a colour lighter and lighter, of the same hue; mixed with white it would turn grey."""
    hue, lightness, saturation = rgb_to_hls(*(channel / 255 for channel in _channels(colour)))
    for step in range(STEPS + 1):
        lighter = lightness + (1 - lightness) * step / STEPS
        channels = hls_to_rgb(hue, lighter, min(saturation, VIVID))
        yield "#" + "".join(f"{round(channel * 255):02x}" for channel in channels)


def _first(shades: Iterable[str], least: float, ground: Ground) -> str:
    """Return the first shade that has at least some contrast on page and card."""
    return next(
        shade for shade in shades if min(contrast(shade, ground.page), contrast(shade, ground.card)) >= least
    )


def _mixed(colour: str, other: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (end - one) * share):02x}" for one, end in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))


def _luminance(colour: str) -> float:
    red, green, blue = (
        value / 12.92 if value <= LINEAR_BELOW else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class LogoError(ValueError):
    """A file cannot be a logo; its text says why."""


SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
SHAPES = frozenset(("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"))
GRADIENTS = frozenset(("linearGradient", "radialGradient"))
ELEMENTS = SHAPES | GRADIENTS | {"svg", "g", "defs", "stop", "clipPath", "title", "desc"}
LEFT_OUT = frozenset(("metadata",))
TEXTS = frozenset(("text", "tspan", "title", "desc"))
# fmt: off
STYLES = frozenset((
    "clip-path", "clip-rule", "color", "display", "dominant-baseline", "fill", "fill-opacity", "fill-rule",
    "font-family", "font-size", "font-stretch", "font-style", "font-variant", "font-weight", "letter-spacing",
    "opacity", "overflow", "paint-order", "shape-rendering", "stop-color", "stop-opacity", "stroke",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "text-anchor", "text-rendering", "vector-effect", "visibility",
    "word-spacing",
))
GEOMETRY = frozenset((
    "cx", "cy", "d", "dx", "dy", "fx", "fy", "gradientTransform", "gradientUnits", "height", "offset",
    "clipPathUnits", "pathLength", "points", "preserveAspectRatio", "r", "rotate", "rx", "ry", "spreadMethod",
    "transform", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
))
# fmt: on
WITHOUT_EFFECT = frozenset(("class", "version", "baseProfile", "enable-background", "role"))
VALUE = re.compile(r"[\w\s.,#%()+'-]*")
NAME = re.compile(r"[\w.-]+")
OWN = re.compile(r"#[\w.-]+")
CALL = re.compile(r"(\w+)\s*\(\s*(#?)")
FUNCTIONS = frozenset(
    ("rgb", "rgba", "hsl", "hsla", "matrix", "translate", "scale", "rotate", "skewX", "skewY")
)
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?"
LENGTH = re.compile(rf"\s*({NUMBER})\s*(?:px|pt|mm|cm|in|pc)?\s*")
BOX = re.compile(rf"\s*({NUMBER})[\s,]+({NUMBER})[\s,]+({NUMBER})[\s,]+({NUMBER})\s*")
DEEPEST = 40
WIDEST, TALLEST = 8.0, 2.0


def clean_svg(content: bytes) -> str:
    """Return an SVG file with nothing in it but what draws the picture; a `LogoError` if it must not be a logo."""
    picture = _Picture()
    parser = ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = picture.doctype
    parser.StartElementHandler = picture.begin
    parser.EndElementHandler = picture.end
    parser.CharacterDataHandler = picture.text
    try:
        parser.Parse(content, True)
    except ExpatError as failure:
        raise LogoError(f"it is not an SVG file that can be read ({failure})") from failure
    return "".join(picture.written)


class _Picture:
    """What is written of a file while it is read."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self._open: list[str] = []
        self._left_out = 0

    def doctype(self, *_: object) -> None:
        raise LogoError("it has a document type; delete the line that begins with <!DOCTYPE")

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        space, _, word = name.rpartition(" ")
        if not self._open and name != f"{SVG} svg":
            raise LogoError("it is not an SVG file")
        if self._left_out or space != SVG or word in LEFT_OUT:
            self._left_out += 1
            return
        if word not in ELEMENTS or (word == "svg" and self._open):
            raise LogoError(f"it has the element {word[:40]!r}")
        self._open.append(word)
        if len(self._open) > DEEPEST:
            raise LogoError(f"its elements are nested more than {DEEPEST} deep")
        # A style decides over an attribute of the same name.
        drawn = {
            **dict(self._attributes(word, attributes)),
            **dict(self._styles(attributes.get("style", ""))),
        }
        start = f"<{word}"
        if word == "svg":
            drawn |= _sizes(drawn)
            start += f' xmlns="{SVG}"'
        self.written.append(
            f"{start}{''.join(f' {key}={quoteattr(value)}' for key, value in drawn.items())}>"
        )

    def end(self, _: str) -> None:
        if self._left_out:
            self._left_out -= 1
        else:
            self.written.append(f"</{self._open.pop()}>")

    def text(self, text: str) -> None:
        if not self._left_out and self._open[-1:] and self._open[-1] in TEXTS:
            self.written.append(escape(text))

    def _attributes(self, element: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for name, value in attributes.items():
            space, _, word = name.rpartition(" ")
            if word == "href" and space in {"", XLINK}:
                if element not in GRADIENTS or not OWN.fullmatch(value):
                    raise LogoError(f"it refers to {value[:40]!r}")
                yield word, value
            elif space or word in WITHOUT_EFFECT or word.startswith(("aria-", "data-")):
                continue
            elif word == "id":
                if not NAME.fullmatch(value):
                    raise LogoError(f"it has the id {value[:40]!r}")
                yield word, value
            elif word != "style":
                yield self._kept(word, value)

    def _styles(self, style: str) -> Iterator[tuple[str, str]]:
        for declaration in style.split(";"):
            word, _, value = (part.strip() for part in declaration.partition(":"))
            if word and not word.startswith("-"):
                if word not in STYLES:
                    raise LogoError(f"it has the style {word[:40]!r}")
                yield self._kept(word, value)

    def _kept(self, word: str, value: str) -> tuple[str, str]:
        if word not in STYLES and word not in GEOMETRY:
            raise LogoError(f"it has the attribute {word[:40]!r}")
        if word == "clip-path" and "clipPath" in self._open:
            raise LogoError("a path that clips is clipped itself")
        if word == "font-family":
            value = value.replace('"', "'")
        calls = CALL.findall(value)
        if not VALUE.fullmatch(value) or not all(
            called in FUNCTIONS or (called == "url" and own) for called, own in calls
        ):
            raise LogoError(f"its attribute {word} is {value[:40]!r}")
        return word, value


def _sizes(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return width, height and view box of the picture, of which a file may have either."""
    lengths = [LENGTH.fullmatch(attributes.get(name, "")) for name in ("width", "height")]
    box = BOX.fullmatch(attributes.get("viewBox", ""))
    if box:
        view = [float(text) for text in box.groups()]
    elif all(lengths):
        view = [0.0, 0.0, *(float(length[1]) for length in lengths if length)]
    else:
        raise LogoError("it has neither a viewBox nor a width and a height")
    width, height = view[2:]
    if not width > 0 or not height > 0 or not 1 / TALLEST <= width / height <= WIDEST:
        raise LogoError(
            f"it is {width:g} wide and {height:g} high; a logo is at most 8 times as wide as high"
        )
    return {
        "viewBox": " ".join(f"{number:g}" for number in view),
        "width": f"{width:g}",
        "height": f"{height:g}",
    }


SIGNATURE = b"\x89PNG\r\n\x1a\n"
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Samples of a pixel, by the colour type."""
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
PALETTE = 3
LAST_FILTER = 4
KEPT = (b"IHDR", b"sRGB", b"gAMA", b"PLTE", b"tRNS", b"IDAT", b"IEND")
"""Parts that make the picture; texts, places, cameras and moving pictures are left out."""
HEADER = struct.Struct(">IIBBBBB")


def clean_png(content: bytes, most: int) -> bytes:
    """Return a PNG file with nothing in it but the picture, of at most *most* pixels a side; else a `LogoError`."""
    parts = list(_parts(content))
    names = [name for name, _ in parts]
    if names[:1] != [b"IHDR"] or names.count(b"IHDR") != 1 or names[-1:] != [b"IEND"]:
        raise LogoError("the PNG file has no beginning or no end")
    if unknown := [name for name in names if name[:1].isupper() and name not in KEPT]:
        raise LogoError(
            f"the PNG file has a part that is not in the standard, {unknown[0].decode('latin-1')!r}"
        )
    if len(parts[0][1]) != HEADER.size:
        raise LogoError("the PNG file has a wrong header")
    width, height, depth, colour, compression, filtering, interlaced = HEADER.unpack(parts[0][1])
    if not 0 < width <= most or not 0 < height <= most:
        raise LogoError(f"it has {width} x {height} pixels, and at most {most} x {most} are taken")
    if depth not in DEPTHS.get(colour, ()) or compression or filtering:
        raise LogoError("the PNG file has a wrong header")
    if interlaced:
        raise LogoError("the PNG file is interlaced; save it without that")
    if (colour == PALETTE) > (b"PLTE" in names[: names.index(b"IDAT") if b"IDAT" in names else 0]):
        raise LogoError("the PNG file has no palette")
    row = 1 + (width * SAMPLES[colour] * depth + 7) // 8
    pixels = _inflated(b"".join(data for name, data in parts if name == b"IDAT"), row * height)
    if any(pixels[start] > LAST_FILTER for start in range(0, len(pixels), row)):
        raise LogoError("the pixels of the PNG file are damaged")
    return SIGNATURE + b"".join(_part(name, data) for name, data in parts if name in KEPT)


def _parts(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(content):
        length = int.from_bytes(content[place : place + 4])
        name, data = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        if content[place : place + 12 + length] != _part(name, data):
            raise LogoError("the PNG file is damaged or cut off")
        yield name, data
        place += 12 + length


def _part(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)


def _inflated(packed: bytes, size: int) -> bytes:
    """Return pixels that must have a *size*: no more is ever made of them."""
    stream = zlib.decompressobj()
    try:
        pixels = stream.decompress(packed, size + 1)
    except zlib.error as failure:
        raise LogoError("the pixels of the PNG file are damaged") from failure
    if len(pixels) != size or not stream.eof or stream.unused_data:
        raise LogoError("the pixels of the PNG file do not fill the picture")
    return pixels


MOST_BYTES = 32 * 1024
"""Every page of the site loads it, and every page is made from a profile that has it."""
MOST_PIXELS = 1024
"""A side of a picture that is made of pixels."""
SVG_START = "<svg"


class FaceFile(NamedTuple):
    """A file that pages load; its *name* has a hash of its content, so that what it names never changes."""

    name: str
    content: bytes
    kind: str


def kept_logo(content: bytes) -> str:
    """Return what a book keeps of a logo: an SVG file written anew, or a PNG file in base64; else a `LogoError`."""
    if len(content) > MOST_BYTES:
        raise LogoError(f"it has {len(content):,} bytes, and at most {MOST_BYTES:,} are taken")
    if content.startswith(SIGNATURE):
        return b64encode(clean_png(content, MOST_PIXELS)).decode()
    text = clean_svg(content)
    if len(text.encode()) > MOST_BYTES:
        raise LogoError(f"it has more than {MOST_BYTES:,} bytes when it is written anew")
    return text


def logo_of(stored: str) -> FaceFile | None:
    """Return the logo that a book keeps; None where it has none."""
    if not stored:
        return None
    is_svg = stored.startswith(SVG_START)
    content = stored.encode() if is_svg else b64decode(stored)
    ending, kind = ("svg", "image/svg+xml") if is_svg else ("png", "image/png")
    return FaceFile(f"logo.{hashlib.sha256(content).hexdigest()[:12]}.{ending}", content, kind)


__all__ = ["FaceFile", "LogoError", "kept_logo", "logo_of"]
