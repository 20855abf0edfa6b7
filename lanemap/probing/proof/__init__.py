"""Certificates: what inputs tell apart in a class of hypotheses, and what no input can."""
