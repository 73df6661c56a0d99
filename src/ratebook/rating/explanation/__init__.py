"""Explanations of ratings: in short, step by step from workings and sources, and notes on missing facts."""
