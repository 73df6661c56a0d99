"""Reading a server of ratings from Python: typed answers, whole collections, frames, and copies that follow a book."""

try:
    from ratebook.client.client import Client
    from ratebook.client.connection import ServerError
    from ratebook.client.data_files import DataCopy
    from ratebook.client.listing import Listing
    from ratebook.client.mirror import Mirror
except ModuleNotFoundError as missing:
    missing.add_note(
        "ratebook.client needs the extra client; in the program's folder: pip install '.[client]'"
    )
    raise

__all__ = ["Client", "DataCopy", "Listing", "Mirror", "ServerError"]
