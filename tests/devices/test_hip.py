"""The hip device: the real hip-python over a driver library whose GPU is the emulator."""

import json
import os
import platform
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap import paths
from lanemap.errors import UserError
from lanemap.records.environment import STAND_IN
from lanemap.records.kinds import hold_to_schema
from lanemap.records.schema import Record

# Two pointers, a float, a struct of three ints and a short: by the rules of C their offsets are
# 0, 8, 16, 20 and 32, and the kernel arguments end at byte 34.
KERNELS = """
    struct three { int a, b, c; };
    #define KERNEL extern "C" __attribute__((global)) void
    KERNEL axpy(float *y, const float *x, float a, struct three t, short n) {
      int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
      if (i < n) y[i] += a * x[i] + t.b * (t.a + t.c);
    }
    extern __attribute__((shared)) int room[];
    KERNEL turn(int *y, const int *x) {
      int group = __builtin_amdgcn_workgroup_id_x() + 3 * __builtin_amdgcn_workgroup_id_y();
      int lane = __builtin_amdgcn_workitem_id_x();
      room[lane] = x[64 * group + lane];
      __builtin_amdgcn_s_barrier();
      y[64 * group + lane] = room[63 - lane];
    }
    KERNEL undefined(int *y, int *never) { if (never[0] == 7) y[0] = 1; }
    KERNEL empty() {}
"""

PRELUDE = """
    import ctypes, json, os, sys
    import numpy as np
    import lanemap
    from lanemap.errors import LanemapError
    from lanemap.probing.run import run_probe
    from lanemap.toolchain import amdgpu, codeobject

    def live():
        return ctypes.CDLL(os.environ["ROCM_PATH"] + "/lib/libamdhip64.so").live_allocations()

    def error(work):
        try:
            return f"no error: {work()}"
        except LanemapError as problem:
            return str(problem)

    KERNELS = os.environ["KERNELS"]
    out = {}
    try:
"""
EPILOGUE = """
    except LanemapError as problem:
        out = {"error": str(problem), "exit": problem.exit_code}
    print(json.dumps(out))
"""


def run(body: str, stand_in: dict[str, str], **variables: str) -> Any:
    """Run Python in a process of its own: a driver library is found once, when it is loaded."""
    environment = {**os.environ, "KERNELS": textwrap.dedent(KERNELS), **stand_in, **variables}
    inner = textwrap.indent(textwrap.dedent(body), "    ")
    script = textwrap.dedent(PRELUDE) + inner + textwrap.dedent(EPILOGUE)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_kernels_get_their_arguments_and_give_their_results(stand_in: dict[str, str]) -> None:
    out = run(
        """
        device = lanemap.open_device("gfx950")
        x = device.array(np.arange(200, dtype=np.float32))
        y = device.array(np.ones(150, np.float32))
        module = device.compile(KERNELS)
        struct = np.array([1, 2, 3], np.int32).tobytes()
        args = [y.pointer(8), x.pointer(16), np.float32(1.5), struct, np.int16(148)]
        module["axpy"](3, 64, args)
        n = device.array(np.arange(6 * 64, dtype=np.int32))
        turned = device.empty(6 * 64, np.int32)
        module["turn"]((3, 2), 64, [turned, n], shared_bytes=256)
        module["empty"](1, 64, [])
        out = {"device": [device.name, device.evidence], "entries": module.entries,
               "y": y.get().tolist(), "turned": turned.get().tolist()}
        """,
        stand_in,
    )
    expected = np.ones(150, np.float32)
    expected[2:] += 1.5 * np.arange(4, 152) + 2 * (1 + 3)
    assert out["device"] == ["emulator", "emulator"]  # it found the library; no GPU is behind it
    assert out["entries"] == ["axpy", "turn", "undefined", "empty"]
    assert out["y"] == expected.tolist()
    assert out["turned"] == np.arange(384).reshape(6, 64)[:, ::-1].reshape(-1).tolist()


def test_arrays_go_there_and_back_and_are_freed(stand_in: dict[str, str]) -> None:
    out = run(
        """
        device = lanemap.open_device("gfx950", "hip")
        x = device.array(np.arange(6, dtype=np.int16).reshape(2, 3), name="x")
        y, nothing = device.zeros(4, np.float64, name="y"), device.array(np.zeros((0,), np.int8))
        out = {"x": x.get().tolist(), "y": y.get().tolist(), "none": nothing.get().tolist()}
        out["before"] = live()
        del x, y, nothing
        out["after"] = live()
        """,
        stand_in,
    )
    assert out["x"] == [[0, 1, 2], [3, 4, 5]]
    assert (out["y"], out["none"]) == ([0.0] * 4, [])
    assert (out["before"], out["after"]) == (3, 0)


