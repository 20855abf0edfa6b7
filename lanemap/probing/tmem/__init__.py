"""Probes of tensor memory: tcgen05.ld, .st, .cp and .shift."""
