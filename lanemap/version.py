"""The version of lanemap."""

__version__ = "0.1.0"
