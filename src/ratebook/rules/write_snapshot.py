"""Writes the snapshot of the timeline that ships with the program: ``python -m ratebook.rules.write_snapshot``."""

from pathlib import Path

from ratebook.rules.loading import parse_files, read_files
from ratebook.rules.snapshot import SNAPSHOT, TIMELINE, digest_of, text_of_contents


def main() -> None:
    """Write the snapshot of the TOML files as they are now."""
    files = read_files(TIMELINE)
    text = f'{{"digest":{digest_of(files)},"files":{text_of_contents(parse_files(files))}}}\n'
    (Path(TIMELINE) / SNAPSHOT).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
