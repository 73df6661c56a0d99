"""The native report, ``ratebook-report/1``."""
