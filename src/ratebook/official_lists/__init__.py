"""Writing official lists: text, CSV, members CSV, dBASE tables, JSON."""
