"""Comparison of observations, the model, and what others claim."""
