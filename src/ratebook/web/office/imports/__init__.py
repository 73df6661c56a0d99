"""Imports in the browser: a file is tried first, and says what it would change; then it is imported or not."""