def test_what_the_stand_in_found_is_never_silicon(stand_in: dict[str, str]) -> None:
    body = """
        device = lanemap.open_device("gfx950", "hip")
        out = [device.name, device.evidence, device.environment(), device.hardware()]
        """
    name, evidence, environment, hardware = run(body, stand_in)
    assert (name, evidence, environment) == ("emulator", "emulator", {})
    assert (hardware["gpu"], hardware["architecture"]) == (STAND_IN, "gfx950:sramecc+:xnack-")
    assert (hardware["driver_version"], hardware["compute_units"]) == (70000001, 256)
    assert hardware["memory_bytes"] == 1 << 32
    assert hardware["host"]["python"] == platform.python_version()
    with pytest.raises(UserError, match="has evidence silicon and no environment"):
        Record("tr8", "gfx950", "hip", "silicon", environment=environment)
    tracked = json.loads((paths.find("results") / "gfx950/emulator/tr8.json").read_text())
    for gpu, fault in ((STAND_IN, "is not a GPU"), ("AMD Instinct MI355X", None)):
        row = tracked | {"device": "hip", "evidence": "silicon"}
        row["environment"] = hardware | {"gpu": gpu}
        if fault:
            with pytest.raises(UserError, match=fault):
                hold_to_schema(json.dumps(row), "layout_map")
        else:
            hold_to_schema(json.dumps(row), "layout_map")


def test_our_code_objects_carry_their_assembly(stand_in: dict[str, str], tmp_path: Path) -> None:
    out = run(
        f"""
        text = amdgpu.compile_to_assembly(KERNELS, "gfx950")
        path = {str(tmp_path / "kernels.co")!r}
        open(path, "wb").write(amdgpu.assemble(text, "gfx950"))
        module = lanemap.open_device("gfx950", "hip").load(path)
        parsed = codeobject.read_code_object(open(path, "rb").read())
        out = {{"entries": module.entries, "same": parsed.source == text}}
        """,
        stand_in,
    )
    assert out == {"entries": ["axpy", "turn", "undefined", "empty"], "same": True}


START = """
    device = lanemap.open_device("gfx950", "hip")
    x = device.zeros(4, np.float32)
    module = device.compile(KERNELS)
    axpy = module["axpy"]
    args = [x, x, np.float32(1), bytes(12), np.int16(4)]
    runtime, memory = device._runtime, device._memory
    image = amdgpu.assemble(amdgpu.compile_to_assembly(KERNELS, "gfx950"), "gfx950")
    def other(target, section):
        text = amdgpu.compile_to_assembly(KERNELS, target)
        return amdgpu.assemble(text, target).replace(b".lanemap.source", section)
"""
WRONG = {
    "device.empty(2**33, np.uint8)": "allocating 8589934592 bytes on the GPU failed: out of memory",
    "module['axpie']": "there is no kernel 'axpie'; the kernels are axpy",
    "axpy(1, 64, [x])": "axpy takes 5 arguments, 1 were given",
    "axpy(1, 64, [1, x, x, x, x])": "argument 0 of axpy is a Python int",
    "axpy(1, 64, [x, x, x, x, x])": "has 8 bytes where parameter",
    "axpy(1, 2048, args)": "more than the 1024 threads",
    "axpy(0, 64, args)": "grid 0 is not one to three positive",
    "axpy(1, 64, args, cluster=2)": "AMD GPUs have no clusters",
    "axpy(1, 64, args, shared_bytes=200000)": "kernel axpy failed: invalid argument",
    "memory.read(4096, 4)": "hipMemcpy failed: invalid argument (hipErrorInvalidValue)",
    "memory.write(x.address + 8, bytes(16))": "hipMemcpy failed: invalid argument",
    "memory.zero(x.address - 4, 8)": "hipMemset failed: invalid argument",
    "runtime.call('hipFree', 4096)": "hipFree failed: invalid argument",
    "runtime.call('hipModuleGetFunction', module._handle, b'axpie')":
        "hipModuleGetFunction failed: named symbol not found (hipErrorNotFound)",
    "runtime.call('hipModuleLoadData', bytes(64))": "device kernel image is invalid",
    "device.load(image[:1000])": "is not a complete ELF object",
    "device.load(other('gfx942', b'.lanemap.source'))": "is for gfx942, this GPU is gfx950",
    "device.load(other('gfx950', b'.somebody.else.'))":
        "loading the source failed: no kernel image is available for execution on the device",
    "axpy.prepare(1, 64, args, overlaps=True)": "no programmatic dependent launch",
    "device.burst([axpy.prepare(1, 64, args)])": "timing needs an AMD GPU",
    "run_probe('lds_banks', 'gfx950', 'hip')": "counts nothing through it; use --device emulator",
}  # fmt: skip


