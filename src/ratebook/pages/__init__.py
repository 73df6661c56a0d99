"""Typed contents of what people see."""
