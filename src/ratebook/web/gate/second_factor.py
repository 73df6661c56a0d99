"""The second factor: codes that an app makes of a secret and the time (RFC 6238), each of which counts once."""

import base64
from collections.abc import Callable
from datetime import datetime

from pyotp import TOTP
from pyotp.utils import strings_equal

SECRET_BYTES = 20
RECOVERY_CODES, RECOVERY_BYTES = 8, 15
"""How many codes of recovery an account is given, and of how many bytes: of 112 bits or more, a digest is enough to
keep (OWASP ASVS 5.0, 6.5.2)."""
AROUND = (-1, 0, 1)
"""Time steps that are taken, as clocks differ and people type slowly."""


def new_secret(random: bytes) -> str:
    """Return a secret of *random* bytes as apps take it, in base 32."""
    return base64.b32encode(random).decode()


def new_recovery_codes(random: Callable[[int], bytes]) -> list[str]:
    """Return codes that each stand in for a code of the app once, in base 32."""
    return [base64.b32encode(random(RECOVERY_BYTES)).decode() for _ in range(RECOVERY_CODES)]


def as_recovery_code(typed: str) -> str:
    """Return what was typed as a code of recovery is kept, without the marks between its groups.

    >>> as_recovery_code(" abcd-efgh 2345")
    'ABCDEFGH2345'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def in_groups(secret: str, mark: str = " ") -> str:
    """Return a secret in groups of four, as people read and type it.

    >>> in_groups("ABCDEFGH23"), in_groups("ABCDEFGH23", "-")
    ('ABCD EFGH 23', 'ABCD-EFGH-23')
    """
    return mark.join(secret[at : at + 4] for at in range(0, len(secret), 4))


def address_for_app(secret: str, name: str, federation: str) -> str:
    """Return the address that sets an app up, where it is opened on the same device."""
    return TOTP(secret).provisioning_uri(name=name, issuer_name=federation)


def step_of(code: str, secret: str, at: datetime, after: int = 0) -> int | None:
    """Return the time step whose code this is, if it is later than the step *after*; None for a wrong code."""
    codes = TOTP(secret)
    now = codes.timecode(at)
    typed = "".join(code.split())
    steps = (now + one for one in AROUND if now + one > after)
    return next((step for step in steps if strings_equal(codes.generate_otp(step), typed)), None)
