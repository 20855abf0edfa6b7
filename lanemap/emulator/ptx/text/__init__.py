"""PTX text to a parsed module."""
