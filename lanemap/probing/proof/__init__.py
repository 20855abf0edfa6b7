"""Certificates: which hypotheses the inputs of a probe can tell apart, and which no input can."""
