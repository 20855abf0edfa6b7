"""Random functions of the corpus by number, many in one unit, so that compilers start once."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lanemap.conformance.programs.chance import Chance
from lanemap.errors import MissingEnvironment, extra
from tests.corpus.generator import PRELUDE, RICH, random_case, random_group
from tests.corpus.harness import FLAGS, HERE, HOST, Case

#: What the names of one function are made from; units have many.
_NAMES = re.compile(r"\b(random_case|helper\d+|exchange)\b")


def case(number: int) -> Case:
    """A function; of 32 one is a group, one is rich, and two nest more deeply."""
    chance, sort = Chance("corpus", number), number % 32
    if sort == 31:
        made = random_group(chance)
    else:
        made = random_case(chance, 1 + (sort >= 28), rich=sort == 30)
    source = _NAMES.sub(rf"\1_{number}", made.source.replace(PRELUDE, "").replace(RICH, ""))
    return replace(made, name=f"random_case_{number}", source=source)


def unit(cases: Sequence[Case]) -> str:
    """The source of them all."""
    return "\n".join([PRELUDE, RICH, *(each.source for each in cases)])


@cache
def _compiler() -> tuple[str, ...]:
    """The command of a C compiler for this machine: its own, else ziglang's clang."""
    for name in ("gcc", "clang", "cc"):
        if found := shutil.which(name):
            return (found,)
    from lanemap.toolchain.amdgpu import find_tools

    try:
        return find_tools().clang
    except MissingEnvironment as error:
        raise MissingEnvironment(f"there is no C compiler: run {extra('amd')}") from error


def host_library(source: str, level: int) -> Any:
    """A unit for this machine's processor.

    Raises:
        MissingEnvironment: there is no C compiler.
        RuntimeError: it refuses the unit.
    """
    with tempfile.TemporaryDirectory() as folder:
        path, made = Path(folder) / "unit.c", Path(folder) / "unit.so"
        path.write_text(source)
        words = [*_compiler(), "-x", "c", *FLAGS, *HOST, f"-O{level}", "-shared", "-w"]
        command = [*words, str(path), "-o", str(made), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip().splitlines()[0]}")
        return ctypes.CDLL(str(made))  # which stays when the file is gone


def inputs() -> list[Path]:
    """The files that functions are made from."""
    names = ("units.py", "generator.py", "harness.py", "corpus.h")
    return [(HERE / name).relative_to(HERE.parents[1]) for name in names]
