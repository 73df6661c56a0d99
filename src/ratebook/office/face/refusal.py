"""Why a logo is not taken."""


class LogoError(ValueError):
    """A file cannot be a logo; its text says why."""
