"""`python -m lanemap` is `lanemap`."""

from lanemap.cli.main import main

main()
