"""The whole book out of one store and into another."""
