"""What a random pipeline of tcgen05 consists of, one set of choices a program."""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.conformance.programs.chance import Chance
from tests.emulator.ptx.mma_kernels import SWIZZLES, Mma, Operand

#: CTAs of the cluster, and of a group that multiplies together.
TEAMS = {"solo": (1, 1), "two": (2, 1), "pair": (2, 2), "pairs": (4, 2)}
#: How tiles come into shared memory. Of a pair, TMA signals the mbarrier of the even CTA, "stores"
#: arrive there, and of "bulk" the odd CTA waits itself and passes the arrival on.
LOADERS = ("bulk", "tma", "stores")
WARPS, READERS, SHARED_ALIGNMENT = 8, 4, 1024
#: Kind: types of A and B, types of D.
DENSE = {
    "f16": ((("f16", "f16"), ("bf16", "bf16"), ("f16", "bf16")), ("f32", "f32", "f16")),
    "tf32": ((("tf32", "tf32"),), ("f32",)),
    "f8f6f4": ((("e4m3", "e5m2"), ("e5m2", "e3m2"), ("e2m3", "e4m3"), ("e2m1", "e2m1")),
               ("f32", "f16")),
    "i8": ((("s8", "s8"), ("u8", "s8")), ("s32",)),
}  # fmt: skip
#: Kind and modifiers: types of A and B, scales of a row, the type of scales.
SCALED = (
    ("mxf8f6f4", "", ("e4m3", "e5m2"), 1, "ue8m0"),
    ("mxf8f6f4", ".scale_vec::1X", ("e5m2", "e2m1"), 1, "ue8m0"),
    ("mxf8f6f4", ".block32", ("e3m2", "e4m3"), 1, "ue8m0"),
    ("mxf4", "", ("e2m1", "e2m1"), 2, "ue8m0"),
    ("mxf4", ".block32", ("e2m1", "e2m1"), 2, "ue8m0"),
    ("mxf4nvf4", ".scale_vec::2X", ("e2m1", "e2m1"), 2, "ue8m0"),
    ("mxf4nvf4", ".scale_vec::4X", ("e2m1", "e2m1"), 4, "ue4m3"),
    ("mxf4nvf4", ".block16", ("e2m1", "e2m1"), 4, "ue8m0"),
)
#: What programs have in turn: team, and whether .ws (1) or scales (2).
PLANS = (
    ("pair", 0), ("solo", 1), ("pair", 2), ("two", 2), ("pairs", 0), ("two", 1), ("solo", 2),
    ("pairs", 2), ("pair", 0), ("two", 0), ("pair", 2), ("solo", 1),
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """One program: a ring of tiles, products of them, and warps that read the sums.

    Attributes:
        number: Its number.
        mma: The instruction: M and N of one product.
        scales: Scales of a row in one product; 0 for none.
        scale_type: Their type.
        team: One of TEAMS.
        loader: One of LOADERS.
        sharing: Each half of a B that several CTAs or pairs need is copied to all of them.
        a_blocks, b_blocks: Products of one step of k with other A, or other B; the common operand
            is collected.
        buffer: The collector buffer of B (.ws).
        near, far: How A and B lie in shared memory.
        depths: Steps of k in a tile.
        stages, steps, sums: Tiles in the ring; tiles of one sum; sums one after the other.
        places: Sums that tensor memory holds at a time.
        copier: Whether another warp than that of the products issues tcgen05.cp.
        through: Whether the warp of the products learns of tiles from that warp alone.
        moved: "shift" or "ashift": rows of A in tensor memory take those of the next row.
        first_reader: The first of the four warps that read the sums.
        roles: Warps of loader, products, copies, allocation.
        by_warp: One lane of each reading warp arrives, not each.
        seed: Of the inputs.
    """

    number: int
    mma: Mma
    scales: int
    scale_type: str
    team: str
    loader: str
    sharing: bool
    a_blocks: int
    b_blocks: int
    buffer: int
    near: Operand
    far: Operand
    depths: int
    stages: int
    steps: int
    sums: int
    places: int
    copier: bool
    through: bool
    moved: str
    first_reader: int
    roles: tuple[int, ...]
    by_warp: bool
    seed: int

    @property
    def ctas(self) -> int:
        """CTAs of the cluster."""
        return TEAMS[self.team][0]

    @property
    def group(self) -> int:
        """CTAs that multiply together."""
        return self.mma.ctas

    @property
    def blocks(self) -> int:
        """Products of one step of k."""
        return self.a_blocks * self.b_blocks

    @property
    def rows(self) -> int:
        """Rows of A and D in one CTA."""
        return self.mma.rows // self.group

    @property
    def columns(self) -> int:
        """Columns of B in one CTA."""
        return self.mma.columns // self.group

    @property
    def fold(self) -> int:
        """Blocks of columns of D that lie above each other."""
        if self.mma.ws:
            return 128 // self.mma.rows
        return 2 if (self.mma.rows, self.group) == (128, 2) else 1

    @property
    def width(self) -> int:
        """Columns of tensor memory that one D takes."""
        return self.mma.columns // self.fold

    @property
    def tiles(self) -> int:
        """Tiles that each CTA loads."""
        return self.steps * self.sums

    @property
    def copies(self) -> bool:
        """Whether anything is copied to tensor memory."""
        return self.mma.tensor or self.mma.scaled

    @property
    def scale_words(self) -> int:
        """Columns of four scales of a row that the k of a tile needs."""
        return -(-self.depths * self.scales // 4)

    @property
    def name(self) -> str:
        """A name that says what the program does."""
        m = self.mma
        form = f"{'ws ' if m.ws else ''}{m.kind}{m.words} {m.rows}x{m.columns}"
        return f"{self.number:03d} {self.team} {form} {self.loader}"


def _kind(chance: Chance, plan: int) -> tuple[str, str, tuple[str, str], str, int, str]:
    if plan == 2:
        kind, words, types, scales, scale_type = chance.of(SCALED)
        return kind, words, types, "f32", scales, scale_type
    kind = chance.of(tuple(DENSE))
    pairs, results = DENSE[kind]
    types, result = chance.of(pairs), chance.of(results)
    return kind, "", types, "f32" if "bf16" in types else result, 0, ""


def _size(chance: Chance, group: int, plan: int, kind: str) -> tuple[int, int]:
    """M and N that all sources allow."""
    if plan == 1:
        return chance.of((32, 64, 128)), chance.of((64, 128))
    if group == 2:
        return chance.of((128, 256)), chance.of((32, 64, 96, 128))
    return 128 if plan == 2 else chance.of((64, 128)), chance.of((16, 32, 48, 64, 80))


def _operand(chance: Chance, turned: bool, depths: int, lines: int, bits: int) -> Operand:
    """A layout whose rows hold the k of a tile, or whose lines are whole rows."""
    if turned:
        fitting = [n for n, (_, width, *_) in SWIZZLES.items() if lines % (width * 8 // bits) == 0]
        return Operand(chance.of([n for n in fitting if n != "128B_32B"]), True)
    fitting = [n for n in ("32B", "64B", "128B") if SWIZZLES[n][1] >= 32 * depths]
    return Operand(chance.of(["none", *fitting]))


def shape(number: int) -> Shape:
    """Choose what one program does."""
    chance = Chance("tensor pipelines", number)
    team, plan = PLANS[number % len(PLANS)]
    ctas, group = TEAMS[team]
    kind, words, types, result, scales, scale_type = _kind(chance, plan)
    rows, columns = _size(chance, group, plan, kind)
    loader = chance.of(LOADERS)
    # narrow elements of 8-bit holders have another form in tensor memory
    plain = not {"e2m1", "e2m3", "e3m2"} & set(types) or kind.startswith("mxf4")
    can_copy = plain and (
        rows // group == 128 or (rows == 128 and group == 2) or (plan == 1 and rows == 64)
    )
    tensor = can_copy and chance.one_in(2 if plan != 2 else 4)
    depths = chance.of((1, 2, 3, 4) if plan != 1 else (1, 2))
    two_blocks = chance.one_in(2)
    a_blocks = 2 if plan == 1 and two_blocks else 1
    b_blocks = 2 if plan == 0 and two_blocks and columns <= 64 else 1
    moved = ""
    if tensor and rows // group == 128 and plan == 0 and kind in ("f16", "tf32"):
        moved = chance.of(("", "shift", "ashift"))
    turned = [kind == "f16" and not tensor and chance.one_in(3), kind == "f16" and chance.one_in(3)]
    bits = 4 if kind.startswith("mxf4") else {"f16": 16, "tf32": 32}.get(kind, 8)
    far = _operand(chance, turned[1], depths, columns // group, bits)
    near = _operand(chance, turned[0], depths, rows // group, bits)
    mma = Mma(kind, rows, columns, *types, result, group, plan == 1, words, tensor)
    first = chance.below(WARPS - READERS + 1)
    rest = chance.shuffled([w for w in range(WARPS) if not first <= w < first + READERS])
    copies = tensor or plan == 2
    copier = copies and chance.one_in(2)
    fold = 128 // rows if plan == 1 else 2 if rows // group == 64 and group == 2 else 1
    # tensor memory has room for tiles beside 256 columns of sums
    places = min(1 + chance.below(2), 256 // (a_blocks * b_blocks * columns // fold))
    return Shape(
        number,
        mma,
        scales,
        scale_type,
        team,
        loader,
        loader != "stores" and team in ("two", "pairs") and not chance.one_in(4),
        a_blocks,
        b_blocks,
        chance.below(4),
        near,
        far,
        depths,
        1 + chance.below(3),
        1 + chance.below(3),
        1 + chance.below(3),
        places,
        copier,
        copier and chance.one_in(2),
        moved,
        first,
        tuple(rest),
        chance.one_in(2),
        chance.bits(31),
    )
