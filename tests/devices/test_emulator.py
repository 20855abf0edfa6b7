"""The emulator as a device: what clang compiles from C runs on it as NumPy computes."""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.devices import Device
from lanemap.errors import LanemapError, MissingEnvironment, UserError
from lanemap.toolchain import amdgpu
from tests import ptx

AXPY = """
struct three { int a, b, c; };
extern "C" __attribute__((global)) void
axpy(float *y, const float *x, float a, struct three t, short n) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < n) y[i] += a * x[i] + t.b;
}
"""
N = 150
THREE = np.array([1, 2, 3], np.int32).tobytes()


@pytest.fixture
def device() -> Device:
    return lanemap.open_device("gfx950", "emulator")


def launch(device: Device, module: object, elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Launch axpy over `elements` of arrays that have N; return what came out and what should."""
    x = np.linspace(-1, 1, N, dtype=np.float32)
    y = np.arange(N, dtype=np.float32)
    there, back = device.array(x), device.array(y)
    args = [back, there, np.float32(0.5), THREE, np.int16(elements)]
    module["axpy"](-(-elements // 64), 64, args)  # type: ignore[index]
    # Multiplied by a half and added to small integers: no step rounds differently when fused.
    return back.get(), y + np.float32(0.5) * x + np.float32(2)


def test_compiled_c_computes_what_numpy_does(device: Device) -> None:
    module = device.compile(AXPY)
    assert module.entries == ("axpy",)
    got, expected = launch(device, module, N)
    assert np.allclose(got, expected, rtol=1e-6)
    assert (device.name, device.evidence) == ("emulator", "emulator")
    assert not device.environment()


def test_a_code_object_runs_from_the_assembly_that_it_carries(device: Device) -> None:
    text = amdgpu.compile_to_assembly(AXPY, "gfx950")
    got, expected = launch(device, device.load(amdgpu.assemble(text, "gfx950")), N)
    assert np.allclose(got, expected, rtol=1e-6)


def test_a_foreign_code_object_is_refused(device: Device) -> None:
    text = amdgpu.compile_to_assembly(AXPY, "gfx950")
    ours = amdgpu.assemble(text, "gfx950")
    # The section's name is the only place where the object says ".lanemap.source".
    foreign = ours.replace(b".lanemap.source", b".somebody.elses")
    with pytest.raises(UserError, match=r"carries no section \.lanemap\.source"):
        device.load(foreign)


def test_writing_past_an_array_is_a_sentence(device: Device) -> None:
    with pytest.raises(LanemapError, match=r"150|600|out|outside|beyond"):
        launch(device, device.compile(AXPY), N + 20)


def test_a_reporting_device_collects_hazards() -> None:
    device = lanemap.open_device("gfx950", "emulator", hazards="report")
    got, expected = launch(device, device.compile(AXPY), N + 20)
    assert np.allclose(got, expected, rtol=1e-6)
    assert device.hazards and all(str(hazard) for hazard in device.hazards)


def test_unwritten_bits_are_known(device: Device) -> None:
    empty, zeros = device.empty(4, np.int16), device.zeros(4, np.int16)
    undefined = empty.undefined()
    assert undefined is not None and undefined.shape == (4, 16) and undefined.all()
    assert not zeros.undefined().any()  # type: ignore[union-attr]
    with pytest.raises(LanemapError):
        empty.get()
    empty.set(np.arange(4, dtype=np.int16))
    assert empty.get().tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [0, 1, 63, 4095, 4096, 4097, 100_000])
def test_zeros_are_zero_and_defined(device: Device, size: int) -> None:
    """Pages are only marked; a launch that writes a few bytes leaves the others zero."""
    zeros = device.zeros(size, np.uint8)
    assert zeros.get().tolist() == [0] * size
    assert not zeros.undefined().any()  # type: ignore[union-attr]


def test_a_launch_writes_into_zeros(device: Device) -> None:
    count = 50_000
    zeros = device.zeros(count, np.float32)
    x = device.array(np.ones(count, np.float32))
    device.compile(AXPY)["axpy"](
        1, 64, (zeros.pointer(4 * 20_000), x, np.float32(2), THREE, np.int16(50))
    )
    expected = np.zeros(count, np.float32)
    expected[20_000:20_050] = 2 * 1 + 2
    assert zeros.get().tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ([], "axpy takes 5 arguments, 0 were given"),
        ([1, 2, 3, 4, 5], "argument 0 of axpy is a Python int"),
    ],
)
def test_wrong_arguments_are_named(device: Device, args: list[object], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        device.compile(AXPY)["axpy"](1, 64, args)


def test_what_lies_on_another_device_is_refused(device: Device) -> None:
    """Each device's arrays begin at the same address, so another's would be read in its place."""
    other = lanemap.open_device("gfx950", device="emulator")
    own, far = (each.zeros(64, np.float32) for each in (device, other))
    kernel = device.compile(AXPY)["axpy"]
    for wrong in (far, far.pointer(4)):
        with pytest.raises(UserError, match="^argument 1 of axpy is of another device; make it"):
            kernel(1, 64, (own, wrong, np.float32(2), THREE, np.int16(50)))
    hopper, blackwell = (lanemap.open_device(f"sm_{n}a", device="emulator") for n in (90, 100))
    described = blackwell.tensor_map(blackwell.zeros((8, 64), np.float32), box=(8, 32))
    text = ptx.module(".entry k(.param .align 64 .b8 m[128]) { ret; }\n")
    with pytest.raises(UserError, match="^argument 0 of k is of another device"):
        hopper.load(text)["k"](1, 32, (described,))
    with pytest.raises(UserError, match="describes an array of the device, not ndarray; make"):
        hopper.tensor_map(np.zeros((8, 64), np.float32), box=(8, 32))


def test_an_unknown_instruction_is_refused_with_its_line(device: Device) -> None:
    text = amdgpu.compile_to_assembly(AXPY, "gfx950")
    number = next(i for i, line in enumerate(text.splitlines(), 1) if "s_endpgm" in line)
    with pytest.raises(UserError, match=rf"{number}.*s_end_of_program"):
        device.load(text.replace("s_endpgm", "s_end_of_program"))["axpy"]


CUDA = """
extern "C" __global__ void scale(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
"""


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a", "sm_103a"])
def test_cuda_source_runs_on_the_emulator_of_its_target(target: str) -> None:
    device = lanemap.open_device(target, "emulator")
    try:
        module = device.compile(CUDA)
    except MissingEnvironment:
        pytest.skip("NVRTC is not here")
    x = np.linspace(-1, 1, N, dtype=np.float32)
    there, back = device.array(x), device.zeros(N, np.float32)
    module["scale"](3, 64, [back, there, np.float32(3), np.int32(N)])
    assert np.array_equal(back.get(), np.float32(3) * x)
    with pytest.raises(UserError, match="language 'hip' is not one of cuda, c"):
        device.compile(CUDA, "hip")
