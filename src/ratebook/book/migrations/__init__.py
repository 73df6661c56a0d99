"""How the tables of a book came to be what they are: one module of ``versions`` for each version of the tables.

Every book begins at version 0001 and is led through all later ones, so that a new book and an old one end alike;
tests/unit/book/test_migrations.py compares the end with ``book/schema.py``. What a version did is never changed.
A new version is a further module ``v0002_what_it_does.py`` with ``revision`` and ``down_revision``, and a new
`ratebook.book.connection.VERSION`; it takes its tables from itself, never from ``schema.py``. There are no ways back: a
backup is the way back.

SQLite cannot change a column: there a table is made anew, and with it its indexes and triggers.
"""
