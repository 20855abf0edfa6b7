"""cvta, isspacep, mapa and prefetches of any address, against what the ISA says of each.

NVIDIA PTX ISA, Data Movement and Conversion: cvta, isspacep, mapa, prefetch.
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from tests import ptx

STORE = "selp.b32 %v, 1, 0, %q; st.global.u32 [%out], %v; add.u64 %out, %out, 4;\n"
BEGIN = """.reg .b64 %g, %l, %x, %y; .reg .b32 %v, %w, %n; .reg .pred %q;
.shared .align 8 .b8 box[16]; .local .align 8 .b8 own[16];
"""


def test_an_address_is_in_the_space_of_its_variable_from_its_first_byte_to_its_last() -> None:
    spaces = ("const", "shared", "shared::cta", "local", "global", "param")
    addresses = {
        "const": ("table", 12), "shared": ("box", 16), "local": ("own", 16), "param": ("out", 24),
    }  # fmt: skip
    body, expected = BEGIN, []
    for space, (name, size) in addresses.items():
        body += f"mov.u64 %y, {name}; cvta.{space}.u64 %x, %y;\n"
        for byte in (0, size - 1):
            for asked in spaces:
                body += f"add.u64 %g, %x, {byte}; isspacep.{asked} %q, %g; {STORE}"
                holds = asked.partition("::")[0] == space or (asked, space) == ("global", "param")
                expected.append(int(holds))
    for asked in spaces:  # the array of the results, and what follows the constant
        body += f"isspacep.{asked} %q, %out; {STORE}"
        expected.append(int(asked == "global"))
    for byte in (-1, 12):
        body += f"mov.u64 %y, table; cvta.const.u64 %x, %y; add.u64 %x, %x, {byte};\n"
        body += f"isspacep.const %q, %x; {STORE}"
        expected.append(0)
    text = ptx.entry(
        body, "out a b", before=".visible .const .align 4 .b32 table[3] = {1, 2, 3};\n"
    )
    zeros = np.zeros(len(expected), np.uint32)
    got, *_ = ptx.launch(text, zeros, zeros, zeros, block=1)
    assert got.tolist() == expected


def test_shared_memory_of_another_cta_is_in_the_cluster_alone() -> None:
    body = (
        BEGIN + "mov.u32 %w, %cluster_ctarank; mul.wide.u32 %l, %w, 16; add.u64 %out, %out, %l;\n"
    )
    for rank in (0, 1):
        body += f"mov.u64 %y, box; cvta.shared.u64 %x, %y; mapa.u64 %g, %x, {rank};\n"
        for space in ("shared::cta", "shared::cluster"):
            body += f"isspacep.{space} %q, %g; {STORE}"
    got, *_ = ptx.launch(ptx.entry(body), np.zeros(8, np.uint32), block=1, grid=2, cluster=2)
    assert got.reshape(2, 2, 2).tolist() == [[[1, 1], [0, 1]], [[0, 1], [1, 1]]]


@pytest.mark.parametrize("kind", ["u32", "u64"])
def test_mapa_changes_the_rank_and_no_other_bit(kind: str) -> None:
    wide, bits = kind[1:], int(kind[1:])
    numbers = [0, 1, 0x1234567, 0xFFFFFF, 0x05000003, 0xFF000001]
    numbers += [0x8000000000000001, 0x123456789ABCDEF1] if bits == 64 else []
    ranks, body = (0, 1, 7, 0x80, 0x1FF), BEGIN.replace(".b32 %v", f".b{wide} %m; .reg .b32 %v")
    for number in numbers:
        for rank in ranks:
            body += f"mov.b{wide} %m, {number}; mov.b32 %w, {rank};\n"
            body += f"mapa.shared::cluster.{kind} %m, %m, %w; st.global.b{wide} [%out], %m;\n"
            body += "add.u64 %out, %out, 8;\n"
    out = np.zeros(len(numbers) * len(ranks), np.uint64)
    got, *_ = ptx.launch(ptx.entry(body), out, block=1)
    expected = [n & ~(0xFF << 24) | (r & 0xFF) << 24 for n in numbers for r in ranks]
    assert got.tolist() == expected


def test_cvta_changes_the_upper_half_alone() -> None:
    numbers = (0x123456789ABCDEF0, 0x7FFF00001234, 0xFFFFFFFFFFFFFFF8, 24)
    body = BEGIN
    for number in numbers:
        for words in ("global", "const", "to.global", "to.const", "to.shared", "to.local"):
            body += f"mov.u64 %x, {number}; cvta.{words}.u64 %y, %x; st.global.u64 [%out], %y;\n"
            body += "add.u64 %out, %out, 8;\n"
        for space in ("shared", "local"):
            body += f"mov.u64 %x, {number & 0xFFFFFF}; cvta.{space}.u64 %y, %x;\n"
            body += (
                f"cvta.to.{space}.u64 %y, %y; st.global.u64 [%out], %y; add.u64 %out, %out, 8;\n"
            )
    got, *_ = ptx.launch(ptx.entry(body), np.zeros(8 * len(numbers), np.uint64), block=1)
    expected = [
        [n, n, n, n, n & 0xFFFFFFFF, n & 0xFFFFFFFF, n & 0xFFFFFF, n & 0xFFFFFF] for n in numbers
    ]
    assert got.reshape(len(numbers), 8).tolist() == expected


@pytest.mark.parametrize(
    "words",
    [
        "prefetch.global.L2 [%x]",
        "prefetchu.L1 [%x]",
        "applypriority.global.L2::evict_normal [%x], 128",
    ],
)
def test_a_prefetch_of_an_undefined_address_is_a_hazard(words: str) -> None:
    body = f""".reg .b64 %x; .reg .pred %q; setp.ne.u64 %q, %out, %out;
@%q mov.u64 %x, %out;
{words};"""
    with pytest.raises(Hazard, match="address"):
        ptx.launch(ptx.entry(body), np.zeros(8, np.uint32))
