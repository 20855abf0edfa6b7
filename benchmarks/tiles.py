"""What a matrix product costs that an engine makes from and to memory: cases for matrix.py.

Four products, as a kernel issues them for 128 bytes of k: A and B lie in shared memory, k by k in
rows of 128 bytes whose units of 16 are permuted by the row; D lies in the engine's own memory,
column by column. Every operand and result is accessed: bounds, order, definedness, stamps.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from pairs import Clock, Sampler, Unsupported

ROWS, COLUMNS = 128, 256
STEPS = 4
SHARED_BYTES = (ROWS + COLUMNS) * 128
ENGINE_BYTES = ROWS * COLUMNS * 4


@dataclass(frozen=True)
class Product:
    """A format and its dtype, k of one instruction, and the rule's fields beside the sum."""

    format: str
    dtype: Any
    depth: int
    rule: str
    block: int = 0
    fraction: int = 0


class Kernel:
    """One wave that hands over products; what it took is left in `seconds`."""

    name, shared_bytes, private_bytes, multiprocessors = "product", SHARED_BYTES, 0, 1

    def __init__(self, what: Product, rounds: int, clock: Clock) -> None:
        from lanemap.emulator.codegen.operation import Block, Operation
        from lanemap.emulator.codegen.program import Program
        from lanemap.emulator.runtime import abi

        self._what, self._rounds, self._clock = what, rounds, clock
        blocks = [
            Block(0, 0, [Operation("product", 1, lambda b: b.flow.host(1), host=self._act)], (1,)),
            Block(1, 1, [Operation("end", 2, lambda b: b.flow.goto(1, abi.Run.END))], ()),
        ]
        # earlier checkouts ask for the matrix engine's clocks by a flag
        clocks: Any = ({"clocks": abi.ENGINE_CLOCKS} if hasattr(abi, "ENGINE_CLOCKS")
                       else {"engine": True})  # fmt: skip
        self.program = Program("product", "product.s", 32, blocks, frozenset(), None, False, False,
                               True, **clocks)
        rng = np.random.default_rng(1)
        k = STEPS * what.depth
        self._a, self._b = ((rng.integers(-8, 9, (n, k)) / 4).astype(what.dtype)
                            for n in (ROWS, COLUMNS))
        # by einsum: what BLAS leaves running would count as processor time
        self._sums = np.einsum("mk,nk->mn", *(m.astype(np.float64) for m in (self._a, self._b)))

    def initial(self, place: Any) -> dict[Any, Any]:
        """No register is read."""
        return {}

    def parameter_block(self, *_: Any) -> bytes:
        """No parameter either."""
        return b""

    def resident(self, waves: int, shared_bytes: int) -> tuple[int, str]:
        """One CTA."""
        return 1, "a benchmark"

    def _places(self, lines: int, step: int) -> Any:
        """Bit of each 16 bytes of 32 bytes of k, [line, 2]."""
        line, unit = np.ogrid[:lines, 2 * step:2 * step + 2]
        return np.ascontiguousarray((line * 128 + (unit ^ line % 8) * 16) * 8, np.uint32)

    def _fill(self, memory: Any) -> None:
        """Shared memory as if somebody had written and handed it over long ago."""
        image = np.zeros(SHARED_BYTES, np.uint8)
        for start, values in ((0, self._a), (ROWS * 128, self._b)):
            line, unit = np.ogrid[:len(values), :8]
            at = start + line * 128 + (unit ^ line % 8) * 16
            image[at[..., None] + np.arange(16)] = values.view(np.uint8).reshape(len(values), 8, 16)
        _define(memory, image)

    def _act(self, wave: Any) -> None:
        from lanemap.emulator.codegen.compiler import native
        from lanemap.emulator.host.memory import Contents
        from lanemap.emulator.runtime import abi
        from lanemap.emulator.runtime.functions import FUNCTIONS

        what = self._what
        shared = abi.Memory.from_address(wave.cta + abi.Cta.shared.offset)
        self._fill(shared)
        contents, engine = Contents(ENGINE_BYTES), abi.Memory()
        contents.describe_to(engine, 0, abi.Space.ENGINE, 1)
        engine.tag = 1
        _define(engine, np.zeros(ENGINE_BYTES, np.uint8))
        rule = abi.SumRule(sum=abi.Sum[what.rule], block=what.block, fraction=what.fraction,
                           zero_exponent=-133, smallest_exponent=-126, bits=24, nan=0x7FFFFFFF)
        d = np.arange(COLUMNS, dtype=np.uint32) * (ROWS * 32)
        form, run = abi.Format[what.format], what.depth // 2
        keep, products = [d], []
        for step in range(STEPS):
            sides = []
            for lines, start in ((COLUMNS, ROWS * 128), (ROWS, 0)):
                places = self._places(lines, step) + np.uint32(start * 8)
                keep.append(places)
                view = abi.View(None, places.ctypes.data, run, 256 // what.depth, 1, 4)
                sides.append(abi.Operand(view, None, lines, form))
            p = abi.Product(a=sides[0], b=sides[1], rule=rule, depth=what.depth,
                            d=abi.View(None, d.ctypes.data, ROWS, 32, 0, 4))
            p.a_memory = p.b_memory = ctypes.addressof(shared)
            p.d_memory = ctypes.addressof(engine)
            p.stamp = abi.Agent.ENGINE << abi.AGENT_SHIFT
            products.append(p)
        call = FUNCTIONS["lm_product"].prototype()(native().address("lm_product"))
        first, places = ctypes.addressof(wave), [ctypes.addressof(p) for p in products]
        start = self._clock()
        for _ in range(self._rounds):
            for p, place in zip(products, places, strict=True):
                p.stamp += 1
                if not call(first, place):
                    raise RuntimeError(f"{what}: the product was not made")
        self.seconds = self._clock() - start
        found = contents.data[:ENGINE_BYTES].view(np.float32).reshape(COLUMNS, ROWS).T
        if not np.array_equal(found, self._rounds * self._sums):
            raise RuntimeError(f"{what}: the product is wrong")


def _define(memory: Any, image: Any) -> None:
    """The memory holds these bytes, defined."""
    from lanemap.emulator.runtime import abi

    ctypes.memmove(memory.data, image.ctypes.data, len(image))
    pages = (ctypes.c_uint32 * (len(image) // abi.PAGE_BYTES)).from_address(memory.pages)
    state = abi.PageState.FILLED | abi.PageState.DEFINED | abi.PageState.SAVED
    pages[:] = [memory.tag << abi.PAGE_TAG_SHIFT | state] * len(pages)


def product(what: Product, divisor: int, clock: Clock) -> Sampler:
    """Prepare the kernel; sums are exact under either rule."""
    from lanemap.emulator.host.machine import Machine
    from lanemap.emulator.runtime.functions import FUNCTIONS

    if "lm_product" not in FUNCTIONS:
        raise Unsupported("has no products from memory")
    rounds = max(16 // divisor, 1)
    kernel, machine = Kernel(what, rounds, clock), Machine()

    def sample() -> float:
        machine.launch(kernel, (1, 1, 1), (32, 1, 1), b"", 0)
        return kernel.seconds / (rounds * STEPS)

    sample()
    return sample
