"""Explanations of ratings: steps from workings and sources, notes on missing facts."""
