"""CUDA C++ with its host code to PTX: nvcc's own commands, and zig's clang as host compiler.

`nvcc --dryrun` lists what nvcc would run for `-ptx`: the host compiler, which reads the includes,
and cicc, which makes PTX of the text that results. Both are run here, in a folder of their own.
What the list has behind them is left out: ptxas, which nvcc runs as a check for targets such as
sm_100a, may be older than cicc and refuse the version of its text.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from lanemap import cache as objects
from lanemap.errors import MissingEnvironment, UserError, extra, writing
from lanemap.toolchain import ptxas
from lanemap.toolchain.places import check_target, find_program, wheel_folder
from lanemap.toolchain.scratch import scratch_folder

PACKAGE = "nvidia-cuda-nvcc"
HEADERS = Path(__file__).with_name("headers") / "cuda"
#: Whose headers zig has, whatever version it is asked for: CUDA's headers ask for the number to
#: know whether they or glibc declare rsqrt, sinpi and cospi (crt/math_functions.h).
GLIBC = "gnu.2.42"
#: What nvcc needs beside itself, by the folder that it looks in, and the package that brings it.
_PARTS = {
    "nvvm/bin/cicc": "nvidia-nvvm",
    "include/crt/host_defines.h": "nvidia-cuda-crt",
    "include/cuda_runtime.h": "nvidia-cuda-runtime",
}
#: What projects ask their users to give; they only allow more.
_ALLOWANCES = ("--extended-lambda", "--expt-relaxed-constexpr")
_TAKES_VALUE = ("-D", "-U", "-I", "-isystem", "-include")
_FOLDERS = ("-I", "-isystem")
_PLAIN = (
    "-std=", "--std=", "-use_fast_math", "--use_fast_math", "-fmad=", "--fmad=", "-ftz=", "--ftz=",
    "-prec-div=", "--prec-div=", "-prec-sqrt=", "--prec-sqrt=", "-diag-suppress=",
    "--diag-suppress=",
)  # fmt: skip
#: Headers of packages that no extra of lanemap brings, as the beginnings of their names.
_PACKAGES = {
    "cublas": "nvidia-cublas", "curand": "nvidia-curand", "cufft": "nvidia-cufft",
    "cusparse": "nvidia-cusparse", "cusolver": "nvidia-cusolver", "cudnn": "nvidia-cudnn-cu13",
    "nccl": "nvidia-nccl-cu13", "nvtx3/": "nvidia-nvtx", "nvToolsExt": "nvidia-nvtx",
    "cub/": "nvidia-cuda-cccl", "thrust/": "nvidia-cuda-cccl", "cuda/": "nvidia-cuda-cccl",
}  # fmt: skip
_CLANG_ERROR = re.compile(r"^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_CICC_ERROR = re.compile(r"^(.+?)\((\d+)\): (?:catastrophic )?error(?: #\S+)?: (.*)$", re.MULTILINE)
_MISSING = re.compile(r"'(.*)' file not found")
_TEMPORARY = re.compile(r"tmpxft_\w+-\d+")
#: No file of a library takes as long; on a slow machine CUB takes tens of seconds.
_MOST_SECONDS = 600


def version() -> str:
    """Return nvcc's path and its host compiler, once all of its parts are here.

    Raises:
        MissingEnvironment: one is not.
    """
    nvcc = find_nvcc()
    if _uses_zig(nvcc):
        return f"{nvcc}; host compiler zig c++"
    host = os.environ.get("NVCC_CCBIN") or shutil.which("g++")
    if host is None:
        raise MissingEnvironment(
            f"nvcc is installed, but no host compiler: run {extra('nvidia')} (ziglang)"
        )
    return f"{nvcc}; host compiler {host}"


#: Stands for the file's name where the compiler reads what instantiates a template.
_INSTANCE = "instance "


def compile_cuda(
    source: str,
    target: str,
    options: Sequence[str] = (),
    name: str = "the source",
    instances: Sequence[str] = (),
) -> str:
    """Return the PTX that nvcc makes of CUDA C++ with host code; it names the source's lines.

    Args:
        source: The text; quoted includes lie beside the file `name`.
        target: "sm_90a", ..
        options: Defines, include folders, the language's standard, --use_fast_math.
        name: The path of the file, or a name for messages.
        instances: Templates to instantiate besides those that the source launches, each with all
            its arguments, such as "scale<float>".

    Raises:
        UserError: an option is unknown, or a compiler refuses a line.
        MissingEnvironment: a part of nvcc or a host compiler is not here.
    """
    check_target(target)
    nvcc = find_nvcc()
    words = [f"-arch=compute_{target.removeprefix('sm_')}", *_ALLOWANCES, *_checked(options)]
    beside = Path(name).resolve().parent if Path(name).is_file() else None
    if beside is not None and "," not in str(beside):  # nvcc splits the value at commas
        words += ["-Xcompiler", f"-iquote,{beside}"]
    with scratch_folder() as folder:
        with writing(folder):
            (folder / "source.cu").write_text(_unit(source, name, instances), encoding="utf-8")
        words += _host_compiler(nvcc, folder)
        command = [nvcc, "-ptx", "-lineinfo", "--dryrun", *words, "source.cu", "-o", "out.ptx"]
        ran = _run(command, folder)
        if ran.returncode:
            raise UserError(f"{name} cannot be compiled: {_first_line(ran.stderr)}")
        text = _ptx(ran.stderr, folder, name)
    return ptxas.lowered(text)


def _unit(source: str, name: str, instances: Sequence[str]) -> str:
    """Return what is compiled: lines count as the file's, and instances are asked for at its end.

    Whose address a host's variable takes is instantiated, as what the host launches.
    """
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    wanted = "".join(
        f'\n#line 1 "{_INSTANCE}{instance}"'
        f"\nnamespace {{ const auto lanemap_instance_{number} = &{instance}; }}"
        for number, instance in enumerate(instances)
    )
    return f'#line 1 "{quoted}"\n{source}{wanted}\n'


def _ptx(listed: str, folder: Path, name: str) -> str:
    """Run the host compiler and cicc of a list of nvcc's; return the PTX."""
    commands, environment = listed_commands(listed)
    at = next((n for n, line in enumerate(commands) if "/cicc" in line), None)
    if at is None:
        raise MissingEnvironment(f"nvcc's list of commands names no cicc: {_first_line(listed)}")
    for line in commands[:at]:
        _step(line, folder, environment, name)
    # cicc takes most of the time, and this text is all that it reads.
    texts = [Path(each).read_bytes() for each in re.findall(r'"([^"]+\.ii)"', commands[at])]
    command = _TEMPORARY.sub("", commands[at].replace(str(folder), ""))
    cicc = (Path(environment["CICC_PATH"]) / "cicc").stat()
    made_by = f"{command} {cicc.st_size} {cicc.st_mtime_ns}"
    key = hashlib.sha256(b"\0".join([made_by.encode(), *texts])).hexdigest()

    def make() -> bytes:
        _step(commands[at], folder, environment, name)
        return (folder / "out.ptx").read_bytes()

    return objects.cached(key, make).decode()


