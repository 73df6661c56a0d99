"""Logos: what draws a picture is kept, and whatever could run, load or grow is refused."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratebook.office.face import MOST_BYTES, SIGNATURE, LogoError, kept_logo, logo_of

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 64 32">'
)
GOOD = f"""<?xml version="1.0"?><?xml-stylesheet href="https://example.org/x.css"?><!-- by hand -->
{HEAD}<metadata><a onclick="x()"/></metadata><title>Two &amp; two</title>
<defs><linearGradient id="a"><stop offset="0" style="stop-color:#fff;-inkscape-stroke:none"/></linearGradient>
<linearGradient id="b" xlink:href="#a"/><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>
<g transform="translate(1 2)" xmlns:e="urn:editor" e:note="x"><e:script>alert(1)</e:script>
<path d="M0 0 L9,9z" fill="url(#b)" clip-path="url(#c)" class="k"/></g>
<text x="1" y="9" font-family="&quot;Noto Sans&quot;, serif">NCF</text></svg>"""

BAD = {
    "script": f"{HEAD}<script>alert(1)</script></svg>",
    "script in a shape": f'{HEAD}<g><script href="x.js"/></g></svg>',
    "handler": f'{HEAD}<path d="M0 0" onload="alert(1)"/></svg>',
    "handler of the root": HEAD.replace("viewBox", 'onload="alert(1)" viewBox') + "</svg>",
    "link": f'{HEAD}<a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
    "picture": f'{HEAD}<image href="https://example.org/x.png"/></svg>',
    "data picture": f'{HEAD}<image href="data:image/svg+xml;base64,AAAA"/></svg>',
    "use": f'{HEAD}<g id="a"/><use href="#a"/></svg>',
    "foreign object": f"{HEAD}<foreignObject/></svg>",
    "animation": f'{HEAD}<animate attributeName="href" to="javascript:alert(1)"/></svg>',
    "set": f'{HEAD}<set attributeName="onload" to="alert(1)"/></svg>',
    "style sheet": f'{HEAD}<style>@import "https://example.org/x.css";</style></svg>',
    "style that loads": f"""{HEAD}<path style="fill:url('https://example.org/x')"/></svg>""",
    "fill that loads": f'{HEAD}<path fill="url(//example.org/x#a)"/></svg>',
    "fill with an escape": f'{HEAD}<path fill="u\\72l(#a)"/></svg>',
    "fill of data": f'{HEAD}<path fill="url(data:x)"/></svg>',
    "expression": f'{HEAD}<path fill="expression(alert(1))"/></svg>',
    "style of motion": f'{HEAD}<path style="behavior:x"/></svg>',
    "gradient from elsewhere": f'{HEAD}<linearGradient xlink:href="x.svg#a"/></svg>',
    "filter": f'{HEAD}<filter id="a"/></svg>',
    "pattern": f'{HEAD}<pattern id="a"/></svg>',
    "mask": f'{HEAD}<mask id="a"/></svg>',
    "clips that multiply": f'{HEAD}<clipPath id="a"><path clip-path="url(#a)"/></clipPath></svg>',
    "svg within": f"{HEAD}<svg/></svg>",
    "deep": HEAD + "<g>" * 60 + "</g>" * 60 + "</svg>",
    "entities": '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + HEAD + "<title>&b;</title></svg>",
    "entity from a file": '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    + HEAD
    + "<title>&a;</title></svg>",
    "document type": f'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://example.org/svg.dtd">{HEAD}</svg>',
    "no size": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "size of nothing": HEAD.replace("64 32", "0 32") + "</svg>",
    "endless size": HEAD.replace("64", "1e999") + "</svg>",
    "a stripe": HEAD.replace("64", "6400") + "</svg>",
    "no namespace": '<svg viewBox="0 0 9 9"/>',
    "another language": '<html xmlns="http://www.w3.org/1999/xhtml"><script/></html>',
    "cut off": HEAD,
    "two roots": f"{HEAD}</svg>{HEAD}</svg>",
    "empty": "",
    "a text": "hello",
    "a GIF": "GIF89a\x01\x00\x01\x00",
    "large": HEAD + "<!--" + "x" * MOST_BYTES + "--></svg>",
    "large when written anew": HEAD + "<title>" + "]]&gt;" * 4 + ">" * (MOST_BYTES // 2) + "</title></svg>",
}


def part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(
    width: int = 4,
    height: int = 3,
    kind: tuple[int, int, int] = (8, 6, 0),
    rows: bytes | None = None,
    extra: bytes = b"",
) -> bytes:
    """Return a PNG file of one colour; its *kind* is the depth, the colour type and whether it is interlaced."""
    depth, colour, interlaced = kind
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    content = (b"\0" + b"\x22\x66\xaa\xff" * width) * height if rows is None else rows
    return (
        SIGNATURE + part(b"IHDR", header) + extra + part(b"IDAT", zlib.compress(content)) + part(b"IEND", b"")
    )


BAD_PNG = {
    "too wide": png(1025, 1),
    "of no size": png(0, 1),
    "bomb": png(1000, 1000, rows=b"\0" * 20_000_000),
    "too few rows": png(rows=b"\0" * 9),
    "a wrong filter": png(rows=(b"\x09" + b"\0" * 16) * 3),
    "a wrong depth": png(kind=(3, 6, 0)),
    "a wrong colour": png(kind=(8, 5, 0)),
    "no palette": png(8, 1, (8, 3, 0), rows=b"\0" * 9),
    "interlaced": png(kind=(8, 6, 1)),
    "an unknown part": png(extra=part(b"CgBI", b"")),
    "a second header": png(extra=part(b"IHDR", b"\0" * 13)),
    "a page behind it": png() + b"<script>alert(1)</script>",
    "a wrong sum": png()[:-1] + b"\0",
    "cut off": png()[:-12],
    "no pixels": SIGNATURE + png()[8:33] + part(b"IEND", b""),
    "nothing": SIGNATURE,
}


def test_what_draws_is_kept_and_the_rest_is_left_out() -> None:
    kept = kept_logo(GOOD.encode())
    assert kept_logo(kept.encode()) == kept
    for word in (
        "script",
        "onclick",
        "alert",
        "example.org",
        "<?xml",
        "by hand",
        "inkscape",
        "urn:",
        "class",
    ):
        assert word not in kept
    root = ET.fromstring(kept)  # noqa: S314 - what the program has just written
    space = "{http://www.w3.org/2000/svg}"
    assert [one.tag.removeprefix(space) for one in root.iter()] == [
        "svg", "title", "defs", "linearGradient", "stop", "linearGradient", "clipPath", "rect", "g", "path", "text",
    ]  # fmt: skip
    assert root.get("viewBox") == "0 0 64 32"
    assert root.findtext(f"{space}title") == "Two & two"
    assert root.find(f".//{space}path").attrib == {  # type: ignore[union-attr]
        "d": "M0 0 L9,9z",
        "fill": "url(#b)",
        "clip-path": "url(#c)",
    }
    assert logo_of(kept).kind == "image/svg+xml"  # type: ignore[union-attr]


@pytest.mark.parametrize("name", BAD)
def test_a_picture_that_does_more_is_refused(name: str) -> None:
    with pytest.raises(LogoError):
        kept_logo(BAD[name].encode("latin-1"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_no_encoding_hides_a_script(encoding: str) -> None:
    start = "" if encoding != "latin-1" else '<?xml version="1.0" encoding="iso-8859-1"?>'
    assert kept_logo((start + f"{HEAD}<title>é</title></svg>").encode(encoding)).count("é") == 1
    with pytest.raises(LogoError, match="script"):
        kept_logo((start + BAD["script"]).encode(encoding))


def test_a_png_keeps_its_picture_only() -> None:
    text = part(b"tEXt", b"Author\0A Person") + part(b"eXIf", b"MM\0*") + part(b"sRGB", b"\0")
    kept = logo_of(kept_logo(png(extra=text)))
    assert kept is not None
    assert kept.content == png(extra=part(b"sRGB", b"\0"))
    assert kept.kind == "image/png"
    palette = png(8, 1, (8, 3, 0), rows=b"\0" * 9, extra=part(b"PLTE", b"\x22\x66\xaa"))
    assert b64decode(kept_logo(palette)) == palette


@pytest.mark.parametrize("name", BAD_PNG)
def test_a_png_that_is_no_picture_is_refused(name: str) -> None:
    with pytest.raises(LogoError):
        kept_logo(BAD_PNG[name])


@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=8), st.integers(0, 8))
def test_a_damaged_file_is_kept_clean_or_refused(place: int, inserted: bytes, removed: int) -> None:
    content = GOOD.encode()
    for whole in (content, png()):
        damaged = whole[:place] + inserted + whole[place + removed :]
        try:
            kept = kept_logo(damaged)
        except LogoError:
            continue
        assert kept_logo(logo_of(kept).content) == kept  # type: ignore[union-attr]
