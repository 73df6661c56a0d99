"""Answers that are known beforehand: what the laboratory must find, whatever it is asked."""
