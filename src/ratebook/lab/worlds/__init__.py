"""Simulated federations whose members' true strengths are known."""