def test_what_goes_wrong_is_a_sentence(stand_in: dict[str, str]) -> None:
    works = ", ".join(f"lambda: {work}" for work in WRONG)
    again = "axpy(1, 64, args); out.append(x.get().tolist())"
    out = run(f"{START}\n    out = [error(work) for work in ({works})]\n    {again}", stand_in)
    for said, (work, sentence) in zip(out, WRONG.items(), strict=False):
        assert sentence in said, work
    assert out[-1] == [0.0] * 4  # none of it broke the GPU


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        ("axpy(1, 64, [*args[:4], np.int16(64)])", "kernel axpy touched memory outside its arrays"),
        (
            "module['undefined'](1, 64, [x, device.empty(1, np.int32)])",
            "kernel undefined was stopped by a fault on the GPU (hipErrorLaunchFailure)",
        ),
    ],
)
def test_after_a_fault_every_call_fails(stand_in: dict[str, str], work: str, sentence: str) -> None:
    works = f"lambda: {work}, x.get, lambda: axpy(1, 1, args)"
    body = f"{START}\n    out = [error(work) for work in ({works})]"
    for said in (out := run(body, stand_in)):
        assert "this process can no longer use the GPU; start a new one" in said
    assert sentence in out[0]


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"STAND_IN_FAILS": "hipGetDeviceCount"}, "needs an AMD GPU, and ROCm sees none"),
        ({"STAND_IN_ARCH": "gfx942:sramecc+"}, "a GPU of gfx950; the one here is gfx942"),
        ({"ROCM_PATH": "/nowhere"}, "needs an AMD GPU with its driver"),
    ],
)
def test_a_machine_without_the_gpu_lacks_something(
    stand_in: dict[str, str], variables: dict[str, str], sentence: str
) -> None:
    out = run('lanemap.open_device("gfx950", "hip")', stand_in, **variables)
    assert out["exit"] == 3
    assert sentence in out["error"]


def test_work_is_timed_between_two_events(stand_in: dict[str, str]) -> None:
    # The stand-in's launch takes one millisecond by its own definition.
    body = """
        from lanemap.devices.hip_timing import Burst
        device = lanemap.open_device("gfx950", "hip")
        n = device.array(np.zeros(64, np.int32))
        module = device.compile(KERNELS)
        launch = module["turn"].prepare(1, 64, [n, n], shared_bytes=256)
        def twice(stream):
            launch(stream)
            launch(stream)
        work = [launch], [twice], [launch, twice]
        bursts = [Burst(device._runtime, each) for each in work]
        out = [burst.run(count, lead) for burst in bursts for count, lead in ((1, 0), (7, 3))]
        """
    # Both in turn take 1.5 milliseconds on the average: whole turns alone are timed.
    assert run(body, stand_in) == [[t, {}] for t in (1.0, 1.0, 2.0, 2.0, 1.5, 1.5)]


SLOW_PROBES = ("tr16", "tr4", "tr6", "tr8_broadcast")


@pytest.mark.parametrize(
    "probe", ["tr8", *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW_PROBES)]
)
def test_probes_find_what_they_find_on_the_emulator(
    stand_in: dict[str, str], tmp_path: Path, probe: str
) -> None:
    command = ["-m", "lanemap.cli", "probe", probe, "--device", "hip", "--out", str(tmp_path)]
    environment = {**os.environ, **stand_in}
    done = subprocess.run([sys.executable, *command], env=environment, check=False)
    assert done.returncode == 0
    found = (tmp_path / f"gfx950/emulator/{probe}.json").read_bytes()
    assert found == (paths.find("results") / f"gfx950/emulator/{probe}.json").read_bytes()
