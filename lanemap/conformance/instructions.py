"""Which instructions of AMD's targets clang's assembler accepts, by family.

`python -m lanemap.conformance.instructions gfx942` asks clang and stores its answers beside the
target's definition; without a name it asks about every target. The names that it asks about are
those in the table of mnemonics of the assembler itself, of every AMD GPU: without operands, the
assembler says of a name whether this GPU has it.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.errors import MissingEnvironment
from lanemap.targets import TARGETS, instructions_of, list_of
from lanemap.toolchain.amdgpu import TRIPLE, find_tools

#: LLVM keeps mnemonics with their lengths before them.
_NAME = re.compile(rb"(?=([\x03-\x40])((?:[vs]|ds|t?buffer|global|flat|scratch)_[a-z0-9_]+))")
_SUFFIX = re.compile(r"_(e32|e64|dpp|sdwa)$")
_ABSENT = ("not supported on this GPU", "invalid instruction")
#: Families in the order of a table: a pattern of their names.
_FAMILIES = (
    ("matrix products", r"v_(s?mfmac?|accvgpr)_"), ("comparison", r"v_cmpx?_"),
    ("conversion", r"v_cvt_|v_sat_pk"), ("vector", r"v_"), ("LDS", r"ds_"),
    ("global, flat and scratch memory", r"global_|flat_|scratch_"), ("buffers", r"buffer_"),
    ("typed buffers", r"tbuffer_"),
    ("scalar memory", r"s_(buffer_)?(load|store|atomic|scratch|dcache|mem|atc)\w*"),
    ("scalar", r"s_"),
)  # fmt: skip


@dataclass(frozen=True)
class Share:
    """How many instructions of a family clang accepts, and how many of them are executed."""

    family: str
    accepted: int
    executed: int


@functools.cache
def candidates() -> tuple[str, ...]:
    """Every mnemonic in the assembler's tables.

    Raises:
        MissingEnvironment: there is no clang for AMD GPUs.
    """
    tools = find_tools()
    program = Path(shutil.which(tools.clang[0]) or tools.clang[0]).resolve()
    if not program.exists():
        raise MissingEnvironment(f"{program} is missing; its table of mnemonics is needed")
    found = set()
    for match in _NAME.finditer(program.read_bytes()):
        name = match[2][: match[1][0]].decode()
        if len(name) == match[1][0] and not _SUFFIX.search(name):
            found.add(name)
    return tuple(sorted(found))


def judge(names: Iterable[str], target: str, clang: Sequence[str] = ()) -> list[str]:
    """Those of the names that clang's assembler has an instruction of a target for.

    Args:
        names: The names.
        target: The target.
        clang: The words that call it; the one that is here unless given.

    Raises:
        MissingEnvironment: there is no clang for AMD GPUs.
    """
    asked = list(names)
    text = f'.amdgcn_target "{TRIPLE}--{target}"\n' + "\n".join(asked) + "\n"
    words = ["-cc1as", "-triple", TRIPLE, "-target-cpu", target, "-filetype", "asm", "-o", "-", "-"]
    command = [*(clang or find_tools().clang), *words]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise MissingEnvironment(f"clang's assembler ended with status {done.returncode}")
    said = re.findall(r"^\S*:(\d+):\d+: error: (.*)$", done.stderr, re.M)
    absent = {int(line) - 2 for line, message in said if any(words in message for words in _ABSENT)}
    return [name for number, name in enumerate(asked) if number not in absent]


def family(name: str) -> str:
    """The family of an instruction."""
    return next(title for title, pattern in _FAMILIES if re.match(pattern, name))


def shares(target: str, executed: Callable[[str, str], bool]) -> list[Share]:
    """The counts by family, and their sums as the family "all".

    Args:
        target: The target.
        executed: Whether the emulator executes the instruction of a name for a target.
    """
    names = sorted(instructions_of(target))
    found = []
    for title, _ in _FAMILIES:
        own = [name for name in names if family(name) == title]
        found.append(Share(title, len(own), sum(executed(name, target) for name in own)))
    total = Share("all", len(names), sum(each.executed for each in found))
    return [*found, total]


def main() -> int:
    """Ask clang about the targets named, and store what it accepts; the exit status."""
    amd = [each.name for each in TARGETS.values() if not each.is_nvidia]
    asked = sys.argv[1:] or amd
    if unknown := sorted(set(asked) - set(amd)):
        print(f"lanemap: {unknown[0]} is none of {', '.join(amd)}", file=sys.stderr)
        return 2
    try:
        names = candidates()
        found = {target: judge(names, target) for target in asked}
    except MissingEnvironment as error:
        print(f"lanemap: {error}", file=sys.stderr)
        return error.exit_code
    for target, accepted in found.items():
        title = (
            f"# clang, {target}: {len(accepted)} instructions accepted; "
            "python -m lanemap.conformance.instructions"
        )
        lines = textwrap.wrap(" ".join(accepted), 100)
        list_of(target).write_text("\n".join([title, *lines]) + "\n")
        print(title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
