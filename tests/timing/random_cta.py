"""Kernels of one CTA in CUDA C++, drawn by a number: arithmetic, exchanges, shared memory.

Each thread has integers and floats; a turn of the loop is a list of statements over them. The
numbers of turns and of statements, and what they are, follow from the number alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Values of each kind that a thread has, words of `in` and `out`.
_VALUES, WORDS = 4, 4096
#: Statements by kind; {d} is written, {a} and {b} are read, {k} is a small number.
_STATEMENTS = {
    "integers": (
        "i{d} = i{a} * i{b} + {k};",
        "i{d} = (i{a} << {k}) ^ (i{b} >> {k});",
        "i{d} = i{a} + min(i{b}, i{d});",
        "i{d} = __popc(i{a}) + i{b};",
        "i{d} ^= i{a} & ~i{b};",
        "i{d} = i{a} > i{b} ? i{a} - i{b} : i{d} + {k};",
        "i{d} = __byte_perm(i{a}, i{b}, 0x3175);",
    ),
    "floats": (
        "f{d} = f{a} * 0.75f + f{b} * 0.2f;",
        "f{d} = fmaf(f{a}, 0.5f, -0.25f * f{b});",
        "f{d} = fmaxf(f{a}, f{b}) - 0.125f * f{d};",
        "f{d} = 0.5f * f{a} + (f{b} < 0.1f ? 0.3f : 0.1f);",
    ),
    "special": (
        'asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f{d}) : "f"(-fabsf(f{a})));',
        'asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(f{d}) : "f"(1.0f + f{a} * f{a}));',
        'asm("sin.approx.ftz.f32 %0, %1;" : "=f"(f{d}) : "f"(f{a}));',
    ),
    "conversions": (
        "f{d} = (float)(i{a} & 1023u) * 0.0009765625f;",
        "i{d} = (unsigned)(int)(f{a} * 1000.0f) + i{b};",
    ),
    "exchanges": (
        "i{d} = __shfl_xor_sync(~0u, i{a}, {k});",
        "f{d} = __shfl_down_sync(~0u, f{a}, {k});",
        "i{d} += __ballot_sync(~0u, i{a} & {k});",
        "i{d} = __reduce_add_sync(~0u, i{a} & 255u) + i{b};",
    ),
    "shared memory": (
        "box[t] = i{a}; __syncthreads(); i{d} = box[(t + {k}) % threads]; __syncthreads();",
        "box[t] = i{a}; __syncthreads(); i{d} ^= box[(t * {k}) % threads]; __syncthreads();",
        "box[t] = __float_as_uint(f{a}); __syncwarp(); "
        "f{d} = __uint_as_float(box[t ^ {k}]); __syncwarp();",
        "atomicAdd(&box[1024 + (i{a} & 31u)], {k}u);",
    ),
}


@dataclass(frozen=True)
class RandomCta:
    """A kernel of one CTA.

    Attributes:
        number: What it follows from.
    """

    number: int

    @property
    def entry(self) -> str:
        """Its name."""
        return f"random_cta_{self.number}"

    @cached_property
    def _drawn(self) -> tuple[int, int, tuple[str, ...]]:
        chance = random.Random(f"one CTA {self.number}")
        warps, turns = chance.choice((1, 2, 4, 8, 16)), chance.choice((16, 32, 48, 64))
        kinds = chance.sample(list(_STATEMENTS), chance.randint(2, 4))
        lines = []
        for _ in range(chance.randint(6, 20)):
            text = chance.choice(_STATEMENTS[chance.choice(kinds)])
            names = {name: chance.randrange(_VALUES) for name in "dab"}
            lines.append(text.format(k=chance.choice((1, 2, 4, 8, 16)), **names))
        return warps, turns, tuple(lines)

    @property
    def warps(self) -> int:
        """Warps of the CTA."""
        return self._drawn[0]

    @property
    def turns(self) -> int:
        """Turns of its loop."""
        return self._drawn[1]

    @property
    def text(self) -> str:
        """The CUDA C++."""
        body = "\n    ".join(self._drawn[2])
        integers = ", ".join(f"i{n} = in[(t + {n * 1024}) % 4096]" for n in range(_VALUES))
        floats = ", ".join(f"f{n} = (in[t + {n}] & 1023u) * 0.001f" for n in range(_VALUES))
        made = " ^ ".join(
            [*(f"i{n}" for n in range(_VALUES)),
             *(f"__float_as_uint(f{n})" for n in range(_VALUES))]
        )  # fmt: skip
        return _TEXT.format(
            entry=self.entry, integers=integers, floats=floats, body=body, made=made,
            threads=32 * self.warps,
        )  # fmt: skip


_TEXT = """
extern "C" __global__ void {entry}(const unsigned *in, unsigned *out, int turns, long long *clocks)
{{
  __shared__ unsigned box[1056];
  const int t = threadIdx.x, threads = {threads};
  unsigned {integers};
  float {floats};
  if (t < 32) box[1024 + t] = 0;
  __syncthreads();
  long long began = clock64();
#pragma unroll 1
  for (int n = 0; n < turns; n++) {{
    {body}
  }}
  long long ended = clock64();
  if ((t & 31) == 0) {{
    clocks[t >> 4] = began;
    clocks[(t >> 4) + 1] = ended;
  }}
  out[t] = {made};
}}
"""
