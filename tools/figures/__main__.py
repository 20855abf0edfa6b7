"""`python -m tools.figures` writes the figures and pictures of README and docs anew."""

from __future__ import annotations

import argparse

from tools.figures.pages import main

argparse.ArgumentParser(prog="python -m tools.figures", description=__doc__).parse_args()
main()
