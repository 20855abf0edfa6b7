"""Descriptors of wgmma and tcgen05: their fields, encoded to and decoded from integers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar, TypeVar

from lanemap.errors import UserError

# Field name -> lowest bit, number of bits, unit that the encoded value counts in.
Fields = dict[str, tuple[int, int, int]]
AnyDescriptor = TypeVar("AnyDescriptor", bound="Descriptor")


@dataclass(frozen=True)
class Descriptor:
    """What all descriptors share: fields with a place, encoded and decoded by `FIELDS`."""

    FIELDS: ClassVar[Fields] = {}
    FIXED: ClassVar[int] = 0
    BITS: ClassVar[int] = 64

    def encode(self) -> int:
        """The descriptor as an integer.

        Raises:
            UserError: A field is out of range or not a multiple of its unit.
        """
        word = self.FIXED
        for name, (low, bits, unit) in self.FIELDS.items():
            value = int(getattr(self, name))
            if value < 0 or value % unit or value // unit >= 1 << bits:
                most = ((1 << bits) - 1) * unit
                raise UserError(f"{name} = {value} must be a multiple of {unit} from 0 to {most}")
            word |= value // unit << low
        return word

    @classmethod
    def decode(cls: type[AnyDescriptor], word: int) -> AnyDescriptor:
        """The descriptor of an integer.

        Raises:
            UserError: Bits outside every field are set, or fixed ones are not.
        """
        values = {
            name: (word >> low & ((1 << bits) - 1)) * unit
            for name, (low, bits, unit) in cls.FIELDS.items()
        }
        types = {field.name: field.type for field in fields(cls)}
        found = cls(**{n: bool(v) if types[n] == "bool" else v for n, v in values.items()})
        if found.encode() != word:
            raise UserError(
                f"{word:#x} is no {cls.__name__}: it differs in {found.encode() ^ word:#x}"
            )
        return found


@dataclass(frozen=True)
class SharedDescriptor(Descriptor):
    """The shared-memory descriptor of tcgen05 (NVIDIA PTX ISA; CUTLASS mma_sm100_desc.hpp).

    Attributes:
        start_bytes: Address, a multiple of 16.
        leading_bytes: LBO.
        stride_bytes: SBO.
        base_offset: For an atom that does not start at a multiple of its repetition.
        leading_absolute: LBO is an absolute address rather than an offset.
        swizzle: 0 none, 1 128B with 32B atoms, 2 128B, 4 64B, 6 32B.
    """

    start_bytes: int = 0
    leading_bytes: int = 0
    stride_bytes: int = 0
    base_offset: int = 0
    leading_absolute: bool = False
    swizzle: int = 0

    FIXED: ClassVar[int] = 1 << 46
    FIELDS: ClassVar[Fields] = {
        "start_bytes": (0, 14, 16),
        "leading_bytes": (16, 14, 16),
        "stride_bytes": (32, 14, 16),
        "base_offset": (49, 3, 1),
        "leading_absolute": (52, 1, 1),
        "swizzle": (61, 3, 1),
    }


@dataclass(frozen=True)
class WgmmaDescriptor(Descriptor):
    """The shared-memory descriptor of wgmma (NVIDIA PTX ISA; CUTLASS mma_sm90_desc.hpp).

    Attributes:
        start_bytes: Address, a multiple of 16.
        leading_bytes: LBO.
        stride_bytes: SBO.
        base_offset: For an atom that does not start at a multiple of its repetition.
        swizzle: 0 none, 1 128B, 2 64B, 3 32B.
    """

    start_bytes: int = 0
    leading_bytes: int = 0
    stride_bytes: int = 0
    base_offset: int = 0
    swizzle: int = 0

    FIELDS: ClassVar[Fields] = {
        "start_bytes": (0, 14, 16),
        "leading_bytes": (16, 14, 16),
        "stride_bytes": (32, 14, 16),
        "base_offset": (49, 3, 1),
        "swizzle": (62, 2, 1),
    }


@dataclass(frozen=True)
class InstructionDescriptor(Descriptor):
    """The instruction descriptor of kinds f16, tf32, f8f6f4 and i8 (NVIDIA PTX ISA; CUTLASS).

    Attributes:
        n: N.
        m: M.
        d: Type of D: a value of `D_TYPES`.
        a: Type of A: a value of `AB_TYPES[kind]`.
        b: Type of B.
        a_mn_major: A is M-major.
        b_mn_major: B is N-major.
        negate_a: Negate A.
        negate_b: Negate B.
        sparsity_selector: Of .sp.
        sparse: .sp.
        saturate: Of i8.
        max_shift: Of .ws.
    """

    n: int
    m: int
    d: int
    a: int = 0
    b: int = 0
    a_mn_major: bool = False
    b_mn_major: bool = False
    negate_a: bool = False
    negate_b: bool = False
    sparsity_selector: int = 0
    sparse: bool = False
    saturate: bool = False
    max_shift: int = 0

    BITS: ClassVar[int] = 32
    FIELDS: ClassVar[Fields] = {
        "sparsity_selector": (0, 2, 1),
        "sparse": (2, 1, 1),
        "saturate": (3, 1, 1),
        "d": (4, 2, 1),
        "a": (7, 3, 1),
        "b": (10, 3, 1),
        "negate_a": (13, 1, 1),
        "negate_b": (14, 1, 1),
        "a_mn_major": (15, 1, 1),
        "b_mn_major": (16, 1, 1),
        "n": (17, 6, 8),
        "m": (24, 5, 16),
        "max_shift": (30, 2, 1),
    }


@dataclass(frozen=True)
class ScaledDescriptor(Descriptor):
    """The instruction descriptor of the block-scaled kinds (NVIDIA PTX ISA; CUTLASS).

    Attributes:
        n: N.
        m: M.
        a: Type of A: as f8f6f4 for mxf8f6f4; 1 is E2M1 for mxf4 and mxf4nvf4.
        b: Type of B.
        scale_ue8m0: Scales are UE8M0 rather than UE4M3.
        sfa_id: Byte of the column where the scales of A begin.
        sfb_id: The same for B.
        a_mn_major: A is M-major.
        b_mn_major: B is N-major.
        negate_a: Negate A.
        negate_b: Negate B.
        sparsity_selector: Of .sp.
        sparse: .sp.
        k96: K = 96 of mxf4 on sm_103a.
    """

    n: int
    m: int
    a: int
    b: int
    scale_ue8m0: bool
    sfa_id: int = 0
    sfb_id: int = 0
    a_mn_major: bool = False
    b_mn_major: bool = False
    negate_a: bool = False
    negate_b: bool = False
    sparsity_selector: int = 0
    sparse: bool = False
    k96: bool = False

    BITS: ClassVar[int] = 32
    FIELDS: ClassVar[Fields] = {
        "sparsity_selector": (0, 2, 1),
        "sparse": (2, 1, 1),
        "sfb_id": (4, 2, 1),
        "a": (7, 3, 1),
        "b": (10, 3, 1),
        "negate_a": (13, 1, 1),
        "negate_b": (14, 1, 1),
        "a_mn_major": (15, 1, 1),
        "b_mn_major": (16, 1, 1),
        "n": (17, 6, 8),
        "scale_ue8m0": (23, 1, 1),
        "m": (24, 5, 16),
        "sfa_id": (29, 2, 1),
        "k96": (31, 1, 1),
    }


D_TYPES = {"f16": 0, "f32": 1, "s32": 2}
AB_TYPES = {
    "f16": {"f16": 0, "bf16": 1},
    "tf32": {"tf32": 2},
    "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "i8": {"u8": 0, "s8": 1},
    "mxf4": {"e2m1": 1},
}
