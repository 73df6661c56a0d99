"""``python -m ratebook`` is the command ``ratebook``, where that is not on the path."""

from ratebook.cli.main import main

main()
