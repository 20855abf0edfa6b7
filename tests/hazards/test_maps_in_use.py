"""Tensor maps that are overwritten while a copy reads them, and after it has read them.

PTX ISA, Asynchronous copy: modifying the tensor descriptor before the operation completes is
undefined behavior; cp.async.bulk.wait_group: with .read, too, the map has been read. Of loads the
mbarrier tells. CUTLASS (cute/arch/copy_sm90_tma.hpp) commits a bulk group after loads instead, and
waits for it with .read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx

TILE = np.arange(32 * 64, dtype=np.uint32).reshape(32, 64) * 7
BODY = """\
.reg .b64 %a; .reg .b32 %t, %x, %y, %v, %s, %b; .reg .pred %p, %w;
.shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 bar[2];
mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %b, bar;
mul.wide.u32 %a, %t, 4; add.u64 %out, %out, %a;
mov.u32 %x, 8; mov.u32 %y, 4; setp.ne.u32 %p, %t, 0;
{begin}
mad.lo.u32 %v, %t, 4, %s; st.shared.b32 [%v], %t; st.shared.b32 [%v+128], %t;
st.shared.b32 [%v+512], %t;
fence.proxy.async.shared::cta;
@%p bra READY;
mbarrier.init.shared.b64 [bar], 1;
mbarrier.init.shared.b64 [bar+8], 1;
fence.mbarrier_init.release.cluster;
READY:
bar.sync 0;
@%p bra ISSUED;
{issue}
ISSUED:
{wait}
{modify}
{later}
bar.sync 0;
ld.shared.b32 %v, [%v];
st.global.b32 [%out], %v;"""
LOAD = """mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
  [%s], [%map, {%x, %y}], [%b];"""
STORE = "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {%x, %y}], [%s];"
PHASE = "WAIT: mbarrier.try_wait.parity.shared.b64 %w, [bar], 0; @!%w bra WAIT;"
COMMIT, READ = "@!%p cp.async.bulk.commit_group;", "@!%p cp.async.bulk.wait_group.read 0;"
EARLIER, ALL = READ.replace("0", "1"), READ.replace(".read", "")
REPLACE = "@!%p tensormap.replace.tile.box_dim.global.b1024.b32 [%map], 1, 4;"
FILL = "@!%p st.global.b32 [%map+52], 3;"
OF_ALL = "mad.wide.u32 %a, %t, 4, %map; bar.sync 0; st.global.b32 [%a], %t;"
COPY = """@%p bra COPIED; cp.async.bulk.global.shared::cta.bulk_group [%map], [%s+512], 128;
cp.async.bulk.commit_group; COPIED:"""
#: What issues a copy, what waits, what overwrites the map, and its parts in the fault's sentence.
FAULTS = {
    "a load, replaced": (LOAD, "", REPLACE, "tensormap.replace"),
    "a load, stored to": (LOAD, "", FILL, "st.global.b32 [%map+52]"),
    "a load, filled by all": (LOAD, "", OF_ALL, "st.global.b32 [%a]"),
    "a load, overwritten by a copy": (LOAD, "", COPY, "cp.async.bulk.global"),
    "a load whose group is not committed": (LOAD, READ, REPLACE, "tensormap.replace"),
    "a load, a wait for an earlier group": (LOAD, COMMIT + EARLIER, REPLACE, "tensormap.replace"),
    "a store, replaced": (STORE + COMMIT, "", REPLACE, "tensormap.replace"),
    "a store that is not committed": (STORE, READ, FILL, "st.global.b32 [%map+52]"),
    "a store, a wait for an earlier group": (STORE + COMMIT, EARLIER, REPLACE, "tensormap.replace"),
}  # fmt: skip
#: The same with what waits.
TWINS = {
    "a load, replaced": (LOAD, PHASE, REPLACE),
    "a load, stored to": (LOAD, PHASE, FILL),
    "a load, filled by all": (LOAD, PHASE, OF_ALL),
    "a load, overwritten by a copy": (LOAD, PHASE, COPY + ALL),
    "a load as CUTLASS waits": (LOAD, COMMIT + READ, REPLACE),
    "a load as CUTLASS waits, filled by all": (LOAD, COMMIT + READ, OF_ALL),
    "a load in an earlier group": (LOAD + COMMIT + COMMIT, EARLIER, REPLACE),
    "a store that has read": (STORE + COMMIT, READ, REPLACE),
    "a store that is complete": (STORE + COMMIT, ALL, FILL),
    "a store, filled by all": (STORE + COMMIT, READ, OF_ALL),
}


#: CTA 1 waits for the flag, overwrites the map, and ends; CTA 0 sets the flag.
OTHER = """mov.u32 %v, %ctaid.x; setp.eq.u32 %w, %v, 0; @%w bra ZERO;
POLL: ld.acquire.gpu.global.b32 %v, [%flag]; setp.eq.u32 %w, %v, 0; @%w bra POLL;
@!%p st.global.b32 [%map+52], 3; ret; ZERO:"""
TELL = "@!%p st.release.gpu.global.b32 [%flag], 1;"


def run(issue: str, wait: str, modify: str, begin: str = "") -> Any:
    """What every lane's word of the tile is in the end."""
    device = lanemap.open_device("sm_90a", device="emulator")
    tensor = device.array(TILE)
    given = np.frombuffer(device.tensor_map(tensor, (8, 8)).data, np.uint8)
    later = PHASE.replace("WAIT", "LATER") if issue.startswith("mbarrier") else ALL
    body = BODY.format(begin=begin, issue=issue, wait=wait, modify=modify, later=later)
    text, zeros = ptx.entry(body, "map flag out"), np.zeros(32, np.uint32)
    *_, out = ptx.launch(text, given, zeros, zeros, grid=2 if begin else 1, device=device)
    return out


@pytest.mark.parametrize("name", FAULTS)
def test_a_map_that_is_overwritten_in_use_is_a_hazard(name: str) -> None:
    issue, wait, modify, line = FAULTS[name]
    with pytest.raises(Hazard) as caught:
        run(issue, wait, modify)
    assert caught.value.kind == "pending", str(caught.value)
    for part in ("writes global memory", "cp.async.bulk.tensor", "reads asynchronously", line):
        assert part in " ".join(str(caught.value).split())


@pytest.mark.parametrize("name", TWINS)
def test_a_map_that_was_read_may_be_overwritten(name: str) -> None:
    issue, wait, modify = TWINS[name]
    wanted = np.arange(32) if issue.startswith(STORE) else TILE[4:8, 8:16].reshape(-1)
    assert np.array_equal(run(issue, wait, modify), wanted)


@pytest.mark.parametrize("issue, wait", [(LOAD, PHASE), (STORE + COMMIT, READ)])
def test_another_cluster_may_overwrite_a_map_that_was_read(issue: str, wait: str) -> None:
    run(issue, wait, TELL, OTHER)
    with pytest.raises(Hazard, match="its completion, a release and an acquire at GPU scope"):
        run(issue, "", TELL, OTHER)