def listed_commands(listed: str) -> tuple[list[str], dict[str, str]]:
    """Return the commands of a list of `nvcc --dryrun`, and the environment that they need."""
    lines = [line.removeprefix("#$ ") for line in listed.splitlines() if line.startswith("#$ ")]
    settings = dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))
    environment = {**os.environ, **{key: value.strip() for key, value in settings.items()}}
    return [line for line in lines if not re.match(r"\w+=", line)], environment


def _step(command: str, folder: Path, environment: dict[str, str], name: str) -> None:
    """Run one command of nvcc's list; its first error becomes one sentence."""
    ran = _run(["/bin/sh", "-c", command], folder, environment)
    if ran.returncode:
        raise UserError(_reason(ran.stdout + ran.stderr, name))


def _run(
    command: list[str], folder: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    given = {**(environment or os.environ), "TMPDIR": str(folder)}
    try:
        return subprocess.run(
            command, cwd=folder, env=given, capture_output=True, text=True, errors="replace",
            timeout=_MOST_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingEnvironment(f"{command[0]} cannot be run: {error}") from error


def _reason(messages: str, name: str) -> str:
    found = _CLANG_ERROR.search(messages) or _CICC_ERROR.search(messages)
    if found is None:
        return f"{name} cannot be compiled: {_first_line(messages)}"
    place, line, words = found.groups()
    missing = _MISSING.search(words)
    if missing:
        words = f"{missing[1]} is not here: {_who_brings(missing[1])}"
    if place == name:
        return f"{name}:{line}: {words}"
    if place.startswith(_INSTANCE):
        instance = place.removeprefix(_INSTANCE)
        return f"{name} has no kernel `{instance}`; give all arguments of its template ({words})"
    # A header is at fault, or what the source makes of it: name the source's line too.
    own = re.escape(name)
    asked = re.search(rf"(?:at line (\d+) of {own}|from {own}:(\d+)[:,])", messages)
    where = f" (reached from {name}:{asked[1] or asked[2]})" if asked else ""
    return f"{place}:{line}: {words}{where}"


def _who_brings(header: str) -> str:
    """Say what to do about a header that no folder has."""
    package = next((each for start, each in _PACKAGES.items() if header.startswith(start)), None)
    if package is not None:
        return f"pip install {package} brings it"
    if header.startswith("helper_"):
        return "it is one of cuda-samples, in the folder Common; name that with -I"
    return "name its folder with -I"


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[0]


# -- tools ----------------------------------------------------------------------------------------
@cache
def find_nvcc() -> str:
    """Return nvcc's path, with all that it needs beside it.

    Raises:
        MissingEnvironment: it, or a part of it, is not here.
    """
    nvcc = find_program("nvcc", PACKAGE)
    wheel = wheel_folder()
    if wheel is not None and Path(nvcc).is_relative_to(wheel):
        for part, package in _PARTS.items():
            if not (wheel / part).exists():
                raise MissingEnvironment(
                    f"nvcc is installed, but not its {Path(part).name}: run {extra('nvidia')} "
                    f"({package})"
                )
    return nvcc


def _uses_zig(nvcc: str) -> bool:
    """Whether zig's clang is the host compiler: it is for the wheel's nvcc, if nobody chose one.

    A toolkit's nvcc may be too old for that clang, and a machine with a toolkit has a compiler.
    """
    wheel = wheel_folder()
    if "NVCC_CCBIN" in os.environ or wheel is None or not Path(nvcc).is_relative_to(wheel):
        return False
    return importlib.util.find_spec("ziglang") is not None


def _host_compiler(nvcc: str, folder: Path) -> list[str]:
    """Return options that name the host compiler; nvcc takes only the path of a program."""
    if not _uses_zig(nvcc):
        return []
    script = folder / "zig-c++"
    # The same headers on every machine: zig's own, and not those that a native target would find.
    host = f"{platform.machine()}-linux-{GLIBC}"
    words = [
        sys.executable, "-m", "ziglang", "c++", "-target", host, "-isystem", str(HEADERS)
    ]  # fmt: skip
    with writing(folder):
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        script.chmod(0o700)
    return ["-ccbin", str(script), "-allow-unsupported-compiler", "-D_ALLOW_UNSUPPORTED_LIBCPP"]


def _checked(options: Sequence[str]) -> list[str]:
    """Return options for nvcc, their folders absolute.

    Raises:
        UserError: one is none of those that lanemap gives to nvcc, or names no folder.
    """
    found: list[str] = []
    words = iter(options)
    for word in words:
        flag = next((each for each in _TAKES_VALUE if word.startswith(each)), None)
        if flag is None:
            if not word.startswith(_PLAIN):
                known = " ".join((*_TAKES_VALUE, *_PLAIN))
                raise UserError(f"option {word!r} is not one that lanemap passes to nvcc: {known}")
            found.append(word)
            continue
        value = word.removeprefix(flag) or next(words, "")
        if not value:
            raise UserError(f"option {flag} needs a value")
        if flag in _FOLDERS:
            if not Path(value).is_dir():
                raise UserError(f"include folder {value} does not exist")
            value = str(Path(value).resolve())
        found += [flag, value]
    return found
