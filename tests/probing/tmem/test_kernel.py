"""What pieces of PTX say of their registers, against a reading of their text."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from lanemap import paths
from lanemap.probing.tmem import kernel as kernels
from lanemap.probing.tmem.forms import batches
from lanemap.probing.tmem.kernel import Piece, kernel

PROBES = (
    "tcgen05_cp", "tcgen05_cp_pair", "tcgen05_ld", "tcgen05_pack", "tcgen05_shift", "tcgen05_st",
    "tcgen05_unpack", "tmem_lanes", "mma_d", "mma_a_tmem", "scale_factors",
    "smem_descriptor",
)  # fmt: skip
# Instructions that leave nothing in their first operand (NVIDIA PTX ISA, their syntax).
RESULTLESS = re.compile(
    r"st\.|bra\b|bar\.|barrier\.|fence\.|mbarrier\.init|tcgen05\.(st|wait|fence|cp|shift|commit|mma)"
)


def used(piece: Piece, names: set[str]) -> tuple[set[str], set[str]]:
    """The registers that a piece's lines read before they write them, and those they write."""
    reads: set[str] = set()
    writes: set[str] = set()
    for line in re.findall(r"[^;\n]+;", re.sub(r"(?m)^\w+:$", "", piece.text)):
        guard, opcode, operands = re.fullmatch(
            r"\s*(?:@!?(\w+)\s+)?([\w.:]+)\s*(.*);", line
        ).groups()  # type: ignore[union-attr]
        found = [
            "v" if re.fullmatch(r"v\d+", word) else word
            for word in re.findall(r"(?<![%\w.])[a-z]\w*", operands)
        ]
        mentioned = [word for word in found if word in names]
        result: set[str] = set()
        if not RESULTLESS.match(opcode) and mentioned:
            listed = operands.startswith("{")
            count = operands.partition("}")[0].count(",") + 1 if listed else 1
            result, mentioned = set(mentioned[:count]), mentioned[count:]
        reads |= ({guard} if guard else set()) | set(mentioned)
        reads -= writes
        writes |= result
    return reads, writes


def texts_of(name: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Sequence[str], Any]]:
    """The pointers and pieces of every kernel that a probe's file makes."""
    made: list[tuple[Sequence[str], Any]] = []

    def recorded(name: str, pointers: Any, values: int, body: Any, *rest: Any) -> str:
        own = set(rest[1]) if len(rest) > 1 else set()
        made.append(({*pointers, *own}, body))
        return kernel(name, pointers, values, body, *rest)

    monkeypatch.setattr(kernels, "kernel", recorded)
    spec = importlib.util.spec_from_file_location(
        f"recorded_{name}", paths.find("probes") / f"{name}.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return made


@pytest.mark.parametrize("name", PROBES)
def test_pieces_use_the_registers_that_they_name(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = texts_of(name, monkeypatch)
    assert made
    for pointers, body in made:
        names = {*" ".join(kernels.REGISTERS.values()).split(), *pointers}
        for piece in body:
            reads, writes = used(piece, names)
            assert reads == set(piece.reads.split()), piece.text
            assert writes == set(piece.writes.split()), piece.text


def test_a_piece_that_reads_what_nothing_wrote_is_refused() -> None:
    store = Piece("    st.global.b32 [to], v0;\n", "to v")
    with pytest.raises(ValueError, match="k reads to, v, which nothing has written"):
        kernel("k", ("output",), 1, [store])
    given = Piece("    mov.u64 to, output;\n    mov.u32 v0, thread;\n", "output thread", "to v")
    assert "st.global.b32 [to], v0;" in kernel("k", ("output",), 1, [given, store])


@pytest.mark.parametrize("written", ["others", "unheard"])
def test_a_piece_may_not_change_what_the_end_needs_or_nobody_declared(written: str) -> None:
    with pytest.raises(ValueError, match=f"k may not change {written}"):
        kernel("k", (), 1, [Piece(f"    mov.b32 {written}, 0;\n", "", written)])


def test_placing_a_form_needs_what_the_kernel_provides() -> None:
    (batch, *_) = batches("ld", "32x32b")
    form, column = batch.placed[0]
    piece = kernels.target(form, column)
    assert set(piece.reads.split()) <= set(kernels.PROVIDED.split())
