"""AMDGCN assembly to code objects, and HIP or C to assembly, with clang and lld.

ziglang's clang (a wheel, no ROCm needed) or a ROCm installation's: both are LLVM's AMDGPU back end.
The object carries the assembly that it was made from in a section `.lanemap.source`, so that what
ran on a GPU can be read and run again on the emulator.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lanemap.errors import MissingEnvironment, UserError, extra, writing
from lanemap.toolchain import hip
from lanemap.toolchain.scratch import scratch_folder

TRIPLE = "amdgcn-amd-amdhsa"
SOURCE_SECTION = ".lanemap.source"

# Flags that make a language compile without ROCm's headers and device libraries.
LANGUAGES = {
    "c": ("-x", "c", "-nogpulib"),
    "hip": (
        "-x",
        "hip",
        "--cuda-device-only",
        "-nogpuinc",
        "-nogpulib",
        "-mprintf-kind=buffered",
    ),
}

# How the LLVM of Triton 3.9 spells the triple of a target; clang 22 knows only the other spelling.
_NEWER_TRIPLE = re.compile(r"\bamdgpu\d+\.\w+-amd-amdhsa-unknown-(gfx)")
_DIAGNOSTIC = re.compile(r"^([^:\n]*):(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_FEATURE = re.compile(r"('\w+') needs target feature (\S+)")
_MISSING = re.compile(r"'(.*)' file not found")
_CANDIDATE = re.compile(r"note: candidate [^:\n]*: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Tools:
    """The command prefixes of a clang and an lld that know AMDGPU, and where they come from."""

    clang: tuple[str, ...]
    lld: tuple[str, ...]
    origin: str


def find_tools() -> Tools:
    """Return the first of: ziglang's wheel, ROCm's LLVM, amdclang on PATH.

    Raises:
        MissingEnvironment: there is none.
    """
    found = importlib.util.find_spec("ziglang")
    if found is not None and found.origin is not None:
        zig = str(Path(found.origin).with_name("zig"))
        return Tools((zig, "clang"), (zig, "ld.lld"), "ziglang")
    amdclang = shutil.which("amdclang")
    places = [Path("/opt/rocm/llvm/bin")]
    if amdclang is not None:
        places.insert(0, Path(amdclang).resolve().parent)
    for place in places:
        if (place / "clang").exists() and (place / "ld.lld").exists():
            return Tools((str(place / "clang"),), (str(place / "ld.lld"),), str(place))
    raise MissingEnvironment(
        f"clang for AMD GPUs is not installed: run {extra('amd')}, or install ROCm"
    )


def assemble(text: str, target: str, name: str = "the source") -> bytes:
    """Return the linked code object of AMDGCN assembly; the text goes into `.lanemap.source`.

    Raises:
        UserError: clang refuses a line; the message has its number and clang's reason.
        MissingEnvironment: there is no clang.
    """
    tools = find_tools()
    with scratch_folder() as folder:
        section = f'\n.section {SOURCE_SECTION},"",@progbits\n.incbin "source.s"\n'
        with writing(folder):
            (folder / "source.s").write_text(text)
            (folder / "object.s").write_text(_NEWER_TRIPLE.sub(TRIPLE + r"--\1", text) + section)
        assembling = ("-target", TRIPLE, f"-mcpu={target}", "-c", "object.s", "-o", "object.o")
        _run((*tools.clang, *assembling), folder, "object.s", name)
        _run((*tools.lld, "-shared", "object.o", "-o", "object.co"), folder, "object.o", name)
        return (folder / "object.co").read_bytes()


def compile_to_assembly(
    source: str,
    target: str,
    language: str = "hip",
    name: str = "the source",
    options: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
) -> str:
    """Return the AMDGCN assembly that clang -O2 makes of HIP or C source.

    Args:
        source: The text; HIP finds lanemap's hip/hip_runtime.h and the headers of C and C++.
        target: "gfx950", ..
        language: One of `LANGUAGES`.
        name: The path of the file, or a name for messages; quoted includes lie beside it.
        options: Further options of clang: defines, include folders, "-O3", "-std=c++20", ..
        headers: Texts that quoted includes find under these names.

    Raises:
        UserError: the language or an option is unknown, or clang refuses a line.
        MissingEnvironment: there is no clang.
    """
    if language not in LANGUAGES:
        raise UserError(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
    tools = find_tools()
    if language == "hip":
        flags = [*hip.flags(tools.origin, source), f"--offload-arch={target}"]
    else:
        flags = ["-target", TRIPLE, f"-mcpu={target}"]
    flags += [*LANGUAGES[language], "-O2", *hip.checked_options(options)]
    if Path(name).is_file():
        flags += ["-iquote", str(Path(name).resolve().parent)]
    with scratch_folder() as folder:
        # Line tables call the source by its name; blanks and folders would not survive them.
        file = Path(name).name if " " not in name else "source"
        with writing(folder):
            for each, text in {file: source, **(headers or {})}.items():
                (folder / each).write_text(text)
        # The scratch folder differs from run to run, and must not: the text is a cache key.
        where = "-fdebug-compilation-dir=."
        flags += ["-gline-tables-only", where, "-S", file, "-o", "out.s"]
        _run((*tools.clang, *flags), folder, file, name)
        text = (folder / "out.s").read_text()
        if language == "hip" and hip.ALLOCATES in text:
            # clang calls it where device code prints; other sources do without it.
            _run((*tools.clang, *hip.PRINTS, *flags), folder, file, name)
            text = (folder / "out.s").read_text()
        return text


def _run(command: tuple[str, ...], folder: Path, file: str, name: str) -> None:
    """Run a tool in `folder`; its first error becomes one sentence, which calls `file` `name`."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingEnvironment(f"{command[0]} cannot be run: {error}") from error
    if done.returncode == 0:
        return
    match = _DIAGNOSTIC.search(done.stderr)
    if match:
        raise UserError(_sentence(done.stderr, match, file, name))
    last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[0]
    raise UserError(f"{name} cannot be built: {last}")


def _sentence(messages: str, error: re.Match[str], file: str, name: str) -> str:
    """Return clang's first error in one sentence, which calls `file` `name`."""
    place, line, words = error.groups()
    missing = _MISSING.match(words)
    if missing:
        words = hip.missing_header(missing[1]) or words
    if feature := _FEATURE.match(words):
        words = (
            f"{feature[1]} is not for this target: it needs clang's feature {feature[2]}; use what "
            "the target has, or name one that has it (--target)"
        )
    following = messages[error.end() :]
    after = _DIAGNOSTIC.search(following)
    notes = _CANDIDATE.findall(following[: after.start()] if after else following)
    if words.startswith("no matching") and len(notes) == 1:
        words += f" ({notes[0]})"
    if place == file:
        return f"{name}:{line}: {words}"
    # A header is at fault, or what the source makes of it: name the source's line too.
    asked = re.search(rf"(?:^|from ){re.escape(file)}:(\d+)[:,]", messages, re.MULTILINE)
    where = f" (reached from {name}:{asked[1]})" if asked else ""
    return f"{place}:{line}: {words}{where}"
