"""Definitions of targets, held to what an H200 said and to what ptxas accepts."""

from __future__ import annotations

import json

import pytest

from lanemap import paths
from lanemap.conformance.forms.judged import accepted, judged_targets
from lanemap.targets import FEATURES, TARGETS, defined_for, features_of, having, reach, runs_on

ROWS = paths.find("results") / "sm_90a" / "cuda"
#: Part of the names of forms that ptxas takes for targets with a feature alone. The emulator alone
#: knows whether a GPU heeds the swizzle atomicity.
TELLING = {
    "wgmma": "wgmma.fence",
    "tcgen05": "tcgen05.alloc",
    "tcgen05.kind::i8": "kind::i8",
    "matrices of bytes": "ldmatrix.sync.aligned.m16n16",
    "tile::gather4": "tile::gather4",
    "tile::scatter4": "tile::scatter4",
    "tensor copies of pairs": "multicast::cluster.cta_group",
    "release to global": "st.async.release",
    "st.bulk": "st.bulk",
    "clusterlaunchcontrol": "clusterlaunchcontrol.try_cancel",
    "cp_mask": "cp_mask",
    "tensor map fields": "swizzle_atomicity",
    "cp.async": "cp.async.ca",
    "mbarrier": "mbarrier.init",
    "redux": "redux.sync",
    "FP8": "mma.sync.aligned.m16n8k32.row.col.f32.e4m3",
    "clusters": "mapa",
    "bulk copies": "cp.async.bulk.global",
    "mbarrier.try_wait": "mbarrier.try_wait",
    "elect": "elect.sync",
    "griddepcontrol": "griddepcontrol",
    "stmatrix": "stmatrix",
    "setmaxnreg": "setmaxnreg",
    "mma.sync.kind::f8f6f4": "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4",
    "block-scaled mma.sync": "m16n8k64.row.col.kind::mxf4.block_scale",
}


@pytest.mark.parametrize("name", TARGETS)
def test_a_definition_is_whole(name: str) -> None:
    target = TARGETS[name]
    limits = target.limits
    features = target.features | target.family_features | target.own_features
    assert target.name == name and features <= FEATURES.keys()
    assert limits.threads <= limits.threads_of_sm and limits.threads % limits.lanes == 0
    assert limits.shared_bytes + limits.reserved_shared_bytes <= limits.shared_bytes_of_sm
    assert bool(limits.tensor_memory_columns) == ("tcgen05" in features)
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


def test_ptxas_takes_forms_of_a_feature_where_a_target_has_it() -> None:
    assert TELLING.keys() == FEATURES.keys() - {"swizzle atomicity"}
    assert set(judged_targets()) == {each.name for each in TARGETS.values() if each.is_nvidia}
    for target in judged_targets():
        names = accepted(target)
        for feature, part in TELLING.items():
            taken = any(part in name for name in names)
            assert taken == (feature in features_of(target)), (target, feature)


def test_where_texts_run() -> None:
    """PTX ISA, .target: sm_90 on 9.0 and later, sm_100f on its family, sm_100a on 10.0 alone."""
    assert runs_on("sm_90", "sm_103a") and not runs_on("sm_90a", "sm_100a")
    assert runs_on("sm_100f", "sm_103a") and not runs_on("sm_100a", "sm_103a")
    assert not runs_on("sm_103", "sm_100a") and not runs_on("gfx950", "sm_90a")
    assert reach("sm_100f") == "sm_100 and later GPUs of its family"
    assert defined_for("sm_90").name == "sm_90a" and defined_for("sm_101").name == "sm_100a"
    assert defined_for("sm_70").name == "sm_75" and defined_for("sm_87").name == "sm_86"
    assert having("tcgen05") == "sm_100a" and having("st.bulk") == "sm_100"
    assert having("cp.async") == "sm_80" and "clusters" not in features_of("sm_89")
