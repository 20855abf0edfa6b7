"""`python -m tools.figures` writes the figures and pictures of README and docs anew."""

from __future__ import annotations

from tools.figures.pages import main

main()
