"""Launches: memory, clusters of CTAs, scheduling, and what is reported of hazards."""
