"""Mutation scores: which changed instructions a probe notices."""
