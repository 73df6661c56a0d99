"""PNG files (W3C, Portable Network Graphics, third edition): verified part by part, and written anew without extras."""

import struct
import zlib
from collections.abc import Iterator

from ratebook.office.face.refusal import LogoError

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
    """Return a PNG file with nothing in it but the picture, of at most *most* pixels a side.

    Raises:
        LogoError: it is damaged, or too large.
    """
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
