"""Writing official lists: text, HTML, CSV, members CSV, dBASE tables, JSON."""
