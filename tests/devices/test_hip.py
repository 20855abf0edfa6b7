"""The hip device: the real hip-python over a driver library that records what it is given."""

import json
import os
import platform
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

# Two pointers, a float, a struct of three ints and a short: by the rules of C their offsets are
# 0, 8, 16, 20 and 32, and the kernel arguments end at byte 34.
AXPY = """
    struct three { int a, b, c; };
    extern "C" __attribute__((global)) void
    axpy(float *y, const float *x, float a, struct three t, short n) {
      int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
      if (i < n) y[i] += a * x[i] + t.b;
    }
"""

PRELUDE = """
    import ctypes, json, os, sys
    import numpy as np
    import lanemap
    from lanemap.errors import LanemapError

    class Launch(ctypes.Structure):
        _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                    ("shared", ctypes.c_uint), ("size", ctypes.c_size_t),
                    ("data", ctypes.c_ubyte * 4096)]

    def last_launch():
        return Launch.in_dll(ctypes.CDLL("libamdhip64.so"), "last_launch")

    def live():
        return ctypes.c_int.in_dll(ctypes.CDLL("libamdhip64.so"), "live_allocations").value

    AXPY = os.environ["AXPY"]
    out = {}
    try:
"""
EPILOGUE = """
    except LanemapError as error:
        out = {"error": str(error), "exit": error.exit_code}
    print(json.dumps(out))
"""


def run(body: str, fake: Path | None, **variables: str) -> dict[str, Any]:
    """Run Python in a process of its own: a driver library is found once, when it is loaded."""
    environment = dict(os.environ, AXPY=textwrap.dedent(AXPY), **variables)
    environment.pop("LD_LIBRARY_PATH", None)
    if fake is not None:
        environment["LD_LIBRARY_PATH"] = str(fake)
    inner = textwrap.indent(textwrap.dedent(body), "    ")
    script = textwrap.dedent(PRELUDE) + inner + textwrap.dedent(EPILOGUE)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_arguments_lie_where_c_puts_them(fake_hip: Path) -> None:
    out = run(
        """
        device = lanemap.open_device("gfx950")
        x = device.array(np.arange(10, dtype=np.float32))
        module = device.compile(AXPY)
        struct = np.array([1, 2, 3], np.int32).tobytes()
        args = [x, x.pointer(8), np.float32(1.5), struct, np.int16(7)]
        module["axpy"]((3, 2), 64, args, shared_bytes=128)
        launch = last_launch()
        out = {"device": device.name, "evidence": device.evidence, "entries": module.entries,
               "grid": list(launch.grid), "block": list(launch.block), "shared": launch.shared,
               "data": bytes(launch.data[:launch.size]).hex(), "address": x.address}
        """,
        fake_hip,
    )
    address = out["address"]
    expected = address.to_bytes(8, "little") + (address + 8).to_bytes(8, "little")
    expected += bytes.fromhex("0000c03f0100000002000000030000000700")
    assert (out["device"], out["evidence"], out["entries"]) == ("hip", "silicon", ["axpy"])
    assert (out["grid"], out["block"], out["shared"]) == ([3, 2, 1], [64, 1, 1], 128)
    assert out["data"] == expected.hex()


def test_arrays_go_there_and_back_and_are_freed(fake_hip: Path) -> None:
    out = run(
        """
        device = lanemap.open_device("gfx950", "hip")
        x = device.array(np.arange(6, dtype=np.int16).reshape(2, 3))
        y, nothing = device.zeros(4, np.float64), device.array(np.zeros((0,), np.int8))
        out = {"x": x.get().tolist(), "y": y.get().tolist(), "none": nothing.get().tolist()}
        out["before"] = live()
        del x, y, nothing
        out["after"] = live()
        """,
        fake_hip,
    )
    assert out["x"] == [[0, 1, 2], [3, 4, 5]]
    assert (out["y"], out["none"]) == ([0.0] * 4, [])
    assert (out["before"], out["after"]) == (3, 0)


