"""What launches leave in memory that grows with neither CTAs nor launches."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from tests import ptx
from tests.emulator.ptx.launching import Loaded

_BEGIN = """\
.reg .pred %p; .reg .b32 %t, %v, %s, %i; .reg .b64 %a;
.shared .align 16 .b8 tile[8448];
mov.u32 %t, %tid.x;
"""

#: A column of 64 rows of 33 words: every line of shared memory is split into records of words.
COLUMN = ptx.entry(
    _BEGIN
    + """\
mov.u32 %s, tile; mad.lo.u32 %s, %t, 132, %s; mov.u32 %i, 0;
AGAIN: st.shared.u32 [%s], %t; st.shared.u32 [%s+4224], %t; add.u32 %s, %s, 4;
add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 32; @%p bra AGAIN;""",
    "data out",
)
CTAS = 16384

#: Of eight bytes a thread the kernel loads, it stores the first four to `out`.
HALVES = ptx.entry(
    _BEGIN
    + """\
mad.wide.u32 %a, %t, 8, %data; ld.global.v2.u32 {%v, %i}, [%a];
mad.wide.u32 %a, %t, 4, %out; st.global.u32 [%a], %v;""",
    "data out",
)


def _most_bytes(ctas: int) -> int:
    """What a process needed at most that launches COLUMN."""
    script = f"""
import resource
import numpy as np
from tests.emulator.host.test_memory_kept import COLUMN
from tests.emulator.ptx.launching import Loaded
Loaded(COLUMN).run("k", {ctas}, 32, [np.uint64(0), np.uint64(0)])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""
    return int(
        subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, text=True
        ).stdout
    )


def test_stamps_of_shared_memory_end_with_their_cta() -> None:
    """66 lines of 512 bytes of records a CTA: 550 MB if they stayed to the end of the launch."""
    assert _most_bytes(CTAS) - _most_bytes(1) < 32 << 20


def test_bits_are_kept_of_arrays_that_hold_undefined_ones_alone() -> None:
    loaded = Loaded(HALVES, "report")
    memory = loaded.machine.memory
    data, out, whole = (memory.allocate(size) for size in (256, 128, 4096))
    memory.write(whole.base, bytes(4096))
    memory.write(data.base, bytes(128))  # what lanes 16 to 31 load is undefined
    arguments = [np.uint64(data.base), np.uint64(out.base)]
    loaded.run("k", 1, 32, arguments)
    assert whole.contents.partial is None and whole.contents.origin is None
    for allocation in (data, out):
        assert allocation.contents.partial is not None and allocation.contents.origin is not None
    assert list(out.contents.undefined_bytes(0, 128)) == [False] * 64 + [True] * 64
    # once all is defined, the next launch that follows bits leaves none
    memory.write(data.base, bytes(256))
    loaded.run("k", 1, 32, arguments)
    assert not out.contents.undefined_bytes(0, 128).any()


def test_the_runtime_forgets_them_too() -> None:
    """A later launch must not be told of room that is gone."""
    loaded = Loaded(HALVES, "report")
    memory = loaded.machine.memory
    data, out = memory.allocate(256), memory.allocate(128)
    arguments = [np.uint64(data.base), np.uint64(out.base)]
    loaded.run("k", 1, 32, arguments)  # undefined: it follows bits
    memory.write(data.base, bytes(256))
    memory.write(out.base, bytes(128))
    memory.table(True)  # a launch in precise code begins
    memory.forget_bits()
    rows, _ = memory.table(False)
    assert not any(row.partial or row.origin for row in rows)
