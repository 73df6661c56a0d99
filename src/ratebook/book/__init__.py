"""The store: members, events, the append-only ledger, decisions and published lists, on SQLite or PostgreSQL."""
