"""Releases of Triton: the process that compiles for one, and what a launch of its text shows."""

from __future__ import annotations

import json
import site
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import ziglang

from lanemap.conformance.forms.packing import unpack
from lanemap.conformance.museum.exhibit import WRONG_RESULT, Exhibit
from lanemap.paths import find, import_file
from lanemap.records.files import read_record
from tools.compilers import amd_history, releases, triton_child, triton_faults

MUSEUM = find("museum")


def stored(name: str, version: str) -> dict[str, Any]:
    """What the museum keeps of a script, as a release's process prints it."""
    about = json.loads((MUSEUM / "compiled" / f"{name}.json").read_text())
    text = (MUSEUM / "compiled" / f"{name}.{version}.ptx").read_text()
    return {"text": text, **{key: about[key] for key in ("threads", "shared_bytes", "cluster")}}


def shown(name: str, made: dict[str, Any], **changed: Any) -> dict[str, Any]:
    module = import_file(MUSEUM / f"{name}.py")
    one: Exhibit = replace(module.EXHIBIT, **changed)
    return triton_faults.run(module, one, made)


def test_only_the_exhibits_own_hazard_is_its_fault() -> None:
    faulty = stored("in_place", "faulty")
    (name, sentence), *more = shown("in_place", faulty).items()
    assert name == "error" and "is missing between them" in sentence and not more
    for changed in ({"kind": "pending"}, {"says": "words that no report has"}):
        assert shown("in_place", faulty, **changed) == {"other": sentence}
    assert shown("in_place", stored("in_place", "fixed")) == {"as promised": True}


def test_a_wrong_result_without_a_hazard_is_a_fault() -> None:
    made = stored("in_place", "fixed")
    one_more = "add.s32 \t%r4, %r3, 1;"
    assert made["text"].count(one_more) == 1
    text = made["text"].replace(one_more, "add.s32 \t%r4, %r3, 2;")
    assert shown("in_place", {**made, "text": text}) == {"error": WRONG_RESULT}


def test_a_process_compiles_with_the_release_on_its_path() -> None:
    """The environment's own release: the fault is in its text, and not in the mended one."""
    pytest.importorskip("triton")
    (folder,) = (Path(each) for each in site.getsitepackages() if Path(each, "triton").is_dir())
    (script,) = (each for each in triton_faults.scripts() if each.stem == "in_place")
    made = triton_faults.compiled(script, "faulty", folder)
    about = stored("in_place", "faulty")
    assert {**made, "text": ""} == {**about, "text": ""}
    assert "error" in shown("in_place", made)


NAMED = {"x": "*fp32", "n": "i32"}
#: Signature, constants and attributes of `f(x, n, BLOCK)`, x aligned to 16 bytes, as the releases'
#: `ASTSource` and `AttrsDescriptor` take them (Triton, python/triton/compiler/compiler.py).
TAKES = {
    "3.0.0": ({0: "*fp32", 1: "i32"}, {2: 64}, ("divisible", (0,), ())),
    "3.1.0": ({0: "*fp32", 1: "i32"}, {2: 64}, ("divisible", (0,), ())),
    "3.2.0": (NAMED, {"BLOCK": 64}, ("hints", {0: 16})),
    "3.3.1": (NAMED | {"BLOCK": "constexpr"}, {"BLOCK": 64}, {(0,): [["tt.divisibility", 16]]}),
}


class Hints:
    """`AttrsDescriptor` of Triton 3.2."""

    @staticmethod
    def from_hints(hints: Any) -> Any:
        return ("hints", hints)


@pytest.mark.parametrize("release", TAKES)
def test_a_source_is_made_as_the_release_takes_it(
    release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Any] = {
        "triton": {"__version__": release},
        "triton.compiler": {
            "ASTSource": lambda *given: given,
            "AttrsDescriptor": lambda *given: ("divisible", *given),
        },
        "triton.backends": {},
        "triton.backends.compiler": {"AttrsDescriptor": Hints},
    }
    for name, held in made.items():
        module = ModuleType(name)
        vars(module).update(held)
        monkeypatch.setitem(sys.modules, name, module)
    kernel = SimpleNamespace(arg_names=["x", "n", "BLOCK"])
    assert triton_child._source(kernel, NAMED, {"BLOCK": 64}) == (kernel, *TAKES[release])


def test_a_release_that_refuses_a_script_is_quoted(tmp_path: Path) -> None:
    package = tmp_path / "triton"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('no such pass')")
    found = triton_faults.outcome(triton_faults.scripts()[0], "faulty", tmp_path)
    assert found == {"runs": 0, "the same": 0, "refused": "RuntimeError: no such pass"}


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_rows_of_clang_add_up_to_what_the_clang_here_knows(target: str) -> None:
    place = find("results") / target / "clang" / "compiler_releases.json"
    now: set[str] = set()
    for release in read_record(place).findings["forms"]["releases"]:
        now = (now | set(unpack(release["gained"]))) - set(unpack(release["lost"]))
        assert len(now) == release["accepted"] == sum(release["families"].values())
    zig = str(Path(ziglang.__file__).with_name("zig"))
    names = [*sorted(now), "v_no_instruction_of_amd", "v_wmma_f32_16x16x16_f16"]
    assert amd_history.known(zig, target, names) == now
    assert amd_history.known(zig, "gfx0", names) == set()


def test_at_most_25_wheels_are_asked() -> None:
    names = [each.name for each in releases.RELEASES]
    assert len(set(names)) == len(names) <= 25
