"""Scripts of libraries that load libcuda.so.1 are right, and broken twins are found.

They have the shape of each library's documentation and examples. The libraries keep contexts of a
driver, so each script runs in a process of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

from lanemap.check.driver_api import refusals
from lanemap.check.imports import changing_modules
from lanemap.check.libcuda.packages import VERSIONS, installed
from lanemap.errors import MissingEnvironment, UserError
from tests.doors import pairs

#: The folder of each door's scripts, and the module that they import.
DOORS = {
    "numba": "numba_cuda", "cuda_core": "cuda.core", "cuda_bindings": "cuda.bindings",
    "warp": "warp",
}  # fmt: skip
BESIDE_CUTE = importlib.util.find_spec("cutlass") is not None


def needs(door: str) -> list[pytest.MarkDecorator]:
    """What a test of a door is marked with."""
    module = DOORS[door]
    missing = BESIDE_CUTE or not installed(module).startswith(f"{VERSIONS[module][1]}.")
    reason = f"needs {VERSIONS[module][0]} and no CuTe DSL: make doors"
    return [pytest.mark.slow, pytest.mark.skipif(missing, reason=reason)]


def written(code: str, folder: Path) -> Path:
    """A script of a text."""
    script = folder / "script.py"
    script.write_text(code)
    return script


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, marks=needs(door), id=f"{door}-{script.stem}")
        for door in DOORS
        for script in pairs.scripts(door)
    ],
)
def test_a_script_is_right_and_its_twins_are_found(script: Path, tmp_path: Path) -> None:
    pairs.judge(script, tmp_path, "sm_90a", apart=True)


@pytest.mark.parametrize("module", VERSIONS)
def test_another_version_is_refused_in_a_sentence(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packages of the right names stand there, one of a version that nobody has tried."""
    for name, (package, known) in VERSIONS.items():
        folder = tmp_path.joinpath(*name.split("."))
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        version = "99.1" if name == module else f"{known}.0"
        about = tmp_path / f"{package.replace('-', '_')}-{version}.dist-info"
        about.mkdir()
        text = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n"
        (about / "METADATA").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    for loaded in [
        name for name in sys.modules if name.split(".")[0] in ("cuda", "numba_cuda", "warp")
    ]:
        monkeypatch.delitem(sys.modules, loaded)
    package, known = VERSIONS[module]
    with changing_modules(refusals()), pytest.raises(MissingEnvironment) as refused:
        importlib.import_module(module)
    assert str(refused.value) == (
        f"lanemap checks scripts with {package} {known}; this is 99.1: run "
        f"pip install '{package}=={known}.*'"
    )


def refusal(door: str, code: str, sentence: str) -> object:
    return pytest.param(code, sentence, marks=needs(door), id=sentence.split()[0].strip("\\"))


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        refusal(
            "warp",
            "import warp as wp\n"
            "x = wp.zeros(8, dtype=int, device='cuda')\n"
            "wp.utils.array_scan(x, x)\n",
            r"script.py:3: Warp's wp_array_scan_int_device is not supported: it runs machine code",
        ),
        refusal(
            "cuda_bindings",
            "from cuda.bindings import runtime\nruntime.cudaMalloc3D(runtime.cudaExtent())\n",
            r"script.py:2: cuda.bindings.runtime.cudaMalloc3D has no counterpart",
        ),
    ],
)
def test_what_is_not_served_is_refused_by_name(code: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=sentence):
        pairs.run(written(code, tmp_path), "sm_90a", apart=True)


#: What a script begins with that finds no nvJitLink, whether it is installed or not.
WITHOUT_NVJITLINK = """
from cuda import pathfinder
load = pathfinder.load_nvidia_dynamic_lib
def load_all_but_one(name):
    if name == "nvJitLink":
        raise pathfinder.DynamicLibNotFoundError(name)
    return load(name)
pathfinder.load_nvidia_dynamic_lib = load_all_but_one
"""


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=needs("numba")) for each in ("cooperative", "vector_add")]
)
def test_numba_links_by_the_driver_where_nvjitlink_is_not(name: str, tmp_path: Path) -> None:
    """The other tests link by our nvJitLink, which NVIDIA's package makes numba-cuda ask for."""
    code = (pairs.HERE / "numba" / f"{name}.py").read_text()
    asked = "from cuda.core._linker import _decide_nvjitlink_or_driver as by_driver\n"
    script = written(f"{WITHOUT_NVJITLINK}{code}{asked}assert by_driver()\n", tmp_path)
    pairs.judge_right(script, "sm_90a", apart=True)


@pytest.mark.parametrize("door", [pytest.param("cuda_core", marks=needs("cuda_core"))])
def test_a_graph_of_cuda_core_fails_and_is_named(door: str, tmp_path: Path) -> None:
    code = (
        "from cuda.core import Device\n"
        "device = Device()\n"
        "device.set_current()\n"
        "device.create_stream().create_graph_builder().begin_building()\n"
    )
    outcome = pairs.run(written(code, tmp_path), "sm_90a", apart=True)
    assert "raised CUDAError" in outcome.ended
    assert "cuStreamBeginCapture_v2 is not supported" in outcome.findings.lacking


@pytest.mark.parametrize(
    ("lineinfo", "place"),
    [
        pytest.param(True, ("script.py", 4), marks=needs("numba")),
        pytest.param(False, None, marks=needs("numba")),
    ],
)
def test_numba_names_lines_where_it_is_asked_to(
    lineinfo: bool, place: tuple[str, int] | None, tmp_path: Path
) -> None:
    code = (
        "from numba import cuda\n"
        f"@cuda.jit(lineinfo={lineinfo})\n"
        "def write(x):\n"
        "    x[cuda.grid(1)] = 1\n"
        "write[1, 32](cuda.device_array(31))\n"
    )
    (hazard,) = pairs.run(written(code, tmp_path), "sm_90a", apart=True).findings.hazards
    found = hazard.place and (Path(hazard.place[0]).name, hazard.place[1])
    assert (hazard.kind, found) == ("out-of-bounds", place)
