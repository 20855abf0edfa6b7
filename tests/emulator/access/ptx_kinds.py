"""The access kinds of PTX: how each is written, and what it touches.

Before an access %a is its lane's address. Operands are in %h0 (16 bits), %v0 to %v3 (32), %d0 (64)
and %o0 (128), all filled with the byte 0x5a; %v8, %h8, %d8 and %o8 are zeros. Results go to %h4,
%v4 to %v7, %d4 and %o4.
"""

from __future__ import annotations

from dataclasses import dataclass

GLOBAL, SHARED, LOCAL, GENERIC = ".global", ".shared", ".local", ""
EVERYWHERE = (GLOBAL, SHARED, LOCAL, GENERIC)


@dataclass(frozen=True)
class Kind:
    """One access kind.

    Attributes:
        text: the statement; `{space}` and `{scope}` are filled in.
        size: bytes that a lane, or a row of a matrix, touches.
        result: the registers that hold what it loads; none for stores.
        writes: whether it stores.
        align: bytes that an address must be a multiple of, if not `size`.
        rows: rows of 16 bytes that the first lanes address, for matrix instructions; the warp
            then executes it together.
        operand: the register that an undefined value goes through, for what stores.
        atomic: whether it is a read-modify-write.
        relaxed: whether it has a scope at all (`.relaxed`), so that it may race.
        spaces: where it is tested.
    """

    text: str
    size: int
    result: tuple[str, ...] = ()
    writes: bool = False
    align: int = 0
    rows: int = 0
    operand: str = ""
    atomic: bool = False
    relaxed: bool = False
    spaces: tuple[str, ...] = EVERYWHERE
    hint: bool = False

    @property
    def reads(self) -> bool:
        """Whether anything is loaded."""
        return bool(self.result)

    @property
    def alignment(self) -> int:
        """What an address must be a multiple of, in bytes."""
        return self.align or self.size

    @property
    def bytes_touched(self) -> int:
        """By one lane, or by all rows of a matrix."""
        return self.size * (self.rows or 1)


_QUAD = ("%v4", "%v5", "%v6", "%v7")
_IN, _OUT = "{%v0, %v1, %v2, %v3}", "{%v4, %v5, %v6, %v7}"
_MATRIX = (SHARED,)


def _load(suffix: str, size: int, result: tuple[str, ...], text: str = "") -> Kind:
    return Kind(f"ld{{scope}}{{space}}.{suffix} {text or result[0]}, [%a];", size, result)


def _store(suffix: str, size: int, operand: str, text: str = "") -> Kind:
    return Kind(
        f"st{{scope}}{{space}}.{suffix} [%a], {text or operand};",
        size,
        writes=True,
        operand=operand,
    )


def _atom(operation: str, size: int, result: str, operand: str, compare: str = "") -> Kind:
    operands = f"{compare}, {operand}" if compare else operand
    return Kind(
        f"atom{{scope}}{{space}}.{operation} {result}, [%a], {operands};",
        size,
        (result,),
        True,
        operand=operand,
        atomic=True,
        spaces=(GLOBAL, SHARED, GENERIC),
    )


def _red(
    operation: str,
    size: int,
    operand: str,
    text: str = "",
    spaces: tuple[str, ...] = (GLOBAL, SHARED),
) -> Kind:
    return Kind(
        f"red{{scope}}{{space}}.{operation} [%a], {text or operand};",
        size,
        writes=True,
        operand=operand,
        atomic=True,
        spaces=spaces,
    )


def _ldmatrix(form: str, rows: int, registers: int) -> Kind:
    result = _QUAD[:registers]
    return Kind(
        f"ldmatrix.sync.aligned.{form} {{{{{', '.join(result)}}}}}, [%a];",
        16,
        result,
        rows=rows,
        spaces=_MATRIX,
    )


def _stmatrix(form: str, rows: int, registers: int) -> Kind:
    operands = ", ".join(f"%v{i}" for i in range(registers))
    return Kind(
        f"stmatrix.sync.aligned.{form} [%a], {{{{{operands}}}}};",
        16,
        writes=True,
        rows=rows,
        operand="%v0",
        spaces=_MATRIX,
    )


