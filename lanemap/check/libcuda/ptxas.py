"""A stand-in for ptxas: a text of PTX becomes a stand-in for a cubin, which libcuda.so.1 loads.

It takes ptxas's own arguments, and most of them change nothing. `lanemap exec` puts it on the
program's PATH, and so compilers that call ptxas find it: `python -m lanemap.check.libcuda.ptxas`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from lanemap.check.libcuda.images import carrying, joined, ptx_in
from lanemap.errors import UserError
from lanemap.targets import TARGETS, Target

#: What NVIDIA's prints, as far as programs read it: the release whose PTX is taken.
VERSION = (
    "ptxas: lanemap's stand-in for the PTX optimizing assembler of NVIDIA\n"
    "Cuda compilation tools, release 13.0, V13.0.88\n"
)
_VALUES = {
    "-o": "output", "--output-file": "output", "-output-file": "output",
    "-arch": "target", "--gpu-name": "target", "-gpu-name": "target",
}  # fmt: skip
#: Options whose value follows, and that change nothing.
_OTHERS = ("-O", "--opt-level", "-maxrregcount", "--maxrregcount", "-m", "--machine")


def main(arguments: Sequence[str]) -> int:
    """Write the image that the arguments ask for; the exit status.

    Raises:
        UserError: an input is no PTX for that target, or none is named.
    """
    if {"-V", "--version", "-version"} & {*arguments}:
        sys.stdout.write(VERSION)
        return 0
    given, inputs = _read(arguments)
    name = given.get("target", "sm_75")
    target = TARGETS.get(name)
    if target is None or not target.is_nvidia:
        raise UserError(f"ptxas: the emulator knows no target {name}")
    if not inputs:
        raise UserError("ptxas: no input is named")
    image = carrying(joined([_checked(path, target) for path in inputs]))
    Path(given.get("output", "elf.o")).write_bytes(image)
    return 0


def _read(arguments: Sequence[str]) -> tuple[dict[str, str], list[Path]]:
    """Return the output and the target, and the inputs."""
    given: dict[str, str] = {}
    inputs = []
    words = iter(arguments)
    for word in words:
        name, has_value, value = word.partition("=")
        if name in _VALUES:
            given[_VALUES[name]] = value if has_value else next(words, "")
        elif name in _OTHERS:
            if not has_value:
                next(words, "")
        elif not word.startswith("-"):
            inputs.append(Path(word))
    return given, inputs


def _checked(path: Path, target: Target) -> str:
    """Return a text that the target executes, which parses.

    Raises:
        UserError: it does not, or the file cannot be read.
    """
    from lanemap.devices import open_device

    try:
        text = ptx_in(path.read_bytes(), target)
    except OSError as error:
        raise UserError(f"ptxas: {path} cannot be read: {error.strerror}") from error
    found = re.search(r"^\s*\.target\s+sm_(\d+)", text, re.MULTILINE)
    if found and int(found[1]) > int(re.sub(r"\D", "", target.name)):
        raise UserError(f"ptxas: {path} is for sm_{found[1]}, which {target.name} does not execute")
    open_device(target.name, "emulator").load(path)
    return text


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UserError as refused:
        sys.stderr.write(f"lanemap: {refused}\n")
        sys.exit(refused.exit_code)
