"""The store of a book, on SQLite or PostgreSQL: all SQL of the program is here.

Statements that run for every section of a re-rating are prebuilt, as constants behind the functions that execute them:
compiling such a statement costs more than running it.
"""