KINDS: dict[str, Kind] = {
    "ld.b8": _load("b8", 1, ("%v4",)),
    "ld.b16": _load("b16", 2, ("%h4",)),
    "ld.b32": _load("b32", 4, ("%v4",)),
    "ld.b64": _load("b64", 8, ("%d4",)),
    "ld.v4.b8": _load("v4.b8", 4, _QUAD, f"{{{_OUT}}}"),
    "ld.v4.b32": _load("v4.b32", 16, _QUAD, f"{{{_OUT}}}"),
    "ld.b128": _load("b128", 16, ("%o4",)),
    "st.b8": _store("b8", 1, "%v0"),
    "st.b16": _store("b16", 2, "%h0"),
    "st.b32": _store("b32", 4, "%v0"),
    "st.b64": _store("b64", 8, "%d0"),
    "st.v4.b32": _store("v4.b32", 16, "%v0", f"{{{_IN}}}"),
    "st.b128": _store("b128", 16, "%o0"),
    "atom.cas.b16": _atom("cas.b16", 2, "%h4", "%h0", "%h8"),
    "atom.add.f16": _atom("add.noftz.f16", 2, "%h4", "%h0"),
    "atom.add.f16x2": _atom("add.noftz.f16x2", 4, "%v4", "%v0"),
    "atom.add.bf16x2": _atom("add.noftz.bf16x2", 4, "%v4", "%v0"),
    "atom.add.u32": _atom("add.u32", 4, "%v4", "%v0"),
    "atom.add.f32": _atom("add.f32", 4, "%v4", "%v0"),
    "atom.cas.b32": _atom("cas.b32", 4, "%v4", "%v0", "%v8"),
    "atom.add.u64": _atom("add.u64", 8, "%d4", "%d0"),
    "atom.cas.b64": _atom("cas.b64", 8, "%d4", "%d0", "%d8"),
    "atom.exch.b128": _atom("exch.b128", 16, "%o4", "%o0"),
    "atom.cas.b128": _atom("cas.b128", 16, "%o4", "%o0", "%o8"),
    "red.add.u32": _red("add.u32", 4, "%v0"),
    "red.add.u64": _red("add.u64", 8, "%d0"),
    "red.add.f16x2": _red("add.noftz.f16x2", 4, "%v0"),
    "red.v4.f32": _red("add.v4.f32", 16, "%v0", f"{{{_IN}}}", (GLOBAL,)),
    "red.v2.f16x2": _red("add.noftz.v2.f16x2", 8, "%v0", "{{%v0, %v1}}", (GLOBAL,)),
    "ldmatrix.x1": _ldmatrix("m8n8.x1.shared.b16", 8, 1),
    "ldmatrix.x4": _ldmatrix("m8n8.x4.shared.b16", 32, 4),
    "ldmatrix.x2.trans": _ldmatrix("m8n8.x2.trans.shared.b16", 16, 2),
    "ldmatrix.b8.trans": _ldmatrix("m16n16.x1.trans.shared.b8", 16, 2),
    "stmatrix.x1": _stmatrix("m8n8.x1.shared.b16", 8, 1),
    "stmatrix.x4.trans": _stmatrix("m8n8.x4.trans.shared.b16", 32, 4),
    "stmatrix.b8.trans": _stmatrix("m16n8.x2.trans.shared.b8", 16, 2),
    "discard": Kind("discard{space}.L2 [%a], 128;", 128, writes=True, hint=True,
                    spaces=(GLOBAL, GENERIC)),
}  # fmt: skip
_RELAXED = ("ld.b8", "ld.b32", "ld.b64", "st.b8", "st.b32", "st.b64")
KINDS |= {
    f"{name.replace('.', '.relaxed.')}": Kind(
        **{**vars(KINDS[name]), "relaxed": True, "spaces": (GLOBAL, SHARED)}
    )
    for name in _RELAXED
}
ROWS = [(name, space) for name, kind in KINDS.items() for space in kind.spaces]


def row_id(name: str, space: str) -> str:
    """`ld.b8-shared`; a generic address is called `generic`."""
    return f"{name}-{space.lstrip('.') or 'generic'}"
