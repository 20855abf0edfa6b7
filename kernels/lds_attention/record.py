"""The comparison of lds_attention's paths as a row of results/.

python -m kernels.lds_attention.record --out results
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lanemap.benching import build
from lanemap.records.files import write_records
from lanemap.records.hashes import source_hash
from lanemap.records.schema import Record

from .paths import KEYS, QUERIES
from .paths import Path as Way
from .source import NAME, TARGET
from .work import HEAD_DIM, Work, assumed_rules, compared, measure

COMMAND = "python -m kernels.lds_attention.record"


def _plain(work: Work) -> dict[str, Any]:
    """Return a work with its cycles as JSON has it: whole numbers where they are."""

    def number(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: number(each) for name, each in sorted(value.items())}
        return int(value) if value == int(value) else value

    return {name: number(value) for name, value in asdict(work).items()} | {
        "cycles": number(work.cycles())
    }


def row(chosen: Way, scores_only: bool) -> dict[str, Any]:
    """Return one path's part of the row."""
    call, tile = measure(chosen, scores_only)
    return {
        "path": chosen.name,
        "says": chosen.says,
        "p_way": chosen.way,
        "mfma_k": chosen.mfma_k,
        "scores_only": scores_only,
        "call": _plain(call),
        "tile": _plain(tile),
    }


def observe() -> Record:
    """Count all paths on the emulator."""
    texts = build.sources(NAME, TARGET)
    own = {name: text for name, text in texts.items() if name.startswith((NAME, "lds", "gfx950"))}
    findings = {
        "command": COMMAND, "head_dim": HEAD_DIM, "queries": QUERIES, "keys_of_a_tile": KEYS,
        "assumed_bank_rules": assumed_rules(), "source_hash": source_hash("".join(own.values())),
        "paths": [row(chosen, only) for chosen, only in compared()],
    }  # fmt: skip
    return Record(
        probe="lds_paths",
        target=TARGET,
        device="emulator",
        evidence="emulator",
        kind="lds_paths",
        findings=findings,
        observations=(),
    )


def main() -> None:
    """Write the row."""
    parser = argparse.ArgumentParser(prog="kernels.lds_attention.record", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"))
    for place in write_records([observe()], parser.parse_args().out):
        print(f"wrote {place}")


if __name__ == "__main__":
    main()
