"""Verdicts of Triton's concurrency sanitizer, ConSan, on the museum's Triton and Gluon scripts.

    python -m lanemap.conformance.museum.consan [--out results]

It needs Triton and PyTorch, and no GPU: ConSan instruments a kernel while Triton compiles it, and
`lanemap check` runs the kernel. Its assertion that fails is what it reports. A script that has one
version only, because the fault comes after ConSan's pass, is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lanemap.conformance.museum.exhibit import Exhibit, exhibits
from lanemap.conformance.museum.trial import TARGET, VERSIONS
from lanemap.errors import UserError
from lanemap.records.files import write_records
from lanemap.records.schema import Record

_ASSERTION = re.compile(r"the assertion `([^`]+)`")
#: What is written where no assertion of ConSan failed.
NOTHING = "nothing"


def said(exhibit: Exhibit, which: str) -> str:
    """What ConSan reports of a version of a script.

    Raises:
        UserError: the script did not run.
    """
    command = [sys.executable, "-m", "lanemap", "check", "--json", "--target", exhibit.target]
    with tempfile.TemporaryDirectory() as cache:
        own = {"TRITON_INSTRUMENTATION_MODE": "consan", "TRITON_CACHE_DIR": cache}
        done = subprocess.run(
            [*command, str(exhibit.source), which],
            capture_output=True, text=True, env=os.environ | own, check=False,
        )  # fmt: skip
    try:
        report = json.dumps(json.loads(done.stdout))
    except json.JSONDecodeError as error:
        raise UserError(f"{exhibit.name}: {done.stderr.strip()[-400:]}") from error
    failed = _ASSERTION.search(report)
    return failed[1] if failed else NOTHING


def observe() -> Mapping[str, Any]:
    """Run all scripts that have two versions under ConSan."""
    found = {}
    for name, one in exhibits().items():
        if one.target == TARGET and one.has_versions:
            found[name] = {each: said(one, each) for each in VERSIONS}
            print(f"{name}: {found[name]}", flush=True)
    return {"triton": version("triton"), "consan": found}


def main() -> None:
    """Write the row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"), help="where the row goes")
    given = parser.parse_args()
    row = Record("museum", TARGET, "emulator", "emulator", (), observe(), kind="museum")
    write_records([row], given.out)


if __name__ == "__main__":
    main()
