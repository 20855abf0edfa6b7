"""What Python code does with devices, modules, kernels and arrays, and how its slips are told."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.devices import Device
from lanemap.errors import UserError
from tests import ptx

#: A thread for each word: y = 2 x.
PTX = ptx.entry(
    """\
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd1, %r1, 4, %x;
  mad.wide.u32 %rd2, %r1, 4, %y;
  ld.global.u32 %r2, [%rd1];
  shl.b32 %r3, %r2, 1;
  st.global.u32 [%rd2], %r3;""",
    "x y",
    name="twice",
    after=".visible .entry other() { ret; }\n",
)


@pytest.fixture(scope="module")
def device() -> Device:
    return lanemap.open_device("sm_90a", "emulator")


def test_numpy_sees_the_elements(device: Device) -> None:
    x = device.array(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert np.asarray(x).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.array(x, dtype=np.int16).dtype == np.int16
    assert (x == np.arange(6).reshape(2, 3)).all() and (x != 7).all()
    assert np.array_equal(x == x, np.ones((2, 3), np.bool_))
    assert (np.arange(6).reshape(2, 3) == x).all()
    np.testing.assert_array_equal(x, np.arange(6).reshape(2, 3))
    assert np.allclose(x, x.get()) and len({x, x}) == 1
    assert np.array_equal(device.array(x).get(), x.get()), "a copy of an array of the device"
    with pytest.raises(ValueError, match="always copied to the host"):
        np.asarray(x, copy=False)
    with pytest.raises(ValueError, match="truth value of an array with more than one element"):
        bool(x)
    assert bool(device.array([0])) is False and int(device.array([7])[0]) == 7
    with pytest.raises(lanemap.Hazard, match="nothing"):
        np.asarray(device.empty(2, np.int32))


def test_an_array_has_a_length_and_parts(device: Device) -> None:
    host = np.arange(24, dtype=np.int32).reshape(4, 3, 2)
    x = device.array(host)
    assert len(x) == 4 and x.ndim == 3 and [row.shape for row in x] == [(3, 2)] * 4
    for key in (
        1,
        -1,
        slice(1, 3),
        (2, 1),
        (2, slice(1, None)),
        (...,),
        (3, 2, 1),
        slice(4, 9),
        (slice(2, 3), slice(0, 2)),
        (
            1,
            ...,
        ),
        slice(2, None, 5),
    ):
        part, expected = x[key], host[key]
        assert part.shape == expected.shape, key
        assert np.array_equal(part.get(), expected), key
    x[1, 1:] = 9
    host[1, 1:] = 9
    x[-1] = [[1, 2], [3, 4], [5, 6]]
    host[-1] = [[1, 2], [3, 4], [5, 6]]
    assert np.array_equal(x.get(), host)
    for key, sentence in (
        ((slice(None), 0), r"the part \[:, 0\] of an array \(4, 3, 2\) is not contiguous"),
        (slice(None, None, -1), r"the part \[::-1\] .* is not contiguous"),
        ([0, 1], r"has no elements \[\[0, 1\]\]; it takes integers and slices"),
        (None, r"has no elements \[None\]"),
        (1.5, r"has no elements \[1.5\]"),
        (slice(None, None, 0), "slice step cannot be zero"),
    ):
        with pytest.raises(UserError, match=sentence):
            x[key]
    for far in (4, -5, (0, 0, 0, 0), (0, 3)):
        with pytest.raises(IndexError):
            x[far]
    with pytest.raises(UserError, match="the values do not fit the part"):
        x[0] = np.zeros(5)
    with pytest.raises(TypeError, match="no dimensions has no len"):
        len(x[0, 0, 0])


def test_a_part_shares_memory_and_keeps_it(device: Device) -> None:
    kernel = device.load(PTX)["twice"]
    y = device.zeros(8, np.uint32, name="y")
    kernel(1, 2, (device.array(np.array([1, 2], np.uint32)), y[4:6]))
    assert y.get().tolist() == [0, 0, 0, 0, 2, 4, 0, 0]
    part = device.array(np.arange(8, dtype=np.uint32))[6:]
    gc.collect()
    kernel(1, 2, (part, y))
    assert y.get().tolist()[:2] == [12, 14]


def test_a_part_of_adopted_memory_is_a_view_of_it(device: Device) -> None:
    host = np.arange(12, dtype=np.uint32).reshape(3, 4)
    x = device.adopt(host)
    column = x[:, 1]
    assert (column == host[:, 1]).all() and column.strides == (16,)
    column.set(np.array([7, 8, 9], np.uint32))
    assert host[:, 1].tolist() == [7, 8, 9]
    device.load(PTX)["twice"](1, 4, (x[1], x[2]))
    assert host[2].tolist() == (2 * host[1]).tolist()
    assert x[1, 2].shape == () and int(x[1, 2]) == 6


def test_an_array_is_not_copied_by_python(device: Device) -> None:
    x = device.zeros(2, np.int8)
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(UserError, match="neither pickled nor copied by Python; x.get"):
            make(x)
    for name in ("sum", "T", "cpu"):
        with pytest.raises(AttributeError, match=rf"has no '{name}'; x.get\(\) copies it"):
            getattr(x, name)
    assert not hasattr(x, "__array_interface__") and not hasattr(x, "nothing")


def test_modules_and_kernels_show_what_they_are(device: Device) -> None:
    module = device.load(PTX)
    assert list(module) == ["twice", "other"] and len(module) == 2
    assert "twice" in module and "thrice" not in module
    assert repr(device) == "EmulatorDevice('sm_90a')"
    assert repr(module) == "EmulatorModule(twice, other)"
    assert repr(module["twice"]) == "EmulatorKernel(twice(x: 8 bytes, y: 8 bytes))"
    x = device.zeros(3, np.int16)
    assert repr(x) == f"DeviceArray(int16, shape=(3,), address={x.address:#x})"


AMDGCN = '.amdgcn_target "amdgcn-amd-amdhsa--gfx950"\n.text\n'


def test_a_text_for_another_vendor_is_named_as_one(device: Device) -> None:
    with pytest.raises(UserError, match="^the source is assembly for gfx950; a device of sm_90a"):
        device.load(AMDGCN)
    amd = lanemap.open_device("gfx950", device="emulator")
    with pytest.raises(UserError, match="^the source is assembly for sm_90a; a device of gfx950"):
        amd.load(PTX)


@pytest.mark.parametrize("verb", ["load", "compile"])
def test_a_text_of_one_line_is_not_taken_for_a_file_that_is_missing(
    device: Device, verb: str
) -> None:
    with pytest.raises(UserError, match="if it is source text, end it with a newline$"):
        getattr(device, verb)("__global__ void k(int* x) { *x = 1; }" + " " * 5000)
    with pytest.raises(UserError, match=r"^cannot read k\.ptx: No such file"):
        getattr(device, verb)("k.ptx")


def test_a_kernel_is_launched_in_brackets_too(device: Device) -> None:
    kernel = device.load(PTX)["twice"]
    x, y = device.array(np.arange(4, dtype=np.uint32)), device.zeros(4, np.uint32)
    kernel[1, 4](x, y, shared_bytes=64, cluster=1)
    assert y.get().tolist() == [0, 2, 4, 6]
    for key in (1, (1,), (1, 4, 0), "ab"):
        with pytest.raises(UserError, match=r"write twice\[grid, block\]\(x, y\)"):
            kernel[key]  # type: ignore[index]
    with pytest.raises(UserError, match="argument 0 of twice is a Python tuple"):
        kernel[1, 4]((x, y), y)


@pytest.mark.parametrize("grid", [1, [1], np.int32(1), np.array([1, 1]), range(1, 2), (1, 1, 1)])
def test_a_grid_need_not_be_a_tuple(device: Device, grid: Any) -> None:
    y = device.zeros(4, np.uint32)
    device.load(PTX)["twice"](grid, 4, (device.array(np.ones(4, np.uint32)), y))
    assert y.get().tolist() == [2] * 4


WRONG = ("4", 1.5, None, {"x": 1}, 1j, object(), lambda meta: (1,))


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: type(value).__name__)
def test_a_number_of_another_type_is_a_sentence(device: Device, wrong: Any) -> None:
    kernel, x = device.load(PTX)["twice"], device.zeros((8, 16), np.float16)
    corner = (0, 0)
    calls = {
        "grid .* is not one to three positive integers": lambda: kernel(wrong, 1, (x, x)),
        "block .* is not one to three positive": lambda: kernel(1, wrong, (x, x)),
        "cluster .* is not one to three positive": lambda: kernel(1, 1, (x, x), 0, wrong),
        "shared_bytes .* is not an integer": lambda: kernel(1, 1, (x, x), wrong),
        "shape .* is not a sequence of integers": lambda: device.zeros(wrong, np.float32),
        "shape .* is not a sequence": lambda: device.empty((2, wrong), np.float32),
        "byte offset .* is not an integer": lambda: x.pointer(wrong),
        "box .* is not a sequence of integers": lambda: device.tensor_map(x, (wrong, 8)),
        "sizes .* is not a sequence": lambda: device.tensor_map(x, (8, 8), sizes=[wrong]),
        "strides .* is not a sequence": lambda: device.tensor_map(x, (8, 8), strides=[wrong]),
        "element_strides .* is not a": lambda: device.tensor_map(
            x, (8, 8), element_strides=[wrong, 1]
        ),
        "channels_per_pixel .* is not an integer": lambda: device.tensor_map_im2col(
            device.zeros((2, 8, 8, 64), np.float16), corner, corner, wrong, 8
        ),
        "pixel_box_lower_corner .* is not a sequence": lambda: device.tensor_map_im2col(
            device.zeros((2, 8, 8, 64), np.float16), wrong, corner, 8, 8
        ),
    }  # fmt: skip
    for sentence, call in calls.items():
        with pytest.raises(UserError, match=sentence):
            call()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda d: d.zeros(2, "bf16"), "'bf16' is not a NumPy dtype"),
        (lambda d: d.array([[1], [1, 2]]), "the values do not form an array"),
        (lambda d: d.load(3), "3 is not a path; pass a str, bytes or pathlib.Path"),
        (lambda d: d.load("a\0b"), "is not the path of a file"),
        (lambda d: d.load(""), "'' is not the path of a file"),
        (lambda d: d.compile("int x;\n", "cuda", "-DX"), "options '-DX' must be a sequence of str"),
        (lambda d: d.compile("int x;\n", "cuda", [3]), r"options \[3\] must be a sequence of str"),
        (lambda d: setattr(d, "instruction_limit", "x"), "a limit of .* 'x' is not an integer"),
        (lambda d: setattr(d, "multiprocessors", 1.5), "multiprocessors 1.5 is not an integer"),
        (lambda d: d.trace(3).__enter__(), "3 is not a path"),
        (lambda d: d.trace("t.csv", "x").__enter__(), "most_rows 'x' is not an integer"),
        (lambda d: d.tensor_map(3, (1,)), "a tensor map describes an array of the device, not int"),
        (lambda d: d.tensor_map_im2col(3, (0,), (0,), 1, 1), "describes an array of the device"),
    ],
)  # fmt: skip
def test_what_is_of_another_type_is_a_sentence(device: Device, call: Any, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        call(device)


@pytest.mark.parametrize("file", ["/dev/zero", "/dev/null", "/dev/tty", "pipe"])
def test_only_regular_files_are_read(device: Device, file: str, tmp_path: Path) -> None:
    if file == "pipe":
        os.mkfifo(tmp_path / file)
        file = str(tmp_path / file)
    with pytest.raises(UserError, match="it is a pipe or a device; name a regular file"):
        device.load(file)


def test_a_file_that_is_too_large_is_not_read(device: Device, tmp_path: Path) -> None:
    path = tmp_path / "huge.ptx"
    with path.open("wb") as stream:
        stream.truncate(1 << 42)  # sparse
    with pytest.raises(UserError, match="it has 4398046511104 bytes, and lanemap reads files of"):
        device.load(path)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("H200", "sm_90a"), ("h100", "sm_90a"), ("NVIDIA H100 80GB HBM3", "sm_90a"),
        ("B200", "sm_100a"), ("GB300", "sm_103a"), ("mi355x", "gfx950"),
        ("AMD Instinct MI355X", "gfx950"), ("Jetson Orin Nano", "sm_87"), ("dgx spark", "sm_121a"),
        ("sm_90", "sm_90a"), ("sm_100f", "sm_100a"), ("sm_121", "sm_121a"),
    ],
)  # fmt: skip
def test_a_gpu_names_its_target(name: str, target: str) -> None:
    """NVIDIA's list of compute capabilities; LLVM's of AMDGPU processors."""
    assert lanemap.open_device(name, "emulator").target == target


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("sm100a", "did you mean sm_100a\\?$"),
        ("SM_103", "did you mean sm_103a\\?$"), ("gfx950:xnack-", "did you mean gfx950\\?$"),
        ("MI300", "did you mean gfx942\\?$"), ("RTX", "says too little"),
        ("MI100", r"the targets are .*gfx950 \(MI350X, MI355X\), sm_75"),
        ("sm_80a", "did you mean sm_80\\?$"), ("sm_70", "the targets are"),
        ("Jetson AGX", r"may be Jetson AGX Orin \(sm_87\), Jetson AGX Thor \(sm_110a\); name one"),
        ("rtx 6000", r"too little: it may be RTX 6000 Ada \(sm_89\), RTX PRO 6000 \(sm_120a\)"),
        (3, "3 is not a target"), ([], r"\[\] is not a target"),
    ],
)  # fmt: skip
def test_a_near_miss_says_the_right_name(name: Any, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        lanemap.open_device(name)


def test_options_of_open_device_have_types() -> None:
    for given, sentence in (
        ({"strict": "yes"}, "strict is 'yes'; it must be True or False"),
        ({"models": {"x": 1}}, "models must be layout maps by the names of variants"),
        ({"banks": 3}, "banks is 3; it must be a sequence of bank rules"),
    ):
        options: dict[str, Any] = given
        with pytest.raises(UserError, match=sentence):
            lanemap.open_device("sm_90a", "emulator", **options)


def test_errors_are_public_and_dir_names_what_is_public() -> None:
    assert issubclass(lanemap.Hazard, lanemap.LanemapError)
    code = (
        "import lanemap; print(*dir(lanemap)); "
        "print(all(getattr(lanemap, name) for name in dir(lanemap)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, usable = done.stdout.splitlines()
    assert {"open_device", "kernel", "Hazard", "LanemapError", "UserError"} <= set(names.split())
    assert "Any" not in names.split() and usable == "True"


def test_python_runs_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lanemap", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{lanemap.__version__}\n"
