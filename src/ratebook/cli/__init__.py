"""The command line: a face over the office; nothing below knows a terminal."""
