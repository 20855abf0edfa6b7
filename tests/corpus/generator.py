"""Random functions for the corpus: every one has defined behaviour.

`random_case` and `random_group` draw from a seed; `random_cases` and `random_groups` let hypothesis
choose seeds. A case is one element; a rich one calls functions that are not inlined, passes and
returns structs, indexes arrays and computes in f64. A group is 64 elements that exchange words in
shared memory, phase by phase, and add to counters by atomics.

Unsigned arithmetic wraps, shifts are masked, divisors are odd (signed ones positive), loops are
bounded, variables are initialised; floats are compared and their bits taken with one NaN for all.

`ONE_SIDED` labels are for gfx950. Behind `case 0`, `case 2` the default is reached from both sides
of a comparison, and clang 22 gives a value that is free there (an extension, a part of a pair) to
one side only: found/switch_default.c.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from lanemap.conformance.programs.chance import Chance
from tests.corpus.harness import Case

WORDS = ("a", "b", "c", "d")
WIDES = ("w", "x")
FLOATS = ("f", "g")
BOTH_SIDED = ("case 0:", "case 2:", "default:")
ONE_SIDED = ("case 0:", "case 1:", "default:")
_CONSTANTS = (0, 1, 2, 3, 7, 31, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x9E3779B9)


_SEEDS = st.integers(0, 2**32 - 1)


@dataclass
class _Writer:
    """Draws statements; `loops` names the loop variables, which must differ.

    `helpers` counts the functions that may be called, `rich` says that there are an array `t`, a
    struct `s` and an f64 `y`; `leaves` are further words to read; `labels` are those of a switch.
    """

    chance: Chance
    helpers: int = 0
    rich: bool = False
    leaves: tuple[str, ...] = ()
    labels: tuple[str, ...] = BOTH_SIDED
    loops: int = 0
    lines: list[str] = field(default_factory=list)

    def pick(self, options: tuple[str, ...]) -> str:
        return self.chance.of(options)

    def word(self, depth: int = 3) -> str:
        """An expression of type u32."""
        if depth == 0 or self.chance.one_in(6):
            constant = self.chance.of([self.chance.of(_CONSTANTS), self.chance.bits(32)])
            more = ("s.p", "(u32)s.q", "(u32)s.r", "bits64(y)") if self.rich else ()
            return self.pick((*WORDS, *WORDS, f"{constant:#x}u", "(u32)item", *more, *self.leaves))
        e = self.word
        lower = depth - 1
        form = self.pick(
            ("binary", "binary", "binary", "shift", "divide", "signed", "select", "wide", "float")
            + ("bytes", "count")
            + (("array",) if self.rich else ())
            + (("call", "call") if self.helpers else ())
        )
        if form == "array":
            return f"t[{e(lower)} & 7u]"
        if form == "call":
            return f"helper{1 + self.chance.below(self.helpers)}({e(lower)}, {e(lower)})"
        if form == "binary":
            return f"({e(lower)} {self.pick(('+', '-', '*', '&', '|', '^'))} {e(lower)})"
        if form == "shift":
            by = f"({e(lower)} & 31u)"
            return self.pick((f"({e(lower)} << {by})", f"(u32)((i32){e(lower)} >> {by})"))
        if form == "divide":
            return f"({e(lower)} {self.pick(('/', '%'))} ({e(lower)} | 1u))"
        if form == "signed":
            divisor = f"(i32)(({e(lower)} & 0x7ffu) + 1u)"
            return f"(u32)((i32){e(lower)} {self.pick(('/', '%'))} {divisor})"
        if form == "select":
            return f"({self.condition(lower)} ? {e(lower)} : {e(lower)})"
        if form == "wide":
            return f"(u32)({self.wide(lower)} >> ({e(lower)} & 63u))"
        if form == "float":
            return f"(u32)({self.pick(FLOATS)} {self.pick(('<', '>=', '==', '!='))} {e(lower)})"
        if form == "bytes":
            return f"(u32)({self.pick(('u8', 'i8', 'u16', 'i16'))}){e(lower)}"
        return f"(u32)POPCOUNT({e(lower)})"

    def wide(self, depth: int) -> str:
        """An expression of type u64."""
        if depth <= 0:
            return self.pick((*WIDES, f"(u64){self.pick(WORDS)}"))
        left, right = self.wide(depth - 1), self.wide(depth - 1)
        form = self.pick(("arithmetic", "arithmetic", "shift", "product"))
        if form == "shift":
            return f"({left} {self.pick(('<<', '>>'))} ({self.word(depth - 1)} & 63u))"
        if form == "product":
            return f"((u64){self.word(depth - 1)} * {self.word(depth - 1)})"
        return f"({left} {self.pick(('+', '-', '*', '^', '&', '|'))} {right})"

    def real(self, depth: int) -> str:
        """An expression of type f32."""
        if depth == 0:
            leaf = f"(f32)({self.pick(WORDS)} & 0xffffu)"
            return self.pick((*FLOATS, leaf, "0.5f", "-3.0f", "1e-3f"))
        left, right = self.real(depth - 1), self.real(depth - 1)
        form = self.pick(("+", "-", "*", "/", "fused", "root", "select"))
        if form == "fused":
            return f"FMAF({left}, {right}, {self.real(depth - 1)})"
        if form == "root":
            return f"SQRTF({left})"
        if form == "select":
            return f"({left} < {right} ? {left} : {self.real(depth - 1)})"
        return f"({left} {form} {right})"

    def double(self, depth: int) -> str:
        """An expression of type f64."""
        if depth == 0:
            return self.pick(("y", "y", "(f64)f", f"(f64)(i32){self.word(0)}", "0.3", "-1e100"))
        left, right = self.double(depth - 1), self.double(depth - 1)
        form = self.pick(("+", "-", "*", "/", "fused", "select"))
        if form == "fused":
            return f"FMA({left}, {right}, {self.double(depth - 1)})"
        if form == "select":
            return f"({left} < {right} ? {left} : {right})"
        return f"({left} {form} {right})"

    def condition(self, depth: int) -> str:
        compare = self.pick(("<", "<=", "==", "!=", ">"))
        left, right = self.word(depth), self.word(depth)
        signed = self.chance.one_in(2)
        return f"(i32){left} {compare} (i32){right}" if signed else f"{left} {compare} {right}"

    def statements(self, depth: int, indent: str) -> None:
        for _ in range(1 + self.chance.below(4)):
            self.statement(depth, indent)

    def statement(self, depth: int, indent: str) -> None:
        kinds = ("word", "word", "wide", "real") + (
            ("if", "for", "while", "switch") if depth else ()
        )
        if self.rich:
            kinds += ("store", "struct", "double")
        kind = self.pick(kinds)
        if kind == "store":
            self.lines.append(f"{indent}t[{self.word(1)} & 7u] = {self.word(2)};")
        if kind == "struct":
            calls = (f"exchange(s, {self.word(2)})", f"made({self.wide(1)})")
            self.lines.append(f"{indent}s = {self.pick(calls)};")
        if kind == "double":
            self.lines.append(f"{indent}y = {self.double(2)};")
        if kind == "word":
            self.lines.append(f"{indent}{self.pick(WORDS)} = {self.word()};")
        elif kind == "wide":
            self.lines.append(f"{indent}{self.pick(WIDES)} = {self.wide(2)};")
        elif kind == "real":
            self.lines.append(f"{indent}{self.pick(FLOATS)} = {self.real(2)};")
        elif kind == "if":
            self._block(f"if ({self.condition(1)}) {{", depth, indent)
            if self.chance.one_in(2):
                self._block("else {", depth, indent)
        elif kind == "for":
            name = self._loop()
            trips = f"({self.word(1)} & 7u)"
            self._block(
                f"for (u32 {name} = 0, n{name} = {trips}; {name} < n{name}; {name}++) {{",
                depth,
                indent,
            )
        elif kind == "while":
            name = self._loop()
            leave = f"if ({name} > 5u || {self.condition(1)}) break;"
            self._block(f"for (u32 {name} = 0;; {name}++) {{ {leave}", depth, indent)
        elif kind == "switch":
            self.lines.append(f"{indent}switch ({self.word(1)} & 3u) {{")
            for label in self.labels:
                self._block(f"{label} {{", depth, indent)
                self.lines[-1] += " break;"
            self.lines.append(f"{indent}}}")

    def _loop(self) -> str:
        self.loops += 1
        return f"loop{self.loops}"

    def _block(self, head: str, depth: int, indent: str) -> None:
        self.lines.append(indent + head)
        self.statements(depth - 1, indent + "    ")
        self.lines.append(indent + "}")


def random_settings(examples: int) -> settings:
    """The same examples in every run. They are not shrunk: each step would run a compiler."""
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


PRELUDE = """#include "corpus.h"
BODY u32 bits(f32 x) { return x == x ? F32_BITS(x) : 0x7fc00000u; }
"""
RICH = """BODY u32 bits64(f64 x) {
    u64 b = x == x ? F64_BITS(x) : 0x7ff8000000000000ull;
    return (u32)b ^ (u32)(b >> 32);
}
typedef struct { u32 p; u64 q; u16 r; u8 z[3]; } Record;
HELPER Record made(u64 w) {
    Record s;
    s.p = (u32)(w >> 7); s.q = w * 3u; s.r = (u16)w; s.z[0] = 1; s.z[1] = (u8)w; s.z[2] = 3;
    return s;
}
"""
_LOCALS = [
    "    u64 w = (u64)a << 32 | b, x = (u64)c * d;",
    "    f32 f = (f32)(i32)a, g = (f32)(b & 0xffffu) * 0.125f;",
]
_RICH_LOCALS = [
    "    f64 y = (f64)(i32)c * 0.1;",
    "    u32 t[8];",
    "    for (u32 k = 0; k < 8u; k++) t[k] = a * k + b;",
    "    Record s = made(x);",
]
_RESULT = "a + b * 3u + c * 5u + d * 7u + (u32)w + (u32)(x >> 32) + bits(f) + bits(g)"


def _helper(chance: Chance, number: int, labels: tuple[str, ...]) -> list[str]:
    """A function of two words that may call those before it."""
    writer = _Writer(chance, number - 1, True, labels=labels)
    writer.statements(1, "    ")
    return [
        f"HELPER u32 helper{number}(u32 a, u32 b) {{",
        "    u32 c = a ^ 0x55u, d = b + 9u; i32 item = (i32)(a & 0xffu);",
        *_LOCALS,
        *_RICH_LOCALS,
        *writer.lines,
        f"    return {_RESULT} + bits64(y) + t[a & 7u] + s.p + (u32)s.q + s.r;",
        "}",
    ]


def _exchange(chance: Chance) -> list[str]:
    """A function that takes and returns a struct."""
    writer = _Writer(chance, rich=True)
    p, q = writer.word(2), writer.wide(2)
    return [
        "HELPER Record exchange(Record s, u32 a) {",
        "    u32 b = s.p, c = s.r, d = s.z[1]; i32 item = (i32)d;",
        *_LOCALS,
        *_RICH_LOCALS[:-1],
        "    s.r = (u16)(s.r + s.z[0] + s.z[2]);",
        f"    s.p = {p}; s.q = {q}; s.z[1] = (u8)(a + bits(f) + bits(g) + (u32)x + bits64(y));",
        "    return s;",
        "}",
    ]


def random_cases(
    depth: int = 2, rich: bool = False, labels: tuple[str, ...] = BOTH_SIDED
) -> st.SearchStrategy[Case]:
    """`random_case` of seeds."""
    return _SEEDS.map(lambda seed: random_case(Chance(seed), depth, rich, labels))


def random_groups(labels: tuple[str, ...] = BOTH_SIDED) -> st.SearchStrategy[Case]:
    """`random_group` of seeds."""
    return _SEEDS.map(lambda seed: random_group(Chance(seed), labels))


def random_case(
    chance: Chance, depth: int = 2, rich: bool = False, labels: tuple[str, ...] = BOTH_SIDED
) -> Case:
    """A case of four words in and ten words out, fifteen where it is rich."""
    lines = [PRELUDE]
    helpers = 1 + chance.below(2) if rich else 0
    if rich:
        lines += [RICH, *_exchange(chance)]
        for number in range(1, helpers + 1):
            lines += _helper(chance, number, labels)
    writer = _Writer(chance, helpers, rich, labels=labels)
    writer.statements(depth, "    ")
    outputs = 15 if rich else 10
    lines += [
        f"CASE(random_case, u32, u32, 4, {outputs}) {{",
        "    u32 a = in[0], b = in[1], c = in[2], d = in[3];",
        *_LOCALS,
        *(_RICH_LOCALS if rich else ()),
        *writer.lines,
        "    out[0] = a; out[1] = b; out[2] = c; out[3] = d;",
        "    out[4] = (u32)w; out[5] = (u32)(w >> 32); out[6] = (u32)x;",
        "    out[7] = (u32)(x >> 32); out[8] = bits(f); out[9] = bits(g);",
    ]
    if rich:
        lines += [
            "    out[10] = bits64(y); out[11] = s.p ^ (u32)s.q; out[12] = (u32)s.r + s.z[1];",
            "    out[13] = t[0] + t[1] * 3u + t[2] * 5u + t[3] * 7u;",
            "    out[14] = t[4] + t[5] * 3u + t[6] * 5u + t[7] * 7u;",
        ]
    source = "\n".join([*lines, "}"])
    return Case("random_case", "", False, "u32", "u32", 4, outputs, source + "\n")


def random_group(chance: Chance, labels: tuple[str, ...] = BOTH_SIDED) -> Case:
    """A group of 64 elements, two words in and two out each.

    A phase reads what the one before left and writes its own element of the other array; what
    the lanes add to a phase's counters is read in later phases only.
    """
    phases = 2 + chance.below(3)
    lines = [
        PRELUDE + "GROUP(random_case, u32, u32, 2, 2) {",
        "    SHARED(u32, tile0, LANES);",
        "    SHARED(u32, tile1, LANES);",
        f"    SHARED(u32, sums, {4 * phases + 4});",
        f"    EACH(lane) {{ tile0[lane] = in[2 * lane]; if (lane < {4 * phases + 4}) "
        "sums[lane] = 0; }",
    ]
    for phase in range(phases):
        old, new = f"tile{phase & 1}", f"tile{1 - (phase & 1)}"
        before = f"sums[{4 * phase - 4} + (lane & 3)]" if phase else "(u32)lane"
        leaves = ("e", before, f"{old}[lane ^ 1]", f"{old}[(lane * 5 + 3) & 63]")
        writer = _Writer(chance, leaves=leaves, labels=labels)
        writer.statements(1, "        ")
        bump = f"ATOMIC_ADD(&sums[{4 * phase} + (i32)({writer.word(1)} & 3u)], {writer.word(2)});"
        lines += [
            "    EACH(lane) {",
            "        i32 item = lane * 3 + 1;",
            "        u32 a = in[2 * lane], b = in[2 * lane + 1];",
            f"        u32 c = {old}[lane], d = (u32)lane, e = {old}[a & 63u];",
            *["    " + line for line in _LOCALS],
            *writer.lines,
            f"        if ({writer.condition(1)}) {bump}",
            f"        {new}[lane] = {_RESULT} + e;",
            "    }",
        ]
    last = f"tile{phases & 1}"
    lines += [
        "    EACH(lane) {",
        f"        out[2 * lane] = {last}[lane];",
        f"        out[2 * lane + 1] = sums[lane % {4 * phases}];",
        "    }",
        "}",
    ]
    return Case("random_case", "", True, "u32", "u32", 2, 2, "\n".join(lines) + "\n")
