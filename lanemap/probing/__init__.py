"""Probes and their axes, identity tags, certificates, mutation scores, comparison."""
