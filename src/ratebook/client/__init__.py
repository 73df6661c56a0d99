"""Reading a server of ratings from Python: typed answers, whole collections, frames, and copies that follow a book."""

from ratebook.client.client import Client
from ratebook.client.connection import ServerError
from ratebook.client.listing import Listing
from ratebook.client.mirror import Mirror

__all__ = ["Client", "Listing", "Mirror", "ServerError"]
