"""Workgroups of gfx950 that wait for one another: clang's fences are clean, without them not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard

pytest.importorskip("ziglang")

HEAD = r"""
#define FENCE(order, scope) __builtin_amdgcn_fence(order, scope)
static void meet(void) {
  FENCE(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  FENCE(__ATOMIC_ACQUIRE, "workgroup");
}
static unsigned add(unsigned *p) {
  return __scoped_atomic_fetch_add(p, 1u, ADD_ORDER, __MEMORY_SCOPE_DEVICE);
}
static unsigned seen(unsigned *p) {
  return __scoped_atomic_load_n(p, LOAD_ORDER, __MEMORY_SCOPE_DEVICE);
}
"""
GRID = r"""
__attribute__((amdgpu_kernel)) void k(unsigned *a, unsigned *b, unsigned *arrived, unsigned n) {
  unsigned t = __builtin_amdgcn_workitem_id_x();
  unsigned me = __builtin_amdgcn_workgroup_id_x() * 128 + t;
  a[me] = 3 * me + 1;
  meet();
  if (t == 0) {
    BEFORE
    add(arrived);
    while (seen(arrived) < n) __builtin_amdgcn_s_sleep(1);
    BEHIND
  }
  meet();
  b[me] = a[(me + 128) % (n * 128)];
}
"""
LAST = r"""
__attribute__((amdgpu_kernel)) void k(unsigned *a, unsigned *b, unsigned *arrived, unsigned n) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), group = __builtin_amdgcn_workgroup_id_x();
  unsigned last = 0;
  a[group * 128 + t] = group * 1000 + t;
  meet();
  if (t == 0) {
    BEFORE
    last = add(arrived) == n - 1;
    BEHIND
  }
  meet();
  if (!__builtin_amdgcn_readfirstlane(last)) return;
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) sum += a[i * 128 + t];
  b[t] = sum;
}
"""
RELEASE, ACQUIRE = 'FENCE(__ATOMIC_RELEASE, "agent");', 'FENCE(__ATOMIC_ACQUIRE, "agent");'
N = 8


def launch(
    source: str,
    before: str = RELEASE,
    behind: str = ACQUIRE,
    add: str = "RELAXED",
    load: str = "RELAXED",
) -> Any:
    """What the kernel leaves in its second array; LAST has one wave a workgroup."""
    threads = 64 if source is LAST else 128
    text = HEAD.replace("ADD_ORDER", f"__ATOMIC_{add}").replace("LOAD_ORDER", f"__ATOMIC_{load}")
    text += source.replace("BEFORE", before).replace("BEHIND", behind)
    device = lanemap.open_device("gfx950", device="emulator")
    a, b = (device.zeros(N * 128, np.uint32) for _ in range(2))
    device.compile(text, "c")["k"](N, threads, (a, b, device.zeros(1, np.uint32), np.uint32(N)))
    return b.get()


def test_global_memory_of_a_workgroup() -> None:
    """Clang waits for no store before the barrier: waves of a CU see one another's in order."""
    source = GRID.partition("  if (t == 0)")[0] + "  b[me] = a[me ^ 64];\n}\n"
    assert np.array_equal(launch(source), 3 * (np.arange(N * 128) ^ 64) + 1)


SHIFTED = np.roll(3 * np.arange(N * 128) + 1, -128)
SUMS = N * np.arange(128) + 1000 * sum(range(N))


def test_grid_barrier() -> None:
    assert np.array_equal(launch(GRID), SHIFTED)
    assert np.array_equal(launch(GRID, "", "", "RELEASE", "ACQUIRE"), SHIFTED)
    assert np.array_equal(launch(GRID, "", "", "ACQ_REL", "ACQUIRE"), SHIFTED)


def test_last_workgroup() -> None:
    assert np.array_equal(launch(LAST)[:64], SUMS[:64])
    assert np.array_equal(launch(LAST, "", "", "ACQ_REL")[:64], SUMS[:64])


@pytest.mark.parametrize("source", [GRID, LAST], ids=["grid", "last"])
@pytest.mark.parametrize(
    "fences", [{"before": ""}, {"behind": ""}, {"before": "", "behind": ""},
               {"before": "", "behind": "", "add": "RELEASE"},
               {"before": 'FENCE(__ATOMIC_RELEASE, "workgroup");'}],
)  # fmt: skip
def test_missing_fences(source: str, fences: dict[str, str]) -> None:
    with pytest.raises(Hazard, match="buffer_wbl2 sc1 and its wait") as caught:
        launch(source, **fences)
    assert caught.value.kind == "order"


SCALAR_LOAD = "s_memtime s[96:97]\n"


@pytest.mark.parametrize(
    "instead",
    ["", "s_waitcnt vmcnt(1)", f"{SCALAR_LOAD}s_waitcnt lgkmcnt(0)",
     f"{SCALAR_LOAD}s_waitcnt vmcnt(0)"],
)  # fmt: skip
def test_the_wait_behind_a_write_back_counts(instead: str) -> None:
    """Without it, nothing says that the flag follows what was written; other waits do not help."""
    from lanemap.toolchain.sources import compile_source

    relaxed = "__ATOMIC_RELAXED"
    text = HEAD.replace("ADD_ORDER", relaxed).replace("LOAD_ORDER", relaxed)
    text += GRID.replace("BEFORE", RELEASE).replace("BEHIND", ACQUIRE)
    lines = compile_source(text, "gfx950", "c", "grid.c").text.splitlines()
    wait = next(i for i, line in enumerate(lines) if "buffer_wbl2" in line) + 1
    assert lines[wait].split() == ["s_waitcnt", "vmcnt(0)"]
    lines[wait] = instead
    text = re.sub(r"(amdhsa_next_free_sgpr) .*", r"\1 100", "\n".join(lines))
    device = lanemap.open_device("gfx950", device="emulator")
    a, b = (device.zeros(N * 128, np.uint32) for _ in range(2))
    kernel = device.load(text)["k"]
    arguments = (a, b, device.zeros(1, np.uint32), np.uint32(N))
    if "vmcnt(0)" in instead:
        kernel(N, 128, arguments)
        assert np.array_equal(b.get(), SHIFTED)
        return
    with pytest.raises(Hazard) as caught:
        kernel(N, 128, arguments)
    assert caught.value.kind == "order"
