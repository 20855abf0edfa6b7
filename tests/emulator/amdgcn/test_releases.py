"""Releases and acquires between work-groups, as clang writes them for each scope and order.

clang follows LLVM's memory model of each target (AMDGPUUsage, "Memory Model gfx90a", "gfx942"),
which nobody here wrote: what it emits for the scope of the device or the system is clean, and
without its release or acquire instruction the data of the other work-group are a race.
"""

from __future__ import annotations

import functools
import re
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

from .clang import C, run

TARGETS = ("gfx90a", "gfx942", "gfx950")
HEAD = """
typedef __attribute__((address_space(1))) int *Words;
#define ORDERED(name, ...) __scoped_atomic_##name(flag, __VA_ARGS__, SCOPE)
__attribute__((amdgpu_kernel)) void k(Words data, Words flag, Words out) {
  int me = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
"""
#: Group 0 hands `data` to group 1.
PASS = "if (group == 0) { data[me] = 42; PUT; } else { while (GET != 7); out[me] = data[me]; }"
PUTS = {
    "store": "ORDERED(store_n, 7, __ATOMIC_RELEASE)",
    "sequential store": "ORDERED(store_n, 7, __ATOMIC_SEQ_CST)",
    "sum": "ORDERED(fetch_add, 7, __ATOMIC_ACQ_REL)",
    "fence": "FENCE(__ATOMIC_RELEASE); out[9] = 3; ORDERED(store_n, 7, __ATOMIC_RELAXED)",
}
GET = "ORDERED(load_n, __ATOMIC_ACQUIRE)"
RELAXED = "ORDERED(load_n, __ATOMIC_RELAXED)"
SET = "ORDERED(store_n, 7, __ATOMIC_RELAXED)"


@functools.cache
def compiled(body: str, target: str, scope: str) -> str:
    fence = {"DEVICE": "agent", "SYSTEM": "", "WRKGRP": "workgroup"}[scope]
    text = f"#define SCOPE __MEMORY_SCOPE_{scope}\n#define FENCE(order) "
    text += f'__builtin_amdgcn_fence(order, "{fence}")\n{HEAD}{body}\n}}\n'
    result = run([*C, f"-mcpu={target}", "-O2", "-S", "-", "-o", "-"], text)
    assert result.returncode == 0, result.stderr
    return result.stdout


def passed(put: str, target: str, scope: str, get: str = GET) -> str:
    return compiled(PASS.replace("PUT", put).replace("GET", get), target, scope)


def launch(text: str, target: str, threads: int = 1) -> Any:
    """What two work-groups leave in `out`; every word of `data` is another number before."""
    device = lanemap.open_device(target, device="emulator")
    data = device.array(np.arange(100, 228, dtype=np.int32))
    flag, out = device.array(np.zeros(64, np.int32)), device.array(np.zeros(128, np.int32))
    device.load(text)["k"]((2, 1, 1), (threads, 1, 1), (data, flag, out))
    return out.get()


def races(text: str, target: str, threads: int = 1) -> None:
    with pytest.raises(Hazard) as caught:
        launch(text, target, threads)
    assert caught.value.kind == "order"
    acquire = "buffer_wbinvl1_vol" if target == "gfx90a" else "buffer_inv sc1"
    assert acquire in str(caught.value)


def without(text: str, instruction: str) -> str:
    """The text without the one line of an instruction."""
    shorter, count = re.subn(rf"(?m)^\s+{instruction}\n", "", text)
    assert count == 1
    return shorter


@pytest.mark.parametrize("put", PUTS)
@pytest.mark.parametrize("scope", ["DEVICE", "SYSTEM"])
@pytest.mark.parametrize("target", TARGETS)
def test_what_clang_writes_hands_data_over(target: str, scope: str, put: str) -> None:
    assert launch(passed(PUTS[put], target, scope), target)[0] == 42


@pytest.mark.parametrize("put", PUTS)
@pytest.mark.parametrize("target", TARGETS)
def test_the_scope_of_the_workgroup_hands_nothing_over(target: str, put: str) -> None:
    races(passed(PUTS[put], target, "WRKGRP"), target)


ACQUIRES = {"gfx90a": "buffer_wbinvl1_vol", "gfx942": "buffer_inv sc1", "gfx950": "buffer_inv sc1"}


@pytest.mark.parametrize("put", ["store", "fence"])
@pytest.mark.parametrize("target", TARGETS)
def test_without_its_release_or_acquire_it_is_a_race(target: str, put: str) -> None:
    """On gfx90a the wait releases, and buffer_wbl2 is of the system alone."""
    text = passed(PUTS[put], target, "DEVICE")
    assert ("buffer_wbl2" in text) == (target != "gfx90a")
    races(without(text, ACQUIRES[target]), target)
    races(without_wait(text) if target == "gfx90a" else without(text, "buffer_wbl2 sc1"), target)


def without_wait(text: str) -> str:
    """Without the last wait between the store of the data and that of the flag."""
    lines = text.splitlines()
    stores = [i for i, line in enumerate(lines) if "global_store_dword" in line]
    wait = max(i for i in range(stores[-1]) if lines[i].split() == ["s_waitcnt", "vmcnt(0)"])
    assert wait > stores[1], "it is behind the store of the data"
    return "\n".join(lines[:wait] + lines[wait + 1 :])


@pytest.mark.parametrize("target", TARGETS)
def test_a_flag_alone_is_no_race(target: str) -> None:
    flag = f"if (group == 0) {SET}; else out[0] = {RELAXED};"
    launch(compiled(flag, target, "DEVICE"), target)
    races(compiled(flag, target, "WRKGRP"), target)


@pytest.mark.parametrize("target", TARGETS)
def test_plain_stores_behind_a_wait_race_with_each_other(target: str) -> None:
    """As every kernel waits that stores what it has loaded: that makes no flag of the store."""
    text = compiled("out[me] = data[me + 16 * group];", target, "DEVICE")
    assert re.search(r"s_waitcnt vmcnt\(0\)\s+(;.*\s+)*global_store_dword", text)
    races(text, target, 64)


@pytest.mark.parametrize("target", TARGETS)
def test_a_flag_that_was_read_may_be_set_again(target: str) -> None:
    again = SET.replace("7", "9")
    back = f"if (group == 0) {{ {SET}; }} else {{ while ({RELAXED} != 7); {again}; }}"
    launch(compiled(back, target, "DEVICE"), target)


def test_unordered_atomic_stores_of_different_values() -> None:
    """gfx90a has plain stores for them, which race; later targets mark them."""
    store = SET.replace("7", "7 + group") + ";"
    for target in ("gfx942", "gfx950"):
        launch(compiled(store, target, "DEVICE"), target)
    races(compiled(store, "gfx90a", "DEVICE"), "gfx90a")
