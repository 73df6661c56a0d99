"""Standings of the ratings API as JSON files."""
