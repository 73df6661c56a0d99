"""How the tables of a web store came to be what they are; `ratebook.book.migrations` says how it is done."""
