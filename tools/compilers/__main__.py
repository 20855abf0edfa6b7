"""Ask releases of compilers what they make of our texts.

    python -m tools.compilers cubins OUT.json      the programs of ptxas's faults, by every ptxas
    python -m tools.compilers clang OUT            the row of clang's faults, on the emulator
    python -m tools.compilers ptx OUT --target T   the row of forms and texts, by every ptxas
    python -m tools.compilers amd OUT              rows of AMD's instructions, by every clang
    python -m tools.compilers triton OUT           rows of the museum's scripts, on the emulator

A GPU machine runs the cubins: `python -m lanemap.conformance.silicon --only compiler_faults
--cubins OUT.json`. Releases are wheels of PyPI, kept below --wheels, unpacked below --programs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

from lanemap.conformance.faults import trial
from lanemap.conformance.faults.history import MUSEUM_BY_RELEASE
from lanemap.errors import LanemapError
from lanemap.records.files import write_records
from lanemap.records.schema import Record
from lanemap.targets import TARGETS
from tools.compilers import amd_history, clang_faults, ptx_history, releases, triton_faults

#: Of these programs clang's are; what a release does not know is compiled for an earlier one.
CLANG_TARGET = "gfx950"


def _programs(compiler: str, given: argparse.Namespace) -> list[tuple[releases.Release, str]]:
    return [
        (each, releases.program(each, given.wheels, given.programs))
        for each in releases.of(compiler)
    ]


def cubins(given: argparse.Namespace) -> None:
    """Write what every ptxas makes of the programs of faults."""
    made = {}
    for release, path in _programs("ptxas", given):
        own = trial.Installed(path, releases.newest_ptx(path))
        made[release.name] = trial.stored_by(own)
        refused = sum("refused" in each for each in made[release.name].values())
        print(f"{release.name}: {len(made[release.name])} texts, {refused} refused", flush=True)
    given.out.write_text(json.dumps(made))


def _clang(release: releases.Release, zig: str) -> str:
    said = subprocess.run([zig, "clang", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"clang version (\S+)", said)
    return f"clang {found[1] if found else 'unknown'} (ziglang {release.version})"


def clang(given: argparse.Namespace) -> None:
    """Write the row of clang's faults."""
    compilers = [(_clang(release, zig), zig) for release, zig in _programs("clang", given)]
    found = clang_faults.observe(compilers, lambda line: print(line, flush=True))
    kind = "compiler_faults"
    own = Record(kind, CLANG_TARGET, "emulator", "emulator", (), found, kind=kind)
    print(*write_records([own], given.out))


def amd(given: argparse.Namespace) -> None:
    """Write the rows of what every clang knows of AMD's instructions."""
    compilers = [(_clang(release, zig), zig) for release, zig in _programs("clang", given)]
    kind = "compiler_releases"
    for target in (each.name for each in TARGETS.values() if not each.is_nvidia):
        known = amd_history.forms(target, compilers, lambda line: print(line, flush=True))
        found = {"forms": known, "texts": []}
        row = Record(kind, target, "clang", "documented", (), found, kind=kind)
        print(*write_records([row], given.out))


def ptx(given: argparse.Namespace) -> None:
    """Write the row of what every ptxas makes of forms and stored texts of a target."""
    asked = [
        ptx_history.Asked(each.name, path, releases.newest_ptx(path))
        for each, path in _programs("ptxas", given)
    ]

    def say(line: str) -> None:
        print(line, flush=True)

    own = dict(ptx_history.stored(Path(), given.target))
    found = {
        "texts": ptx_history.texts(given.target, own, asked, say),
        "forms": ptx_history.forms(given.target, asked, say),
    }
    kind = "compiler_releases"
    row = Record(kind, given.target, "ptxas", "documented", (), found, kind=kind)
    print(*write_records([row], given.out))


def triton(given: argparse.Namespace) -> None:
    """Write the rows of the museum's scripts, compiled by every Triton."""
    asked = [
        (each.name, releases.unpack(each, given.wheels, given.programs).resolve())
        for each in releases.of("triton")
    ]
    found = triton_faults.observe(asked, lambda line: print(line, flush=True))
    kind = "compiler_faults"
    rows = [
        Record(MUSEUM_BY_RELEASE, target, "emulator", "emulator", (), own, kind=kind)
        for target, own in found.items()
    ]
    print(*write_records(rows, given.out))


def main() -> int:
    """Run as a program; the exit status of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ways = {"cubins": cubins, "clang": clang, "amd": amd, "ptx": ptx, "triton": triton}
    parser.add_argument("what", choices=ways)
    parser.add_argument("out", type=Path)
    parser.add_argument("--wheels", type=Path, default=Path("wheels"), help="where wheels go")
    parser.add_argument("--programs", type=Path, default=Path("programs"), help="unpacked wheels")
    parser.add_argument("--target", default=trial.TARGET, help="what ptx is asked about")
    given = parser.parse_args()
    given.wheels.mkdir(exist_ok=True, parents=True)
    try:
        ways[given.what](given)
    except LanemapError as error:
        print(f"tools.compilers: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
