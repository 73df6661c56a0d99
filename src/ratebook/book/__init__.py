"""The store of a book, on SQLite or PostgreSQL: every statement of the program is in here.

Statements that every section of a re-rating asks are prebuilt, as constants behind the functions that execute them:
compiling the statement costs more than running it.
"""
