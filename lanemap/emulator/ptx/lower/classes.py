"""The class of each PTX instruction, used by counters.

Arithmetic is classed by type: integer, half (any 16-bit float), float, double. Accesses are classed
by state space and direction, and all other instructions by purpose.
"""

from __future__ import annotations

import re

from lanemap.emulator.ptx.text.module import Instruction

#: Instructions whose class their opcode says, or the opcode with the modifiers behind it.
_KIND_OF = {
    name: kind
    for kind, names in {
        "special function": "cos ex2 lg2 rcp rsqrt sin sqrt tanh",
        "conversion": "cvt szext",
        "compare": "isspacep istypep selp set setp slct testp",
        "move": "cvta getctarank mapa mov",
        "exchange": "activemask elect match movmatrix redux shfl vote",
        "copy": "cp cp.async cp.reduce tcgen05.cp tcgen05.shift tensormap",
        "tensor load": "tcgen05.ld",
        "tensor store": "tcgen05.st",
        "shared load": "ldmatrix",
        "shared store": "stmatrix",
        "matrix": "mma tcgen05.mma wgmma.mma_async wmma.mma",
        "prefetch": "applypriority cp.async.bulk.prefetch createpolicy discard prefetch prefetchu",
        "mbarrier": "cp.async.mbarrier mbarrier tcgen05.commit",
        "allocation": "alloca stackrestore stacksave tcgen05.alloc tcgen05.dealloc "
        "tcgen05.relinquish_alloc_permit",
        "barrier": "bar barrier",
        "wait": "cp.async.bulk.wait_group cp.async.wait_all cp.async.wait_group griddepcontrol "
        "nanosleep tcgen05.wait wgmma.wait_group tcgen05.wait::ld tcgen05.wait::st",
        "fence": "fence membar tcgen05.fence::after_thread_sync tcgen05.fence::before_thread_sync "
        "wgmma.fence wgmma.commit_group cp.async.commit_group cp.async.bulk.commit_group",
        "control": "bra brkpt brx call clusterlaunchcontrol exit pmevent ret setmaxnreg trap",
    }.items()
    for name in names.split()
}
#: What computes on the type that comes last among its modifiers.
_BY_TYPE = frozenset(
    "abs add addc and bfe bfi bfind bmsk brev clz cnot copysign div dp2a dp4a fma fns lop3 mad "
    "mad24 madc max min mul mul24 neg not or popc prmt rem sad shf shl shr sub subc vabsdiff "
    "vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4 "
    "vset vset2 vset4 vshl vshr vsub vsub2 vsub4 xor".split()
)
_ACCESSES = {"ld": "load", "ldu": "load", "st": "store", "atom": "atomic", "red": "atomic"}
_SPACES = {
    "global": "global", "shared": "shared", "local": "private", "param": "parameter",
    "const": "constant",
}  # fmt: skip
_TYPE = re.compile(r"e\dm\d|b?f(16|32|64)")
_FLOATS = {"16": "half", "32": "float", "64": "double"}
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)$")


def kind_of(instruction: Instruction) -> str:
    """Return the class; "other" for what this module does not know."""
    opcode, modifiers = instruction.opcode, instruction.modifiers
    for count in range(min(len(modifiers), 3), -1, -1):
        found = _KIND_OF.get(".".join((opcode, *modifiers[:count])))
        if found is not None:
            return found
    if opcode == "wmma":
        return _access(modifiers[0], modifiers)
    if opcode in _ACCESSES:
        return _access(_ACCESSES[opcode], modifiers)
    if opcode not in _BY_TYPE:
        return "other"
    types = [match[1] for match in map(_TYPE.match, modifiers) if match]
    return _FLOATS.get(types[-1] or "16", "integer") if types else "integer"


def _access(direction: str, modifiers: tuple[str, ...]) -> str:
    for modifier in modifiers:
        space = _SPACES.get(modifier.partition("::")[0])
        if space is not None:
            return f"{space} {direction}"
    return f"generic {direction}"


def products_of(instruction: Instruction) -> int:
    """Return the multiplications of a matrix instruction by one warp, 0 for any other."""
    for modifier in instruction.modifiers:
        shape = _SHAPE.match(modifier)
        if shape is not None and kind_of(instruction) == "matrix":
            m, n, k = map(int, shape.groups())
            if shape[0] == "m8n8k4" and "f16" in instruction.modifiers:
                return 4 * m * n * k
            # a warpgroup multiplies together; each of its four warps executes the instruction
            return m * n * k // (4 if instruction.opcode == "wgmma" else 1)
    return 0
