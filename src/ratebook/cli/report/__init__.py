"""``ratebook rate``, ``check``, ``explain`` and ``convert``."""
