"""What the pages and commands of a book show: contents and question of each page together.

None of these contents has a field for a birth date, nor for an initial rating, from which an age could be read
(ARCHITECTURE, invariant 6): a player without a rating before a section is shown as unrated.
"""
