"""ratebook: the US Chess rating system as software."""

__version__ = "0.1.0"
