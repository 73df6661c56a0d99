"""What signing in works with: the store and its log, the clock and the source of randomness."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple, TypeAlias

from litestar.di import NamedDependency

from ratebook.book.connection import Actor
from ratebook.web.gate.vault import Vault
from ratebook.web.store.accounts import Account
from ratebook.web.store.log import BOUNDED, LogKind, note, room_for
from ratebook.web.store.opening import Store
from ratebook.web.store.schema import moment


class Gate(NamedTuple):
    """What lets people in.

    Attributes:
        store: accounts, sessions, and the log.
        now: asks for the moment.
        random: gives so many bytes that no one can guess.
        vault: seals secrets of second factors.
        second_factor: whether office and administrator need one; only a demonstration does without.
    """

    store: Store
    now: Callable[[], datetime]
    random: Callable[[int], bytes]
    vault: Vault
    second_factor: bool = True

    def acting(self, account: Account) -> Actor:
        """Return the person and the moment as a decision of the book names them."""
        return Actor(account.name, moment(self.now()))

    def note(self, kind: LogKind, account: str, address: str, details: str) -> None:
        """Add an entry to the log, if there is room for it: no writer waits for what is left out."""
        at = self.now()
        if kind in BOUNDED:
            with self.store.reading() as connection:
                if not room_for(connection, kind, at, address):
                    return
        with self.store.writing() as connection:
            note(connection, kind, account, at, address, details)


TheGate: TypeAlias = NamedDependency[Gate]
"""How a handler asks for the gate."""
