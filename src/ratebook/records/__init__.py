"""What a book shows, one record for each thing: pages, tables, ``--json``, programs and the client read the same."""
