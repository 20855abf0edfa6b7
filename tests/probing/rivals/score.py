"""The stored scores of rivals, made again by `python -m tests.probing.rivals.score`.

It takes the names of probes; without any, it runs all.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .families import EXECUTED, verdicts

STORED = Path(__file__).with_name("scores.json")
VERDICTS = ("found", "refused", "stated", "misread", "unnoticed")


def scores(probe: str) -> dict[str, Any]:
    """How many rivals a probe's variants have, how many ran, and what became of them."""
    variants, wanted = EXECUTED[probe]
    made, ran = 0, Counter[str]()
    wrong = []
    for variant in variants:
        count, told = verdicts(probe, variant, wanted)
        made += count
        ran.update(each for _, each in told)
        wrong += [f"{variant}: {name}" for name, each in told if each in VERDICTS[3:]]
    return {
        "variants": len(variants),
        "rivals": made,
        "executed": ran.total(),
        **{each: ran[each] for each in VERDICTS},
        "wrong": wrong,
    }


def stored() -> dict[str, Any]:
    """The scores in the tree, by probe."""
    found: dict[str, Any] = json.loads(STORED.read_text())
    return found


if __name__ == "__main__":
    held = stored() if STORED.exists() else {}
    held |= {each: scores(each) for each in sys.argv[1:] or EXECUTED}
    STORED.write_text(json.dumps({each: held[each] for each in sorted(held)}, indent=1) + "\n")
