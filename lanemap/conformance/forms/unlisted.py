"""The families of PTX whose forms nobody has listed yet, each with sample instructions.

A share of forms is meaningful only next to the families that the lists leave out. These are all of
them, by the table of contents of the PTX ISA 9.0 (chapter 9.7). How many forms they have is not
known here. A few instructions of each are tried; ptxas accepts every one for its targets
(tests/conformance/forms/test_unlisted.py). To list a family's forms, remove it here.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.devices import Device, open_device
from lanemap.errors import UserError

_REGISTERS = (
    ".reg .b32 r<40>; .reg .b64 d<12>; .reg .f32 f<140>; .reg .f64 g<8>; .reg .b16 h<4>; "
    ".reg .b128 q<2>; .reg .pred p<2>; .shared .align 128 .b8 s[4096];"
)
BLACKWELL = ("sm_100a", "sm_103a")


@dataclass(frozen=True)
class Family:
    """A family of instructions without a list of forms.

    Attributes:
        name: What it is called here.
        section: Where the PTX ISA 9.0 has it.
        targets: The targets that have it.
        samples: Instructions of it, on the registers and the shared memory of `text_of`.
    """

    name: str
    section: str
    targets: tuple[str, ...]
    samples: tuple[str, ...]


FAMILIES = (
    Family("tcgen05.mma", "9.7.16", BLACKWELL, (
        "tcgen05.mma.cta_group::1.kind::f16 [r0], d0, d1, r1, p0",
        "tcgen05.mma.cta_group::1.kind::f16 [r0], [r2], d1, r1, p0",
        "tcgen05.mma.cta_group::1.kind::tf32 [r0], d0, d1, r1, p0",
        "tcgen05.mma.cta_group::1.kind::f8f6f4 [r0], d0, d1, r1, p0",
        "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [r0], d0, d1, r1, [r2], [r3], p0",
    )),
)  # fmt: skip


def text_of(sample: str, target: str) -> str:
    """The text in which one sample instruction is tried; its kernel is k."""
    return (
        f".version 9.0\n.target {target}\n.address_size 64\n"
        f".visible .entry k() {{ {_REGISTERS} {sample}; ret; }}\n"
    )


def executed(target: str) -> dict[Family, int]:
    """Try the sample instructions of a target's families: how many the emulator executes."""
    emulator = open_device(target, device="emulator")
    return {
        family: sum(_executes(emulator, sample) for sample in family.samples)
        for family in FAMILIES
        if target in family.targets
    }


def _executes(emulator: Device, sample: str) -> bool:
    """Whether the emulator takes a kernel that has the instruction."""
    try:
        emulator.load(text_of(sample, emulator.target))["k"]
    except UserError:
        return False
    return True
