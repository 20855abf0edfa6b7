"""Compilers and assemblers that a machine may have, and what they make."""
