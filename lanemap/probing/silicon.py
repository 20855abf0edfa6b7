"""Everything that an sm_90 GPU can be asked, in one go: `make silicon`.

Writes rows of evidence `silicon` with their whole environment under results/sm_90a/cuda/.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import lanemap
from lanemap.errors import LanemapError
from lanemap.probing import approximations
from lanemap.records.files import write_records
from lanemap.records.schema import Record


def observe_all(out: Path) -> list[Path]:
    """Run every observation; the files written."""
    device = lanemap.open_device("sm_90a", device="cuda")
    written: list[Path] = []
    before = dict(device.environment())
    findings = {}
    for form in approximations.forms():
        start = time.monotonic()
        findings[form] = approximations.observe(device, form)
        print(
            f"{form}: at most {findings[form]['largest_distance']} f32 values off "
            f"({time.monotonic() - start:.1f} s)",
            flush=True,
        )
    environment = {"before": before, "after": dict(device.environment())}
    record = Record(
        "approximations", "sm_90a", "cuda", "silicon", findings=findings, environment=environment
    )
    written += write_records([record], out)
    return written


def main() -> int:
    """Run as a program; the exit status of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"))
    try:
        for path in observe_all(parser.parse_args().out):
            print(path)
    except LanemapError as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
