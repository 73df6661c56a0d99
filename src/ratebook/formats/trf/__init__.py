"""The FIDE tournament report file, editions of 2016 and 2026."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="trf26",
        title="FIDE tournament report, TRF26",
        page="trf.md",
        reader="ratebook.formats.trf.read",
        writer="ratebook.formats.trf.write",
        suffixes=(".trf", ".trfx"),
        edition=26,
    ),
    Format(
        name="trf16",
        title="FIDE tournament report, TRF16",
        page="trf.md",
        reader="ratebook.formats.trf.read",
        writer="ratebook.formats.trf.write",
        edition=16,
    ),
)
