"""Curves fitted to data of many players: conversions of ratings, and what differences of ratings are worth."""
