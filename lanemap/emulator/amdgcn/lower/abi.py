"""The front end amdgcn's structures and numbers in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations
