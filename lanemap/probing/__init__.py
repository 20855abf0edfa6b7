"""Probing: identity tags, probes and their axes, certificates, and running a probe on a device."""
