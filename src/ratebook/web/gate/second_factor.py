"""The second factor: codes that an app makes of a secret and the time (RFC 6238), each of which counts once."""

import base64
from datetime import datetime

from pyotp import TOTP
from pyotp.utils import strings_equal

SECRET_BYTES = 20
AROUND = (-1, 0, 1)
"""Time steps that are taken, as clocks differ and people type slowly."""


def new_secret(random: bytes) -> str:
    """Return a secret of *random* bytes as apps take it, in base 32."""
    return base64.b32encode(random).decode()


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
