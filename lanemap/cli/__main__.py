"""`python -m lanemap.cli` is `lanemap`."""

from lanemap.cli.main import main

main()
