"""The command line: a front of the office; nothing below knows a terminal."""
