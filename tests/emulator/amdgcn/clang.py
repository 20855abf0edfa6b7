"""clang of the ziglang package, as an independent reader of the same assembly."""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

import pytest

from lanemap.toolchain.amdgpu import find_tools

C = ["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-x", "c"]
HIP = ["-nogpulib", "-nogpuinc", "-x", "hip", "--cuda-device-only"]


def run(arguments: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    pytest.importorskip("ziglang", reason="judged by the clang of the ziglang package")
    command = [*find_tools().clang, *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def compile_source(source: Path, *options: str, target: str = "gfx950") -> str:
    """Assembly of a C (.c) or HIP (.hip) file."""
    hip = source.suffix == ".hip"
    language = [*HIP, f"--offload-arch={target}"] if hip else [*C, f"-mcpu={target}"]
    result = run([*language, *options, "-S", str(source), "-o", "-"])
    assert result.returncode == 0, result.stderr
    return result.stdout


def assemble(lines: list[str], target: str = "gfx950") -> tuple[list[str], dict[int, str]]:
    """What clang's assembler prints for `lines`, and its errors by index of the line.

    The printed form is canonical: suffixes, defaults and packed operands written out, with the
    encoded bytes in a comment.
    """
    result = run(
        [
            "-cc1as",
            "-triple",
            "amdgcn-amd-amdhsa",
            "-target-cpu",
            target,
            "-filetype",
            "asm",
            "-show-encoding",
            "-o",
            "-",
            "-",
        ],
        f'.amdgcn_target "amdgcn-amd-amdhsa--{target}"\n' + "\n".join(lines) + "\n",
    )
    errors = {
        int(line) - 2: message
        for line, message in re.findall(r"<stdin>:(\d+):\d+: error: (.*)", result.stderr)
    }
    return result.stdout.splitlines(), errors


@functools.cache
def accepts(line: str) -> bool:
    """Whether clang assembles one line."""
    return not assemble([line])[1]
