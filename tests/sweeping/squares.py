"""A sweep for tests: squares, of which 13 is wrong; a file beside this says what else happens."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from lanemap.errors import MissingEnvironment
from lanemap.sweeping.sweep import Found, Sweep

#: Lines `ITEM what`: what happens when an item's turn comes.
EVENTS = Path(__file__).with_name("events.txt")


def _run(items: Sequence[str]) -> Iterator[Found]:
    lines = EVENTS.read_text().splitlines() if EVENTS.exists() else []
    events = dict(line.split() for line in lines)
    for item in items:
        match events.get(item):
            case "raise":
                raise ZeroDivisionError("no number")
            case "lacks":
                raise MissingEnvironment("there is no abacus")
            case "interrupt":
                raise KeyboardInterrupt
            case "slow":
                time.sleep(0.3)
            case "end":
                os._exit(7)
        number = int(item)
        yield Found(item, "unlucky" if number == 13 else "", {"sum": number}, number * number)


SWEEP = Sweep("squares of numbers", _run, batch=5)
