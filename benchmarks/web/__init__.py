"""What pages of a large book cost: ``python -m benchmarks.web``."""
