"""What orders nothing between threads: a release whose guard is false, and a proxy fence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

#: Warp 0 stores and, under a guard, releases a flag; or warp 1 does; warp 2 waits for it and reads.
_BODY = """\
.reg .pred %p, %q; .reg .b32 %n, %w, %v<4>;
.shared .b32 data; .shared .b32 flag;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5;
setp.eq.u32 %q, %n, 0;
@%q st.shared.b32 [flag], 0;
bar.sync 0;
setp.eq.u32 %p, %w, 2;
@%p bra READ;
setp.eq.u32 %p, %w, 1;
@%p bra RELEASE;
@%q st.shared.b32 [data], 7;
setp.eq.u32 %p, %n, {guard};
@%p {release}
bra END;
RELEASE:
setp.eq.u32 %p, %n, {guard_of_other};
@%p {other}
bra END;
READ:
AGAIN: ld.acquire.cta.shared.b32 %v0, [flag];
setp.eq.u32 %p, %v0, 0;
@%p bra AGAIN;
ld.shared.b32 %v1, [data];
st.global.b32 [%out], %v1;
END:"""
_STATEMENTS = [
    "fence.acq_rel.cta;\n@%p st.relaxed.cta.shared.b32 [flag], 1;",
    "red.release.cta.shared.add.u32 [flag], 1;",
    "st.release.cta.shared.b32 [flag], 1;",
]


def _run(thread: int, release: str) -> Any:
    """Let that thread, of warp 0 or 1, release."""
    body = _BODY.format(guard=thread, guard_of_other=thread, release=release, other=release)
    (result,) = ptx.launch(ptx.entry(body), np.zeros(1, np.uint32), block=96)
    return result


@pytest.mark.parametrize("release", _STATEMENTS)
def test_a_lane_that_releases_makes_its_store_known(release: str) -> None:
    assert _run(0, release)[0] == 7


@pytest.mark.parametrize("release", _STATEMENTS)
def test_a_guard_that_no_lane_passes_makes_nothing_known(release: str) -> None:
    """Warp 1 knows nothing of what warp 0 stored."""
    with pytest.raises(Hazard, match="without being ordered after") as caught:
        _run(32, release)
    assert caught.value.kind == "order"


def test_a_proxy_fence_orders_nothing_between_threads() -> None:
    """It orders accesses of one thread through two proxies (PTX ISA, membar / fence)."""
    relaxed = "st.relaxed.cta.shared.b32 [flag], 1;"
    assert _run(0, f"fence.proxy.async;\n@%p fence.acq_rel.cta;\n@%p {relaxed}")[0] == 7
    with pytest.raises(Hazard, match="without being ordered after"):
        _run(0, f"fence.proxy.async;\n@%p {relaxed}")