def test_names_of_arrays_are_taken_and_ignored(fake_hip: Path) -> None:
    out = run(
        """
        device = lanemap.open_device("gfx950", "hip")
        x = device.array(np.arange(3), name="x")
        out = [x.get().tolist(), device.zeros(2, np.int8, name="y").get().tolist(),
               device.empty(4, np.int8, name="z").nbytes]
        """,
        fake_hip,
    )
    assert out == [[0, 1, 2], [0, 0], 4]


def test_the_environment_names_the_gpu(fake_hip: Path) -> None:
    out = run('out = lanemap.open_device("gfx950", "hip").environment()', fake_hip)
    assert (out["gpu"], out["architecture"]) == ("Fake MI", "gfx950:sramecc+:xnack-")
    assert (out["driver_version"], out["compute_units"]) == (70000001, 256)
    assert out["host"]["python"] == platform.python_version()


def test_our_code_objects_carry_their_assembly(fake_hip: Path, tmp_path: Path) -> None:
    out = run(
        f"""
        from lanemap.toolchain import amdgpu, codeobject
        text = amdgpu.compile_to_assembly(AXPY, "gfx950")
        path = {str(tmp_path / "axpy.co")!r}
        open(path, "wb").write(amdgpu.assemble(text, "gfx950"))
        module = lanemap.open_device("gfx950", "hip").load(path)
        parsed = codeobject.read_code_object(open(path, "rb").read())
        out = {{"entries": module.entries, "same": parsed.source == text}}
        """,
        fake_hip,
    )
    assert out == {"entries": ["axpy"], "same": True}


@pytest.mark.parametrize(
    ("body", "variables", "exit_code", "sentence"),
    [
        ("", {"FAKE_HIP_FAILS": "hipGetDeviceCount"}, 3, "needs an AMD GPU, and ROCm sees none"),
        ("", {"FAKE_HIP_ARCH": "gfx942:sramecc+"}, 3, "a GPU of gfx950; the one here is gfx942"),
        ("device.empty(2**31, np.uint8)", {}, 2, "allocating 2147483648 bytes on the GPU failed"),
        ("module['axpie']", {}, 2, "there is no kernel 'axpie'; there are axpy"),
        ("module['axpy'](1, 64, [x])", {}, 2, "axpy takes 5 arguments, 1 were given"),
        ("module['axpy'](1, 64, [1, x, x, x, x])", {}, 2, "argument 0 of axpy is a Python int"),
        ("module['axpy'](1, 64, [x, x, x, x, x])", {}, 2, "has 8 bytes where parameter"),
        ("module['axpy'](1, 2048, args)", {}, 2, "more than the 1024 threads"),
        ("module['axpy'](0, 64, args)", {}, 2, "grid 0 is not one to three positive"),
        ("module['axpy'](1, 64, args, cluster=2)", {}, 2, "AMD GPUs have no clusters"),
        (
            "module['axpy'](1, 64, args)",
            {"FAKE_HIP_FAILS": "hipDeviceSynchronize"},
            2,
            "kernel axpy touched memory outside its arrays",
        ),
    ],
)
def test_what_goes_wrong_is_a_sentence(
    fake_hip: Path, body: str, variables: dict[str, str], exit_code: int, sentence: str
) -> None:
    start = """
    device = lanemap.open_device("gfx950", "hip")
    x = device.zeros(4, np.float32)
    module = device.compile(AXPY)
    args = [x, x, np.float32(1), bytes(12), np.int16(4)]
    """
    out = run(textwrap.dedent(start) + body, fake_hip, **variables)
    assert out["exit"] == exit_code
    assert sentence in out["error"]


def test_a_machine_without_an_amd_gpu_lacks_something() -> None:
    out = run('lanemap.open_device("gfx950", "hip")', None)
    assert out["exit"] == 3
    assert "needs an AMD GPU with its driver" in out["error"]
