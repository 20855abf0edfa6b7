"""The one table of forms whose results may differ between the emulator and a GPU.

Each entry states its reason. Programs still run every form that can run. Forms that are not in this
table are compared bit for bit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Exemption:
    """A pattern of form names and why they are not compared bit for bit.

    Attributes:
        pattern: A regular expression for the whole name.
        kind: "any NaN": compared bit for bit, except that any NaN equals any other;
            "unspecified": run, result not compared; "approximate": held to a bound of its own;
            "not run": in no program; "not so written": see the reason.
        reason: A sentence.
    """

    pattern: str
    kind: str
    reason: str


EXEMPTIONS = (
    Exemption(
        r"mov\.u(32|64) \(%(clock|clock_hi|clock64|globaltimer|globaltimer_lo|globaltimer_hi)\)",
        "unspecified", "a clock: its value is when it is read",
    ),
    Exemption(
        r"mov\.u(32|64) \(%(smid|nsmid|warpid|gridid)\)",
        "unspecified", "where and as which launch the warp happens to run",
    ),
    Exemption(
        r"mov\.u(32|64) \(%(envreg\d+|pm\d|pm\d_64|reserved_smem_\w+|aggr_smem_size)\)",
        "not run", "the emulator refuses it: the value is the driver's own",
    ),
    Exemption(
        r"createpolicy\..*", "unspecified",
        "the encoding of a cache policy is the implementation's, and holds an address in .range",
    ),
    Exemption(
        r"(mapa|getctarank)\.u32", "unspecified",
        "a generic address has 64 bits here; half of one is the address of nothing",
    ),
    Exemption(
        r"(ld|st)(\..*)?\.v8\.[bsu](8|16)", "not run",
        "the emulator refuses it: no syntax table of the ISA has it; ptxas 13.0.88 accepts it and "
        "moves the first element alone",
    ),
    Exemption(
        r"ld\.param(::func)?\.v8\.[bsu](8|16) \(of a function\)", "not run",
        "no syntax table of the ISA has it; ptxas 13.0.88 accepts it, and ends with a segmentation "
        "fault once the loaded values are used",
    ),
    Exemption(
        r"ld\.param(::func)?\.b128 \(of a function\)", "unspecified",
        "ptxas 13.0.88 loads the low 64 bits and leaves the others zero",
    ),
    Exemption(
        r"@ set\..*\.(f16|f16x2|bf16|bf16x2|f32)\..*", "not so written",
        "under a guard ptxas 13.0.88 compiles a set with a float result wrongly: where the guard "
        "is false it converts what the register held; programs have no guard there",
    ),
    Exemption(
        r"@ v\w+[24]\..*", "not so written",
        "ptxas 13.0.88 drops the guard of vadd4.u32.u32.u32.add and executes it in every thread; "
        "programs have no guard at the instructions of this family",
    ),
    Exemption(
        r"(abs|neg)\.(ftz\.)?(f16|f16x2|bf16|bf16x2|f32|f64)", "any NaN",
        "the ISA leaves the NaN open, and with it whether ptxas makes an instruction of floats or "
        "of bits: under a guard an H200 keeps the payload",
    ),
    Exemption(
        r"(add|sub|mul|fma|mad|div|min|max)\.(r[nzmp]\.)?f64", "any NaN",
        "of several NaN the ISA does not say whose payload wins; an H200 takes the one that stands "
        "first in the machine instruction, and ptxas may exchange operands",
    ),
    Exemption(
        r"(atom|red)(\..*)?\.add(\.L2::cache_hint)?\.f64", "any NaN",
        "in shared memory ptxas makes a loop of it, with that freedom",
    ),
    Exemption(
        r"(ex2|lg2|sin|cos|rcp|rsqrt|sqrt|tanh)\.approx\..*|div\.(approx|full)\..*",
        "approximate", "specified as a bound only; approximations.json has the observed one",
    ),
)  # fmt: skip

#: Families that programs do not write, with the reason; results of these are compared elsewhere.
OUTSIDE = {
    r"(ld|st|mov)matrix\..*":
        "they move bits between threads; probes of the same names show every bit of each form",
    r"(wg|w)?mma\..*": "programs are written thread by thread, and a warp multiplies together",
    r"cp\.(reduce\.)?async\.bulk\.(prefetch\.)?tensor\..*|tensormap\..*|prefetch.*\.tensormap":
        "they need tensor maps; the probes tma_swizzle and tma_fill and kept images of an H200 "
        "compare them (tests/emulator/ptx/test_tma_on_silicon.py)",
    r"cp\.(reduce\.)?async\..*|(st|red)\.async\..*":
        "asynchronous; programs of their own wait for them (programs/copies)",
    r"(tex|tld4|txq|suld|sust|sured|suq|multimem)\..*":
        "the emulator has no textures, surfaces and multimem addresses",
}  # fmt: skip


@cache
def exemption(form: str) -> Exemption | None:
    """Return why a form is not compared bit for bit; None if it is."""
    return next((e for e in EXEMPTIONS if re.fullmatch(e.pattern, form)), None)


def kind_of(form: str) -> str:
    """Return the kind of a form's exemption; "bits" if it has none."""
    found = exemption(form)
    return found.kind if found else "bits"


def is_compared(form: str) -> bool:
    """Return whether both devices must agree, except perhaps on which NaN."""
    return kind_of(form) in ("bits", "any NaN")


def is_run(form: str) -> bool:
    """Return whether programs contain the form at all."""
    outside = any(re.fullmatch(pattern, form) for pattern in OUTSIDE)
    return not outside and kind_of(form) != "not run"
