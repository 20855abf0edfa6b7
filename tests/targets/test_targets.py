"""Definitions of targets, held to what an H200 said and to what ptxas accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lanemap import open_device, paths
from lanemap.conformance.forms.coverage import text_of
from lanemap.conformance.forms.judge import judge
from lanemap.conformance.forms.judged import FAMILIES, accepted, all_forms, judged_targets
from lanemap.errors import UserError
from lanemap.targets import (
    FEATURES,
    TARGETS,
    defined_for,
    features_of,
    gpu_of,
    having,
    reach,
    runs_on,
)
from tests.sampled import sampled

ROWS = paths.find("results") / "sm_90a" / "cuda"
#: A form of each feature. The emulator alone knows whether a GPU heeds the swizzle atomicity.
TELLING = {
    "matrices of sm_80": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "bf16": "fma.rn.bf16", "tf32": "cvt.rna.tf32.f32", "relu and NaN": "min.NaN.f32",
    "cache policies": "createpolicy.cvt.L2.b64", "cp.async": "cp.async.ca.shared.global (4 bytes)",
    "mbarrier": "mbarrier.init.b64", "redux": "redux.sync.add.u32",
    "xorsign": "min.xorsign.abs.f32", "FP8": "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "clusters": "mapa.u32", "bulk copies": "cp.async.bulk.global.shared::cta.bulk_group",
    "mbarrier.try_wait": "mbarrier.try_wait.b64", "elect": "elect.sync",
    "griddepcontrol": "griddepcontrol.launch_dependents",
    "stmatrix": "stmatrix.sync.aligned.m8n8.x1.b16", "bf16 arithmetic": "add.rn.bf16",
    "bf16 comparisons": "setp.lt.bf16", "bf16 conversions": "cvt.f64.bf16",
    "bf16 atomics": "atom.add.noftz.bf16", "vector atomics": "atom.global.add.v4.f32",
    "128-bit atomics": "atom.exch.b128", "pairs of 16 bits": "max.s16x2", "oob": "fma.rn.oob.f16",
    "tf32 roundings": "cvt.rz.tf32.f32",
    "f64 matrices of sm_90": "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
    "proxy fences": "fence.proxy.async", "256-bit accesses": "ld.global.v8.b32",
    "packed f32": "add.f32x2", "mixed arithmetic": "add.f32.bf16",
    "three operands": "max.f32 (three)", "tf32.satfinite": "cvt.rn.satfinite.tf32.f32",
    "tile::gather4": "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4"
    ".mbarrier::complete_tx::bytes",
    "release to global": "st.async.release.gpu.b8", "st.bulk": "st.bulk",
    "clusterlaunchcontrol": "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes"
    ".b128",
    "cp_mask": "cp.async.bulk.global.shared::cta.bulk_group.cp_mask",
    "wgmma": "wgmma.fence.sync.aligned", "setmaxnreg": "setmaxnreg.inc.sync.aligned.u32",
    "tensormap.replace": "tensormap.replace.tile.fill_mode.b1024.b32 (0)",
    "tcgen05": "tcgen05.alloc.cta_group::1.sync.aligned.b32",
    "gather4 to a cluster": "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4",
    "tile::scatter4": "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group",
    "tensor copies of pairs": "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4"
    ".mbarrier::complete_tx::bytes.multicast::cluster.cta_group::1",
    "redux of f32": "redux.sync.max.f32",
    "tensor map fields": "tensormap.replace.tile.swizzle_atomicity.b1024.b32 (0)",
    "matrices of bytes": "ldmatrix.sync.aligned.m16n16.x1.trans.b8",
    "narrow conversions": "cvt.rz.ue8m0x2.f32",
    "mma.sync.kind::f8f6f4": "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f16.e4m3.e4m3.f16",
    "block-scaled mma.sync": "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1"
    ".e2m1.f32.ue8m0",
    "tcgen05.kind::i8": "tcgen05.mma.cta_group::1.kind::i8",
}  # fmt: skip
#: Every `.target` that ptxas 13.0 takes.
NAMES = (
    "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100f sm_100a sm_103 sm_103f "
    "sm_103a sm_110 sm_110f sm_110a sm_120 sm_120f sm_120a sm_121 sm_121f sm_121a"
).split()
#: A refusal of ptxas that another target would not get.
OF_TARGET = re.compile(r"requires \.target|not supported on \.target")
#: Forms that are tried: one of so many of each family, another one for each target.
EVERY = 1500


@pytest.mark.parametrize("name", TARGETS)
def test_a_definition_is_whole(name: str) -> None:
    target = TARGETS[name]
    limits = target.limits
    assert target.name == name
    assert limits.threads <= limits.threads_of_sm and limits.threads % limits.lanes == 0
    assert limits.shared_bytes + limits.reserved_shared_bytes <= limits.shared_bytes_of_sm
    assert bool(limits.tensor_memory_columns) == ("tcgen05" in features_of(name))
    assert target.rates is None or target.rates.citation


def test_an_h200_said_what_stands_in_its_definition() -> None:
    """In the environment of each row of silicon (benchmarks keep theirs within each run)."""
    gpu, target = TARGETS["sm_90a"].gpu, TARGETS["sm_90a"]
    rows = {path: json.loads(path.read_text())["environment"] for path in ROWS.glob("*.json")}
    told = {path: said for path, said in rows.items() if "gpu" in said}
    assert told
    for path, said in told.items():
        assert (said["gpu"], said["multiprocessors"]) == (gpu.name, gpu.multiprocessors), path
        assert said["memory_bytes"] == gpu.memory_bytes, path
        assert said["l2_bytes"] == gpu.last_level_cache_bytes, path
        assert said["card"]["max_sm_clock_mhz"] * 1000 == gpu.clock_khz, path
        assert said["card"]["memory_clock_mhz"] * 1000 == gpu.memory_clock_khz, path
        assert said["compute_capability"] == "{}.{}".format(*target.capability), path


def test_a_definition_has_a_list_of_forms() -> None:
    assert set(judged_targets()) == {each.name for each in TARGETS.values() if each.is_nvidia}


def test_the_readme_lists_every_target_with_a_gpu_of_it() -> None:
    page = (Path(__file__).resolve().parents[2] / "README.md").read_text()
    section = page.split("## What runs where\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    listed: dict[str, set[str]] = {"emulator": set(), "hip": set()}
    for targets, device, needs in rows[1:]:
        found = re.findall(r"`(\w+)`(?: \(([^)]*)\))?", targets)
        for name, gpus in found:
            assert name in TARGETS, name
            for gpu in filter(None, gpus.split(", ")):
                assert any(gpu in product for product in TARGETS[name].products), gpu
        if " by " not in device and (where := device.strip(" `")) in listed:
            listed[where] |= {name for name, _ in found}
        if "probes" in needs:
            probed = {TARGETS[name].probed for name, _ in found}
            assert probed == {"without probes" not in needs}, targets
    assert listed["emulator"] == set(TARGETS)
    assert listed["hip"] == {name for name, each in TARGETS.items() if "hip" in each.devices}
    assert all("cuda" in each.devices for each in TARGETS.values() if each.is_nvidia)


@pytest.mark.parametrize("target", NAMES)
def test_ptxas_takes_a_form_of_a_feature_where_a_target_has_it(target: str) -> None:
    assert TELLING.keys() == FEATURES.keys() - {"swizzle atomicity"}
    refused = judge((all_forms()[name][1] for name in TELLING.values()), target)
    taken = {feature for feature, name in TELLING.items() if name not in refused}
    assert taken == features_of(target) - {"swizzle atomicity"}


def held_to_ptxas(target: str, names: Iterable[str]) -> list[str]:
    """Forms that just one of ptxas and the emulator refuses for a `.target`."""
    gpu = gpu_of(target)
    assert gpu
    emulator, forms = open_device(gpu, "emulator"), [all_forms()[name][1] for name in names]
    refused, wrong = judge(forms, target), []
    for form in forms:
        said = refusal_of(text_of(form, target), emulator)
        lacks = bool(OF_TARGET.search(refused.get(form.name, "")))
        if (lacks and not said) or (form.name not in refused and f"{target} has no " in said):
            wrong.append(f"{form.name}: ptxas {refused.get(form.name)!r}, emulator {said!r}")
    return wrong


def refusal_of(text: str, emulator: Any) -> str:
    try:
        module = emulator.load(text)
        for entry in module.entries:
            module[entry]
    except UserError as error:
        return str(error)
    return ""


def some_forms(target: str, every: int) -> list[str]:
    """Some forms of each family."""
    rng, found = np.random.default_rng(NAMES.index(target)), []
    for family in FAMILIES:
        own = sorted(name for name, (of, _) in all_forms().items() if of == family)
        found += rng.choice(own, -(-len(own) // every), replace=False).tolist()
    return found


@pytest.mark.parametrize("target", sampled([each for each in NAMES if gpu_of(each)], 3))
def test_a_text_may_use_what_ptxas_takes_for_its_target(target: str) -> None:
    """A sample of each family; what ptxas refuses for every target is no matter here."""
    assert not held_to_ptxas(target, some_forms(target, EVERY))


#: Forms of old instructions that came with sm_90, which a sample would seldom have.
LATER = ("min.relu.s32", "max.relu.s32", "cp.async.bulk.commit_group",
         "cp.async.bulk.wait_group", "cp.async.bulk.wait_group.read")  # fmt: skip


@pytest.mark.parametrize("target", ["sm_80", "sm_89", "sm_90"])
def test_later_forms_of_old_instructions_need_their_target(target: str) -> None:
    assert not held_to_ptxas(target, LATER)


@pytest.mark.slow
@pytest.mark.parametrize("target", [each for each in NAMES if gpu_of(each)])
def test_a_text_may_use_what_ptxas_takes_for_its_target_all(target: str) -> None:
    assert not held_to_ptxas(target, all_forms())


#: Forms that a newer PTX ISA than ptxas 13.0 has, or whose text ptxas refuses for an operand.
NEWER = re.compile(r"scale_vec::4X\.f32\.e2m1\.e2m1\.f32\.ue8m0|e[23]m[23]x2\.f16x2|st\.bulk")


def refused_by_all() -> dict[str, list[str]]:
    """By family, the forms that ptxas takes for no target."""
    taken = {name for target in judged_targets() for name in accepted(target)}
    found: dict[str, list[str]] = {}
    for name, (family, _) in all_forms().items():
        if name not in taken and not NEWER.search(name):
            found.setdefault(family, []).append(name)
    return found


@pytest.mark.parametrize("every", [120, pytest.param(1, marks=pytest.mark.slow)])
def test_what_ptxas_takes_for_no_target_is_refused(every: int) -> None:
    """Types, roundings and state spaces that do not go together, as cvt.rni.u8.s8."""
    emulators = {name: open_device(name, "emulator") for name in ("sm_90a", "sm_100a", "sm_120a")}
    refused, rng = refused_by_all(), np.random.default_rng(60)
    assert refused.keys() >= {"conversion", "comparison", "movement", "synchronization"}
    for own in refused.values():
        for name in rng.choice(sorted(own), -(-len(own) // every), replace=False).tolist():
            form = all_forms()[name][1]
            taken = [t for t, e in emulators.items() if not refusal_of(text_of(form, t), e)]
            assert not taken, name


@pytest.mark.parametrize(("line", "said"), [
    ("cvt.rni.u8.s8 h, h;", "`.rni` does not apply to `cvt.rni.u8.s8`"),
    ("cvt.f32.f64 f, d;", "`cvt.f32.f64` needs one of .rn, .rz, .rm, .rp"),
    ("cvt.sat.u32.u16 r, h;", "`.sat` does not apply"),
    ("cvt.rn.ftz.f16.f64 h, d;", "`.ftz` does not apply"),
    ("atom.global.and.u64 q, [q], q;", "`atom.global.and.u64`: .and takes .b32, .b64"),
    ("red.global.add.s64 [q], q;", ".add takes .u32, .s32, .u64, .f32, .f64"),
    ("setp.lt.b32 p, r, r;", "`.lt` does not apply to `setp.lt.b32`"),
    ("ld.relaxed.gpu.local.b32 r, [q];", ".relaxed does not apply to .local memory"),
    ("ld.shared.v4.b64 {q, q, q, q}, [q];", "has 256 bits; 256 bits are a .v8 of 32"),
    ("ld.global.L2::evict_first.b32 r, [q];", ".L2::evict_first needs an access of 256 bits"),
])  # fmt: skip
def test_a_refused_form_says_what_does_not_go_together(line: str, said: str) -> None:
    head = ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {\n"
    registers = ".reg .b16 h; .reg .b32 r; .reg .b64 q; .reg .f32 f; .reg .f64 d; .reg .pred p;\n"
    refusal = refusal_of(f"{head}{registers}{line}\nret; }}\n", open_device("sm_100a", "emulator"))
    assert said in refusal and "6: " in refusal


def test_where_texts_run() -> None:
    """PTX ISA, .target: sm_90 on 9.0 and later, sm_100f on its family, sm_100a on 10.0 alone."""
    assert runs_on("sm_90", "sm_103a") and not runs_on("sm_90a", "sm_100a")
    assert runs_on("sm_100f", "sm_103a") and not runs_on("sm_100a", "sm_103a")
    assert not runs_on("sm_103", "sm_100a") and not runs_on("gfx950", "sm_90a")
    assert reach("sm_100f") == "sm_100 and later GPUs of its family"
    assert defined_for("sm_90").name == "sm_90a" and defined_for("sm_101").name == "sm_100a"
    assert defined_for("sm_70").name == "sm_75" and defined_for("sm_88").name == "sm_87"
    assert runs_on("sm_120f", "sm_121a") and not runs_on("sm_110f", "sm_100a")
    assert gpu_of("sm_90") == "sm_90a" and gpu_of("sm_100f") == "sm_100a"
    assert gpu_of("sm_90f") is None and gpu_of("sm_80a") is None and gpu_of("gfx950") is None
    assert having("tcgen05") == "sm_100a" and having("st.bulk") == "sm_100"
    assert having("cp.async") == "sm_80" and "clusters" not in features_of("sm_89")
