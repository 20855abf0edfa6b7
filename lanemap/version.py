"""The version of lanemap."""

__version__ = "0.2.0"
