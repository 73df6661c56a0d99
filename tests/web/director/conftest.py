"""What all tests of directors' pages ask with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.web.accounts import Director
from support.web.served import asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratebook.web.site import Site
    from support.web.accounts import Office


@pytest.fixture
def director(written_site: Site, office: Office) -> Iterator[Director]:
    """Give a director who asks without a browser."""
    with asked(written_site._replace(gate=office.gate)) as client:
        yield Director(client, office, "director")
