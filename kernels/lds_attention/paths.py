"""The paths that operands of lds_attention may take: layouts in LDS, fills, and P's way to V."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lanemap.errors import UserError

Layout: TypeAlias = Literal["rows", "interleaved", "transposed"]
Fill: TypeAlias = Literal["rows", "copy", "copy_row", "bytes", "permute", "write2", "transpose"]
Way: TypeAlias = Literal["k_rows", "swap", "v_rows"]
_LAYOUTS: tuple[Layout, ...] = ("rows", "interleaved", "transposed")
_FILLS: tuple[Fill, ...] = (
    "rows", "copy", "copy_row", "bytes", "permute", "write2", "transpose",
)  # fmt: skip
WAYS: tuple[Way, ...] = ("k_rows", "swap", "v_rows")
#: Of a workgroup, and keys of a tile.
WAVES, KEYS = 4, 64
QUERIES = 32 * WAVES


@dataclass(frozen=True)
class Path:
    """Choices of one path, as #defined in the kernel source.

    Attributes:
        name: Such as "2.permute".
        says: The path in words.
        qk: Layout of Q and K: "rows" or "interleaved".
        qk_fill: How Q and K come to LDS.
        qk_pad: Bytes added to a row (rows) or to a block of 8 rows (interleaved).
        qk_read: Bytes that a plain read of Q or K takes.
        v: Layout of V.
        v_fill: "rows" (through registers) or "copy".
        v_pad: As `qk_pad`.
        swizzle: Whether 16-byte chunks of rows that are copied are permuted.
        way: How P's registers come to hold the keys that V's chunks hold.
        mfma_k: 16 or 64.
    """

    name: str
    says: str
    qk: Layout = "rows"
    qk_fill: Fill = "rows"
    qk_pad: int = 0
    qk_read: int = 16
    v: Layout = "rows"
    v_fill: Fill = "rows"
    v_pad: int = 0
    swizzle: bool = False
    way: Way = "k_rows"
    mfma_k: int = 64

    def defines(self, head_dim: int) -> dict[str, int]:
        """Return the macros of the source that this path sets."""
        qk_bytes = 8 * head_dim if self.qk == "interleaved" else head_dim
        v_bytes = {"rows": head_dim, "interleaved": 8 * KEYS, "transposed": KEYS}[self.v]
        return {
            "QK_LAYOUT": _LAYOUTS.index(self.qk),
            "QK_FILL": _FILLS.index(self.qk_fill),
            "QK_STRIDE": qk_bytes + self.qk_pad,
            "QK_READ": self.qk_read,
            "QK_SWIZZLE": int(self.swizzle and self.qk == "rows"),
            "V_LAYOUT": _LAYOUTS.index(self.v),
            "V_FILL": _FILLS.index(self.v_fill),
            "V_STRIDE": v_bytes + self.v_pad,
            "V_SWIZZLE": int(self.swizzle and self.v == "rows"),
            "P_WAY": WAYS.index(self.way),
            "MFMA_K": self.mfma_k,
        }


_ONE = Path(
    "1",
    "rows 8 bytes apart from each other's banks, read by ds_read_b64; V transposed through "
    "registers",
    qk_pad=8,
    qk_read=8,
    v="transposed",
    v_pad=8,
)
_TWO = Path(
    "2",
    "interleaved-8, read by ds_read_b64_tr_b8",
    qk="interleaved",
    qk_pad=64,
    v="interleaved",
    v_pad=64,
)
_THREE = Path("3", "rows; Q and K by plain reads, V by ds_read_b64_tr_b8")


def _two(fill: Fill, says: str) -> tuple[Path, Path]:
    padded = replace(_TWO, name=f"2.{fill}", says=f"{_TWO.says}, filled {says}", qk_fill=fill)
    dense = replace(
        padded, name=f"2.{fill}.dense", says=f"{padded.says}, without padding", qk_pad=0, v_pad=0
    )
    return padded, dense


#: Every path and fill, by name.
PATHS = {
    path.name: path
    for path in (
        _ONE,
        replace(
            _ONE,
            name="1.copy_row",
            qk_fill="copy_row",
            says=f"{_ONE.says}; Q and K copied to LDS a row at a time",
        ),
        Path(
            "1s",
            "rows without padding, copied to LDS with 16-byte chunks permuted; Q and K by "
            "ds_read_b128, V by ds_read_b64_tr_b8",
            qk_fill="copy",
            v_fill="copy",
            swizzle=True,
        ),
        *_two("bytes", "by ds_write_b8"),
        *_two("permute", "by ds_bpermute_b32, v_perm_b32 and ds_write_b64"),
        *_two("write2", "by ds_write2_b32"),
        *_two("transpose", "by a transposing read and ds_write_b64"),
        replace(_THREE, name="3.128"),
        replace(_THREE, name="3.136", qk_pad=8, v_pad=8, qk_read=8),
        replace(_THREE, name="3.160", qk_pad=32, v_pad=32),
        replace(
            _THREE,
            name="3.136.160",
            qk_pad=8,
            qk_read=8,
            v_pad=32,
            says=f"{_THREE.says}; each with the padding that its reads want",
        ),
    )
}
DEFAULT = "1s"


def path(name: str, way: str = "k_rows", mfma_k: int = 64) -> Path:
    """Return a path by its name, with a way for P and an MFMA.

    Raises:
        UserError: there is no such path, way or MFMA.
    """
    if name not in PATHS:
        raise UserError(f"path {name!r} is not one of {', '.join(PATHS)}")
    if way not in WAYS:
        raise UserError(f"p_way {way!r} is not one of {', '.join(WAYS)}")
    if mfma_k not in (16, 64):
        raise UserError(f"mfma_k is {mfma_k}; 16 (fp8_fp8) and 64 (f8f6f4) are supported")
    return replace(PATHS[name], way=next(each for each in WAYS if each == way), mfma_k=mfma_k)
