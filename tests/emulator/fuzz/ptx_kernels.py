"""Kernels of PTX whose instructions get every operand from an array: one block a form."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from lanemap.conformance.forms.coverage import unsupported
from lanemap.conformance.forms.judged import accepted, all_forms
from lanemap.conformance.forms.rows import Form
from tests.ptx import module

REGISTERS, LANES, SHARED_BYTES = 48, 64, 1024
_FORMS_OF_A_KERNEL = 16
#: Opcodes whose operands reach memory, other lanes or objects of the runtime.
_REACHING = frozenset(
    "ld ldu st atom red ldmatrix stmatrix movmatrix mbarrier tcgen05 cp prefetch discard "
    "applypriority isspacep cvta mapa getctarank shfl match redux vote activemask bar barrier "
    "fence membar alloca stackrestore stacksave fns elect multimem mma clusterlaunchcontrol "
    "griddepcontrol nanosleep brx setmaxnreg tensormap wgmma createpolicy".split()
)
_DATA = """\
.const .align 32 .b8 c_[64];
.global .align 32 .b8 g[1024];
"""
_BEGIN = """.visible .entry {name}(.param .align 32 .b8 p[64], .param .u64 in, .param .u32 which,
                  .param .u32 state) {{
.reg .pred p<24>; .reg .b8 c<24>; .reg .b16 h<24>; .reg .b32 r<140>;
.reg .b64 d<24>; .reg .b128 q<24>;
.shared .align 32 .b8 s[1024]; .local .align 32 .b8 l[256];
.reg .b64 base, at; .reg .b32 index, lane, bits, low; .reg .pred on, first;
ld.param.u64 base, [in]; ld.param.u32 index, [which]; ld.param.u32 bits, [state];
mov.u32 lane, %tid.x; mul.wide.u32 at, lane, 8; add.u64 base, base, at;
setp.eq.u32 first, lane, 0;
and.b32 low, bits, 1; setp.ne.u32 on, low, 0; and.pred on, on, first;
@on mbarrier.init.shared.b64 [s], 1;
@on mbarrier.init.shared.b64 [s+64], 33;
bar.sync 0;
{tensor}
"""
_TENSOR = """and.b32 low, bits, 2; setp.ne.u32 on, low, 0; setp.lt.u32 first, lane, 32;
and.pred on, on, first;
@!on bra WITHOUT;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s+16], 32;
WITHOUT:
bar.sync 0;
"""
_NAME = re.compile(r"\b([pchrdq])(\d+)\b")


def _load(letter: str, number: int) -> str:
    """Fill one register from the array: row `number` modulo its rows, the lane's column."""
    where = f"[base+{number % REGISTERS * 8 * LANES}]"
    name = f"{letter}{number}"
    return {
        "d": f"ld.global.b64 {name}, {where};",
        "r": f"ld.global.b32 {name}, {where};",
        "h": f"ld.global.b16 {name}, {where};",
        "c": f"ld.global.b8 {name}, {where};",
        "p": f"ld.global.b32 low, {where}; and.b32 low, low, 1; setp.ne.u32 {name}, low, 0;",
        "q": f"ld.global.b64 at, {where}; mov.b128 {name}, {{at, at}};",
    }[letter]


def _block(form: Form, number: int) -> str:
    used = sorted({(letter, int(n)) for letter, n in _NAME.findall(form.statement)})
    loads = "\n".join(_load(letter, n) for letter, n in used)
    statement = form.statement
    if form.statement.startswith("brx"):
        statement = f"T{number}: .branchtargets END, B{number}; brx.idx r1, T{number};"
        loads = _load("r", 1)
    return f"B{number}:\n{loads}\n{statement}\nbra END;\n"


def chosen(target: str, seed: int, reaching: int, plain: int) -> list[Form]:
    """Draw forms that the emulator executes, in turn from each opcode, so that none is missed."""
    known, missing = all_forms(), unsupported(target)
    forms = [known[name][1] for name in sorted(accepted(target)) if name not in missing]
    forms = [form for form in forms if form.context == "entry" and "[a]" not in form.statement]
    drawn = random.Random(seed)
    kinds: dict[bool, dict[str, list[Form]]] = {True: {}, False: {}}
    for form in forms:
        opcode = form.name.split(".")[0].split(" ")[0]
        kind = ".".join(form.name.split(".")[:2]) if opcode in _REACHING else opcode
        kinds[opcode in _REACHING].setdefault(kind, []).append(form)
    found: list[Form] = []
    for which, count in ((True, reaching), (False, plain)):
        piles = [drawn.sample(pile, len(pile)) for _, pile in sorted(kinds[which].items())]
        while count > 0 and any(piles):
            for pile in piles:
                if pile and count > 0:
                    found.append(pile.pop())
                    count -= 1
    return drawn.sample(found, len(found))


def kernels(target: str, seed: int, reaching: int, plain: int) -> Iterator[tuple[str, list[str]]]:
    """Yield texts with an entry `k`, and the instruction that each value of `which` executes."""
    forms = chosen(target, seed, reaching, plain)
    pairs = [form for form in forms if "cta_group::2" in form.name]
    others = [form for form in forms if "cta_group::2" not in form.name]
    for some, group in [*_portions(others, 1), *_portions(pairs, 2)]:
        tensor = _TENSOR.replace("::1", f"::{group}") if target.startswith("sm_100") else ""
        labels = ", ".join(f"B{n}" for n in range(len(some)))
        text = _DATA + _BEGIN.format(name="k", tensor=tensor)
        text += f"FORMS: .branchtargets {labels}, L;\nbrx.idx index, FORMS;\n"
        text += "".join(_block(form, n) for n, form in enumerate(some))
        yield module(text + "L: M: END: ret; }\n", target), [form.statement for form in some]


def _portions(forms: list[Form], group: int) -> list[tuple[list[Form], int]]:
    """Divide forms among kernels, each of one .cta_group, as the ISA wants it."""
    begins = range(0, len(forms), _FORMS_OF_A_KERNEL)
    return [(forms[begin : begin + _FORMS_OF_A_KERNEL], group) for begin in begins]


#: Calls of itself, an array on its stack that is written anywhere, and calls through addresses.
CONTROL = """.version 8.8
.target {target}
.address_size 64
.func (.param .b32 r) one(.param .b32 a) {{ st.param.b32 [r], 1; ret; }}
.func (.param .b32 r) two(.param .b32 a) {{ st.param.b32 [r], 2; ret; }}
.func (.param .b32 r) deep(.param .b32 n, .param .b64 from) {{
  .reg .b32 %n, %m, %v, %f; .reg .b64 %b, %i, %a, %s; .reg .pred %p;
  .local .align 8 .b8 own[24];
  .param .b32 n1, r1, x1; .param .b64 b1;
  ld.param.b32 %n, [n];
  ld.param.b64 %b, [from];
  and.b32 %m, %n, 15; mul.wide.u32 %i, %m, 512; add.u64 %a, %b, %i;
  ld.global.b64 %i, [%a];
  cvt.u32.u64 %v, %i;
  st.local.b32 [own+8], %v;
  and.b32 %f, %n, 3; setp.eq.u32 %p, %f, 1;
  and.b64 %s, %i, 0xfffffffffffffff8;
  @%p st.local.b64 [%s], %i;
  setp.eq.u32 %p, %f, 2;
  mov.u64 %s, own; add.u64 %s, %s, %i;
  @%p st.local.b32 [%s], %v;
  setp.eq.u32 %p, %n, 0;
  @%p bra END;
  setp.eq.u32 %p, %f, 3;
  @!%p bra AGAIN;
  ld.global.b64 %i, [%a+256];
  st.param.b32 [x1], %n;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (r1), %i, (x1), P;
AGAIN:
  sub.u32 %m, %n, 1;
  st.param.b32 [n1], %m;
  st.param.b64 [b1], %b;
  call (r1), deep, (n1, b1);
  ld.param.b32 %m, [r1];
  add.u32 %n, %n, %m;
END:
  st.param.b32 [r], %n;
  ret;
}}
.global .u64 table[2] = {{one, two}};
.visible .entry k(.param .align 32 .b8 p[64], .param .u64 in, .param .u32 which,
                  .param .u32 state) {{
  .reg .b64 %b, %o; .reg .b32 %t, %n, %w; .reg .pred %q;
  .param .b32 n0, r0; .param .b64 b0;
  ld.param.u64 %b, [in];
  ld.param.u32 %n, [state];
  ld.param.u32 %w, [which];
  mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 8; add.u64 %b, %b, %o;
  setp.eq.u32 %q, %w, 1;
  @%q shr.u32 %n, %n, %t;
  st.param.b32 [n0], %n;
  st.param.b64 [b0], %b;
  call (r0), deep, (n0, b0);
  ld.param.b32 %n, [r0];
  st.global.b32 [%b], %n;
  ret;
}}
"""
