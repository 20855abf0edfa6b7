"""Programs of CUDA C++ with their host code, for the emulator: nvcc's own commands, and its flags.

Such a program keeps its kernels as PTX, and is linked with the shared runtime library, in whose
place it finds lanemap's. `nvcc --dryrun` lists what nvcc would run; all of it is run here, but the
calls of ptxas that only check PTX for virtual architectures: a ptxas that is older than cicc
refuses the version of its text.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from lanemap.errors import MissingEnvironment, UserError, extra, writing
from lanemap.toolchain.nvcc import find_nvcc, listed_commands
from lanemap.toolchain.places import check_target
from lanemap.toolchain.scratch import scratch_folder

#: What keeps the PTX, and links with the shared runtime.
_FLAGS = ("-cudart", "shared", "--cudadevrt=none", "--compress-mode=none")
_LINES, _DEBUG = ("-lineinfo", "--generate-line-info"), ("-G", "--device-debug")
_ARCHITECTURE = ("-arch", "--gpu-architecture")
_CODE = ("-code", "--gpu-code")
_PAIR = ("-gencode", "--generate-code")
#: What makes nvlink link kernels of several files, to machine code.
_RELOCATABLE = re.compile(
    r"-dc|--device-c|-dlink|--device-link|-dlto|--dlink-time-opt"
    r"|(?:-rdc|--relocatable-device-code)(?:[= ]true)?"
)
_NAMED = re.compile(r"(?:sm|compute|lto)_(\d+[af]?)$")
#: Commands that are left out: the checks, and what removes nvcc's files, as our folder is.
_NOT_NEEDED = re.compile(r"^(?:ptxas\s+-arch=compute_|rm\s)")


def build(arguments: Sequence[str], target: str, libraries: Sequence[Path]) -> list[str]:
    """Run nvcc for a program that `lanemap exec` runs; what compilers print goes to stderr.

    Args:
        arguments: nvcc's own. Machine code that they ask for becomes PTX of that architecture.
        target: "sm_90a", ..: the architecture of PTX if the arguments name none.
        libraries: libcudart.so.13 and libcuda.so.1, which programs are linked with.

    Returns:
        The commands that were run.

    Raises:
        UserError: nvcc, or a compiler, refuses something; it has said so on stderr.
        MissingEnvironment: a part of nvcc or the host compiler is not here.
    """
    check_target(target)
    _refuse_relocatable(arguments)
    nvcc = find_nvcc()
    words = [*for_ptx(arguments, target), *_FLAGS]
    if not {*_LINES, *_DEBUG} & {*arguments}:
        words.append("-lineinfo")
    if not any(each.startswith(("-ccbin", "--compiler-bindir")) for each in arguments):
        _require_host_compiler()
    with scratch_folder() as folder:
        with writing(folder):
            for library in libraries:
                (folder / f"{library.name.partition('.so')[0]}.so").symlink_to(library)
        words += ["-L", str(folder)]
        words += [f"-Xlinker=-rpath-link={each.parent}" for each in libraries[:1]]
        environment = {**os.environ, "TMPDIR": str(folder)}
        listed = subprocess.run(
            [nvcc, "--dryrun", *words], env=environment, capture_output=True, text=True,
            errors="replace", check=False,
        )  # fmt: skip
        said = [line for line in listed.stderr.splitlines() if not line.startswith("#$ ")]
        if listed.returncode:
            raise UserError(said[0] if said else f"nvcc ended with status {listed.returncode}")
        commands, needed = listed_commands(listed.stderr)
        commands = [each for each in commands if not _NOT_NEEDED.match(each)]
        for command in commands:
            _run(command, {**needed, "TMPDIR": str(folder)})
    return commands


def _refuse_relocatable(arguments: Sequence[str]) -> None:
    """Raise a UserError where kernels of several files are to be linked."""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if _RELOCATABLE.fullmatch(word) and following != "false":
            raise UserError(
                f"{word}: kernels are kept as PTX, which nvlink does not link: compile without it, "
                "and include the files in one where kernels call functions of another file"
            )


def _run(command: str, environment: dict[str, str]) -> None:
    status = subprocess.run(["/bin/sh", "-c", command], env=environment, check=False).returncode
    if status:
        program = command.split(maxsplit=1)[0].strip('"').rpartition("/")[2]
        raise UserError(f"{program} ended with status {status}, for the reason above")


def _require_host_compiler() -> None:
    """Raise a MissingEnvironment where nvcc would find no host compiler."""
    if "NVCC_CCBIN" not in os.environ and shutil.which("g++") is None:
        raise MissingEnvironment(
            "nvcc compiles a program's host code with g++, which is not here: install it, or name "
            f"a compiler by -ccbin; {extra('nvidia')} brings nvcc alone"
        )


def for_ptx(arguments: Sequence[str], target: str) -> list[str]:
    """Return nvcc's arguments with all that they say of architectures replaced: PTX is kept.

    Raises:
        UserError: an architecture has a name that nvcc does not know.
    """
    kept: list[str] = []
    found: dict[str, None] = {}
    words = iter(arguments)
    for word in words:
        name, given, value = word.partition("=")
        if name not in (*_ARCHITECTURE, *_CODE, *_PAIR):
            kept.append(word)
            continue
        value = value if given else next(words, "")
        if name not in _CODE:
            found |= dict.fromkeys(_virtual(name, value, target))
    for each in found or {target.removeprefix("sm_"): None}:
        kept += ["-gencode", f"arch=compute_{each},code=compute_{each}"]
    return kept


def _virtual(name: str, value: str, target: str) -> Iterator[str]:
    """Yield the numbers of the architectures that an option names."""
    if name in _PAIR:
        pair = re.match(r"arch=([^,]+),code=", value)
        if not pair:
            raise UserError(f"{name} {value!r} is not arch=compute_..,code=..")
        value = pair[1]
    if value in ("native", "all", "all-major"):
        yield target.removeprefix("sm_")
        return
    number = _NAMED.match(value)
    if not number:
        raise UserError(f"{name} names {value!r}, which is no architecture such as sm_90a")
    yield number[1]
