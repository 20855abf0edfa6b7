"""Random functions for the corpus, drawn by hypothesis: every one has defined behaviour.

Unsigned arithmetic wraps, shifts are masked, divisors are odd (signed ones positive), loops are
bounded, variables are initialised; floats are compared and their bits taken with one NaN for all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.corpus.harness import Case

WORDS = ("a", "b", "c", "d")
WIDES = ("w", "x")
FLOATS = ("f", "g")
_CONSTANTS = (0, 1, 2, 3, 7, 31, 255, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x9E3779B9)


@dataclass
class _Writer:
    """Draws statements; `loops` names the loop variables, which must differ."""

    draw: st.DrawFn
    loops: int = 0
    lines: list[str] = field(default_factory=list)

    def pick(self, options: tuple[str, ...]) -> str:
        return self.draw(st.sampled_from(options))

    def word(self, depth: int = 3) -> str:
        """An expression of type u32."""
        if depth == 0 or self.draw(st.integers(0, 5)) == 0:
            constant = self.draw(st.sampled_from(_CONSTANTS) | st.integers(0, 2**32 - 1))
            return self.pick((*WORDS, *WORDS, f"{constant:#x}u", "(u32)item"))
        e = self.word
        lower = depth - 1
        form = self.pick(
            ("binary", "binary", "binary", "shift", "divide", "signed", "select", "wide", "float")
            + ("bytes", "count")
        )
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

    def condition(self, depth: int) -> str:
        compare = self.pick(("<", "<=", "==", "!=", ">"))
        left, right = self.word(depth), self.word(depth)
        signed = self.draw(st.booleans())
        return f"(i32){left} {compare} (i32){right}" if signed else f"{left} {compare} {right}"

    def statements(self, depth: int, indent: str) -> None:
        for _ in range(self.draw(st.integers(1, 4))):
            self.statement(depth, indent)

    def statement(self, depth: int, indent: str) -> None:
        kinds = ("word", "word", "wide", "real") + (
            ("if", "for", "while", "switch") if depth else ()
        )
        kind = self.pick(kinds)
        if kind == "word":
            self.lines.append(f"{indent}{self.pick(WORDS)} = {self.word()};")
        elif kind == "wide":
            self.lines.append(f"{indent}{self.pick(WIDES)} = {self.wide(2)};")
        elif kind == "real":
            self.lines.append(f"{indent}{self.pick(FLOATS)} = {self.real(2)};")
        elif kind == "if":
            self._block(f"if ({self.condition(1)}) {{", depth, indent)
            if self.draw(st.booleans()):
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
        else:
            self.lines.append(f"{indent}switch ({self.word(1)} & 3u) {{")
            for label in ("case 0:", "case 2:", "default:"):
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


@st.composite
def random_cases(draw: st.DrawFn, depth: int = 2) -> Case:
    """A case of four words in and eight words out."""
    writer = _Writer(draw)
    writer.statements(depth, "    ")
    source = "\n".join(
        [
            '#include "corpus.h"',
            "BODY u32 bits(f32 x) { return x == x ? F32_BITS(x) : 0x7fc00000u; }",
            "CASE(random_case, u32, u32, 4, 10) {",
            "    u32 a = in[0], b = in[1], c = in[2], d = in[3];",
            "    u64 w = (u64)a << 32 | b, x = (u64)c * d;",
            "    f32 f = (f32)(i32)a, g = (f32)(b & 0xffffu) * 0.125f;",
            *writer.lines,
            "    out[0] = a; out[1] = b; out[2] = c; out[3] = d;",
            "    out[4] = (u32)w; out[5] = (u32)(w >> 32); out[6] = (u32)x;",
            "    out[7] = (u32)(x >> 32); out[8] = bits(f); out[9] = bits(g);",
            "}",
        ]
    )
    return Case("random_case", "", False, "u32", "u32", 4, 10, source + "\n")
