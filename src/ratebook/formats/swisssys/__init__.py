"""Events of SwissSys 11, as the program saves them."""

from ratebook.formats.contract import Format

FORMATS = (
    Format(
        name="swisssys",
        title="event of SwissSys 11 (.sjson)",
        page="swisssys.md",
        reader="ratebook.formats.swisssys.read",
    ),
)
