"""The chain: a link for whatever a book has kept, which holds the hash of the one before (docs/book/chain.md)."""
