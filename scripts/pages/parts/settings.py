"""The options of the two groups with their keys in files and their variables."""

from __future__ import annotations

from scripts.pages.markdown import table, with_part
from scripts.pages.places import DOCS

from ratebook.cli.book.group import book_group
from ratebook.cli.settings import settable
from ratebook.cli.web.group import web_group


def settings_page() -> str:
    """Return the page about settings with its table of options made anew."""
    rows = (
        (f"`{option.opts[0]}` of `{group.name}`", f"`{key}`", f"`{option.envvar}`", option.help or "")
        for group in (web_group, book_group)
        for key, option in settable(group)
    )
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    return with_part(text, "options", table(("option", "key", "variable", "what it does"), rows))
