"""Ask releases of compilers what they make of our texts.

python -m tools.compilers cubins OUT.json    the programs of compiler faults, by every ptxas
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from lanemap.conformance.faults import trial
from lanemap.conformance.programs.plan import TARGET
from lanemap.toolchain import ptxas
from tools.compilers import releases


class Released:
    """The ptxas of a release; a text names no newer PTX than it knows."""

    def __init__(self, release: releases.Release, path: str) -> None:
        self.name = release.name
        self._path = path
        self._newest = releases.newest_ptx(path)

    def assemble(self, text: str, level: str) -> bytes:
        """See `trial.Assembler`."""
        text = ptxas.lowered(text, self._newest)
        return ptxas.assemble(text, TARGET, [level], program=self._path)


def cubins(given: argparse.Namespace) -> None:
    """Write what every ptxas makes of the programs of faults."""
    made = {}
    for release in releases.of("ptxas"):
        path = releases.program(release, given.wheels, given.programs)
        made[release.name] = trial.stored_by(Released(release, path))
        refused = sum("refused" in each for each in made[release.name].values())
        print(f"{release.name}: {len(made[release.name])} texts, {refused} refused", flush=True)
    given.out.write_text(json.dumps(made))


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["cubins"])
    parser.add_argument("out", type=Path)
    parser.add_argument("--wheels", type=Path, default=Path("wheels"), help="where wheels go")
    parser.add_argument("--programs", type=Path, default=Path("programs"), help="unpacked wheels")
    given = parser.parse_args()
    given.wheels.mkdir(exist_ok=True)
    {"cubins": cubins}[given.what](given)


if __name__ == "__main__":
    main()
