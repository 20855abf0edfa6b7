"""Scripts of a door, and a broken twin of each: what a line of it says is wrong without it.

A line of a script may end with a comment that makes a twin: `broken: KIND` leaves the line out. A
comment of its own, `broken: KIND: TEXT`, has TEXT in place of the next line. KIND is what must be
found: the kind of a hazard (docs/emulator.md), or the exception that ends the script.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.check.apart import check_apart
from lanemap.check.run import Options, Outcome, check

HERE = Path(__file__).parent
_BROKEN = re.compile(r"^(?P<before>.*?)(?://|#) broken: (?P<kind>[\w-]+)(?:: (?P<text>.*))?$")


@dataclass(frozen=True)
class Twin:
    """A script with one line that is wrong.

    Attributes:
        script: The script that is right.
        line: The line that differs, from 1.
        kind: What must be found.
        text: What stands there instead; "" for nothing.
    """

    script: Path
    line: int
    kind: str
    text: str

    def write(self, folder: Path) -> Path:
        """Write the twin to a folder; every other line stays where it is."""
        lines = self.script.read_text().splitlines()
        lines[self.line - 1] = self.text
        path = folder / self.script.name
        path.write_text("\n".join(lines) + "\n")
        return path


def scripts(door: str) -> list[Path]:
    """Return the scripts of a door, or its programs."""
    folder = HERE / door
    return sorted(each for kind in ("*.py", "*.cu") for each in folder.glob(kind))


def twins(script: Path) -> list[Twin]:
    """Return the broken twins that a script names."""
    found = []
    for number, line in enumerate(script.read_text().splitlines(), 1):
        match = _BROKEN.match(line)
        if match:
            alone = not match["before"].strip()
            text = match["before"] + match["text"] if match["text"] else ""
            found.append(Twin(script, number + alone, match["kind"], text))
    return found


def unit(programs: Mapping[str, Path], header: Path) -> str:
    """Return programs of CUDA C++ as one, whose first argument says which of them runs.

    Each is in a namespace of its name, and all include `header`.
    """
    parts = [f'#include "{header}"']
    parts += [f'namespace {name} {{\n#include "{path}"\n}}' for name, path in programs.items()]
    calls = "\n".join(f'  if (!strcmp(name[1], "{n}")) return {n}::main();' for n in programs)
    return "\n".join([*parts, f"int main(int, char **name) {{\n{calls}\n  return 3;\n}}\n"])


def run(script: Path, target: str, apart: bool = False) -> Outcome:
    """Check a script in this process, or in a fork: libraries keep contexts of a driver."""
    options = Options(target=target, quiet=True)
    return check_apart(script, [], options) if apart else check(script, [], options)


def judge_without(packages: Sequence[str], script: Path) -> None:
    """Check that a process that cannot import packages checks a script of one launch as clean."""
    code = (
        "import sys, importlib.util as u\n"
        "real = u.find_spec\n"
        f"gone = {tuple(packages)!r}\n"
        "u.find_spec = lambda name, *a: None if name in gone else real(name, *a)\n"
        "from lanemap.cli import main\n"
        f"status = main.run(['check', {str(script)!r}])\n"
        "assert not set(gone) & set(sys.modules)\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "1 launch of 1 kernel, no hazards" in done.stderr


def why(outcome: Outcome) -> str:
    """Say what an outcome has."""
    return f"{outcome.ended} {[str(each) for each in outcome.findings.hazards]}"


def judge(script: Path, folder: Path, target: str, apart: bool = False) -> None:
    """Check that a script is right, and that the faults of its twins, which it has, are found."""
    judge_right(script, target, apart)
    found = twins(script)
    assert found, f"{script.name} has no broken twin"
    for twin in found:
        judge_twin(twin, folder, target, apart)


def judge_right(script: Path, target: str, apart: bool = False) -> None:
    """Check that a script is right and clean, and that it launched kernels."""
    outcome = run(script, target, apart)
    assert outcome.faultless, f"{script.name}: {why(outcome)}"
    assert outcome.findings.launches, f"{script.name} launched nothing"


def judge_twin(twin: Twin, folder: Path, target: str, apart: bool = False) -> None:
    """Check that the fault of a twin is found, by its kind: a wrong result is not enough."""
    outcome = run(twin.write(folder), target, apart)
    if twin.kind[0].isupper():
        assert f"raised {twin.kind}" in outcome.ended, f"{twin}: {why(outcome)}"
        return
    kinds = {each.kind for each in outcome.findings.hazards}
    assert twin.kind in kinds, f"{twin}: {why(outcome)}"
