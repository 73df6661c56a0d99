"""Corrections and adjustments in the browser: a form for each kind, tried first, and then decided."""
