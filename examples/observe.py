"""Two observers of a launch, in Python and in C: what waits, and which strides accesses have."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from lanemap.emulator import api

HERE = Path(__file__).resolve().parent


class Waits:
    """Which instructions the waves of a launch waited at, and how often."""

    watch = api.Watch.WAIT

    def begin(self) -> None:
        """Forget an earlier pass."""
        self.opcodes: Counter[str] = Counter()

    def record(self, launch: api.Watched, records: Any) -> None:
        """Count a batch of events by instruction."""
        for operation in records["operation"].tolist():
            self.opcodes[launch.instruction(operation).opcode] += 1

    def end(self, counts: api.Counts) -> None:
        """Nothing is left to do."""


class Strides(api.NativeObserver):
    """How far apart the addresses of neighboring lanes are, by strides.c."""

    def __init__(self, library: Path) -> None:
        """Load the compiled C."""
        self.pairs = (ctypes.c_uint64 * 65)()
        function = ctypes.cast(ctypes.CDLL(str(library)).note_strides, ctypes.c_void_p)
        super().__init__(api.Watch.ACCESS, function.value or 0, ctypes.addressof(self.pairs))

    def begin(self) -> None:
        """Forget an earlier pass."""
        ctypes.memset(self.pairs, 0, ctypes.sizeof(self.pairs))


def main() -> None:
    """Watch a kernel in which a warp waits for another one."""
    machine = api.Machine("sm_90a")
    output = machine.allocate(64 * 4, "output")
    kernel = machine.load((HERE / "ordered.ptx").read_text(), "ordered.ptx").kernels["hand_on"]
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "strides.so"
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "cc",
            "-O2",
            "-shared",
            "-fPIC",
            "-nostdlib",
            f"-I{api.INCLUDE}",
            str(HERE / "strides.c"),
            "-o",
            str(library),
        ]
        subprocess.run(command, check=True)
        waits, strides = Waits(), Strides(library)
        with machine.observe(waits), machine.observe(strides):
            kernel.launch((1, 1, 1), (64, 1, 1), output.to_bytes(8, "little"))
    for opcode, count in waits.opcodes.items():
        print(f"{count} waits at {opcode}")
    for bits, pairs in enumerate(strides.pairs):
        if pairs:
            print(f"{pairs} pairs of lanes are less than {1 << bits} bytes apart")


if __name__ == "__main__":
    main()
