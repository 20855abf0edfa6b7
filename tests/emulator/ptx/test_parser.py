"""PTX text to a module: expectations worked out by hand from the PTX ISA's chapters on syntax."""

import struct
from pathlib import Path

import pytest

from lanemap.emulator.ptx.text.errors import PtxError
from lanemap.emulator.ptx.text.module import Function, Module
from lanemap.emulator.ptx.text.operands import (
    Address,
    Immediate,
    LabelList,
    Not,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from lanemap.emulator.ptx.text.parser import parse
from lanemap.emulator.ptx.text.variables import Variable
from tests.ptx_text import module as module_text

HEAD = module_text("")
TEXTS = Path(__file__).parent / "texts"


def function(body: str, before: str = "") -> Function:
    return parse(f"{HEAD}{before}.entry k() {{\n{body}\n}}\n").functions["k"]


def operands(text: str, declarations: str = "", before: str = "") -> tuple[object, ...]:
    head = ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; "
    return function(f"{head}{declarations} foo {text};", before).body[0].operands


def test_module_directives() -> None:
    module = parse(
        "// .version 1.0\n.version 8.7 .target sm_100a, debug /* .target\n sm_20 */\n"
        '.address_size 64\n.file 1 "/a/b//c.cu"\n.file 2 "x.py", 5, 6\n'
    )
    assert (module.version, module.target, module.options) == ((8, 7), "sm_100a", ("debug",))
    assert module.address_size == 64
    assert module.files == {1: "/a/b//c.cu", 2: "x.py"}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("0", "int", 0),
        ("-1", "int", -1),
        ("0x7fU", "int", 127),
        ("0777", "int", 511),
        ("0b101", "int", 5),
        ("18446744073709551615", "int", 2**64 - 1),
        ("0f3F800000", "f32", 0x3F800000),
        ("0Fbf800000", "f32", 0xBF800000),
        ("-0f3F800000", "f32", 0xBF800000),
        ("0d3FF0000000000000", "f64", 0x3FF0000000000000),
        ("1.5", "f64", struct.unpack("<Q", struct.pack("<d", 1.5))[0]),
        (".5", "f64", struct.unpack("<Q", struct.pack("<d", 0.5))[0]),
        ("-2.5e-3", "f64", struct.unpack("<Q", struct.pack("<d", -2.5e-3))[0]),
        ("1e3", "f64", struct.unpack("<Q", struct.pack("<d", 1000.0))[0]),
        ("WARP_SZ", "int", 32),
        ("(1 << 4) | 3", "int", 19),
        ("-7 / 2", "int", -3),
        ("-7 % 2", "int", -1),
        ("~0", "int", -1),
        ("~0U", "int", 2**64 - 1),
        ("-1 >> 1", "int", -1),
        ("(.u64)-1 >> 63", "int", 1),
        ("3 > 2 ? 10 : 20", "int", 10),
        ("-1 < 0U", "int", 0),
    ],
)
def test_constants(text: str, kind: str, value: int) -> None:
    assert operands(f"%r1, {text}")[1] == Immediate(kind, value)


def test_operand_forms() -> None:
    text = "{%r1, _, 5}, %r2|%p1, !%p2, [%rd1+-8], [%rd1 + 4], [16], _, %tid.x, [%rd2, {%r1, %r2}]"
    vector, pair, negated, low, high, absolute, sink, special, tensor = operands(text)
    assert isinstance(vector, Vector) and [str(e) for e in vector.elements] == ["%r1", "_", "5"]
    assert isinstance(pair, Pair) and str(pair) == "%r2|%p1"
    assert isinstance(negated, Not) and negated.operand.name == "%p2"
    assert isinstance(low, Address) and low.offset == -8 and str(low.base) == "%rd1"
    assert isinstance(high, Address) and high.offset == 4
    assert isinstance(absolute, Address) and (absolute.base, absolute.offset) == (None, 16)
    assert isinstance(sink, Sink)
    assert special == Special("%tid.x")
    assert isinstance(tensor, Address) and isinstance(tensor.indices[0], Vector)


def test_symbols() -> None:
    before = ".global .u32 g[4]; .shared .b8 s[16];"
    plain, moved, address = operands("g, g + 8, [s+12]", before=before)
    assert isinstance(plain, Symbol) and (plain.variable.name, plain.offset) == ("g", 0)
    assert isinstance(moved, Symbol) and moved.offset == 8
    assert isinstance(address, Address) and isinstance(address.base, Variable)
    assert (address.base.space, address.offset) == ("shared", 12)


def test_scopes_shadow_names() -> None:
    body = """
    .reg .b32 %r<4>; .reg .b32 x;
    mov.b32 x, 0; mov.b32 %r1, 0; mov.b32 %r3, 0;
    { .reg .b64 x; .reg .b64 %r<2>; mov.b64 x, 1; mov.b64 %r1, 1; mov.b32 %r3, 1;
      { mov.b64 x, 2; } }
    mov.b32 x, 3; mov.b32 %r1, 3;
    """
    destinations = [instruction.operands[0] for instruction in function(body).body]
    outer_x, outer_r1, outer_r3, inner_x, inner_r1, still_r3, deep_x, last_x, last_r1 = destinations
    assert outer_x is last_x and outer_r1 is last_r1 and outer_r3 is still_r3
    assert inner_x is deep_x and inner_x is not outer_x and inner_r1 is not outer_r1
    assert isinstance(inner_x, Register) and inner_x.type == "b64"


def test_labels_resolve_from_the_inside_out() -> None:
    body = """
    .reg .pred %p<2>; .reg .b32 %r<2>;
    bra L;
    { L: bra L; { bra L; } bra.uni Out; }
    L: @!%p1 bra L;
    table: .branchtargets L, Out;
    Out:
    brx.idx %r1, table;
    """
    made = function(body)
    targets = [str(i.operands[-1]) + f"@{i.operands[-1].target}" for i in made.body[:5]]  # type: ignore
    assert targets == ["L@4", "L@1", "L@1", "Out@5", "L@4"]
    assert made.body[4].guard_negated and str(made.body[4].guard) == "%p1"
    listed = made.body[5].operands[1]
    assert isinstance(listed, LabelList) and [label.target for label in listed.labels] == [4, 5]


def test_variables_and_initialisers() -> None:
    module = parse(
        HEAD
        + ".extern .func f(); .visible .const .align 8 .b8 c[8] = {1, 255, -1};\n"
        + ".global .v2 .f32 v = {1.0, 0f40000000}; .global .f64 d[] = {1.0, 2};\n"
        + ".global .u16 m[2][3] = {{1, 2}, {4}};\n"
        + ".global .attribute(.managed) .u64 p[3] = {generic(c)+4, c, f}, q = 7;\n"
        + ".global .u8 b[4] = {0xff(c), 0xff00(c), 0x10, 0xff000000(generic(c)+1)};\n"
        + ".extern .shared .align 16 .b8 dyn[];\n"
    )
    v = module.variables
    assert (v["c"].data, v["c"].align, v["c"].linkage) == (b"\1\xff\xff" + bytes(5), 8, "visible")
    assert v["v"].data == struct.pack("<2f", 1, 2) and v["v"].align == 8
    assert v["d"].data == struct.pack("<2d", 1, 2) and v["d"].size == 16
    assert v["m"].data == struct.pack("<6H", 1, 2, 0, 4, 0, 0)
    found = [(r.offset, r.size, r.symbol, r.addend, r.generic) for r in v["p"].relocations]
    assert found == [(0, 8, "c", 4, True), (8, 8, "c", 0, False), (16, 8, "f", 0, False)]
    assert v["p"].managed and v["q"].data == struct.pack("<q", 7)
    shifts = [(r.offset, r.size, r.shift, r.addend) for r in v["b"].relocations]
    assert shifts == [(0, 1, 0, 0), (1, 1, 8, 0), (3, 1, 24, 1)] and v["b"].data == b"\0\0\x10\0"
    assert (v["dyn"].size, v["dyn"].align, v["dyn"].linkage) == (0, 16, "extern")


def test_parameters_and_directives() -> None:
    module = parse(
        HEAD
        + ".visible .entry k(.param .u8 a, .param .align 16 .b8 s[20],\n"
        + " .param .u64 .ptr .global .align 32 p, .param .u16 z)\n"
        + ".maxntid 128, 2, 1 .minnctapersm 2 .explicitcluster .reqnctapercluster 2\n{ ret; }\n"
        + ".func (.param .b64 r) g(.reg .b32 x, .param .align 4 .b8 y[12]) .noreturn;\n"
    )
    k = module.functions["k"]
    assert k.offsets == (0, 16, 40, 48) and k.parameter_bytes == 50
    pointer = k.prototype.parameters[2]
    assert isinstance(pointer, Variable)
    assert (pointer.pointer_space, pointer.pointer_align) == ("global", 32)
    assert k.directives == {
        "maxntid": (128, 2, 1),
        "minnctapersm": (2,),
        "explicitcluster": (),
        "reqnctapercluster": (2,),
    }
    g = module.functions["g"]
    assert not g.defined and g.prototype.noreturn and len(g.prototype.parameters) == 2
    assert [entry.name for entry in module.entries] == ["k"]


def test_calls() -> None:
    body = """
    .reg .b32 %r<4>; .reg .b64 %rd<2>; .param .b32 a; .param .b32 r;
    call.uni (r), g, (a);
    call h;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) .noreturn;
    call (r), %rd1, (a, %r1), proto;
    { .param .b32 a; call (%r2), g, (a); }
    """
    before = ".func (.param .b32 r) g(.param .b32 x); .func h();"
    direct, bare, indirect, nested = function(body, before).body
    assert direct.call and [str(x.name) for x in direct.call.results] == ["r"]
    assert str(direct.operands[0]) == "g" and direct.modifiers == ("uni",)
    assert bare.call and not bare.call.arguments
    assert indirect.call and indirect.call.prototype and indirect.call.prototype.noreturn
    assert [p.size for p in indirect.call.prototype.parameters if isinstance(p, Variable)] == [
        4,
        16,
    ]
    assert nested.call and nested.call.arguments[0] is not direct.call.arguments[0]


def test_source_lines() -> None:
    module = parse(
        HEAD
        + ".entry k() {\n.loc 1 5 2\nret;\n.loc 2 8 1, function_name $L__info+4, inlined_at 1 5 2\n"
        + 'ret;\n}\n.file 1 "/x/a.cu"\n.file 2 "b.h"\n.section .debug_str\n{\n$L: .b8 1,2\n}\n'
    )
    first, second = module.functions["k"].body
    assert first.source and module.source_name(first.source) == "a.cu:5"
    assert second.source and module.source_name(second.source) == "a.cu:5 inlines b.h:8"
    assert (first.line, second.line, module.functions["k"].end_line) == (6, 8, 9)
    assert module.places(6) == (("/x/a.cu", 5),)
    assert module.places(8) == (("b.h", 8), ("/x/a.cu", 5))


def test_the_lines_of_inline_assembly_are_all_its_statement() -> None:
    """What LLVM writes of a Python line 8 with two lines of assembly, and of line 9 after it."""
    module = parse(
        HEAD + ".entry k() {\n.loc 1 8 3\n// begin inline asm\n.loc 1 8 3\nmembar.cta;\n"
        ".loc 1 9 3\nmembar.gl;\n// end inline asm\n.loc 1 9 3\nret;\n}\n"
    )
    body = module.functions["k"].body
    lines = [(one.line, one.source and one.source.line) for one in body]
    assert lines == [(8, 8), (10, 8), (13, 9)]


def test_a_line_within_inline_assembly_is_none_of_the_source() -> None:
    """What CuTe DSL's loop that waits for an mbarrier looks like: line 10 is the third of it."""
    module = parse(
        HEAD + ".entry k() {\n.loc 1 8 3\n// begin inline asm\n{\n.reg .pred p;\n.loc 1 10 3\n"
        "membar.cta;\n}\n// end inline asm\n.loc 1 9 3\nret;\n}\n"
    )
    body = module.functions["k"].body
    assert [one.source and one.source.line for one in body] == [8, 9]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (".entry k() {\n  add.s32 %r1, %r2, %r3;\n}", 5, "`%r1` is not declared"),
        (".entry k() {\n .reg .b32 a;\n\n mov.b32 a, 1\n mov.b32 a, 2;\n}", 7, "may be missing"),
        (".entry k() {\n .reg .b32 a;\n .reg .b64 a;\n}", 6, "`a` is declared twice"),
        (".entry k() {\n bra L;\n}", 5, "label `L` is not defined"),
        (".entry k() {\n @q ret;\n}", 5, "`@q` needs a predicate register"),
        (".entry k() {\n ret;\n", 6, "lacks its closing brace"),
        (".entry k() {\n .tex .u64 t;\n}", 5, "`.tex` is not known in a function"),
        ("\n.global .u32 x = {1, 2};", 5, "2 initial values do not fit 1 elements"),
        (".global .texref t;", 4, "lanemap emulates no textures"),
        (".entry k() { ret; }\n.entry k() { ret; }", 5, "defined twice"),
        (".entry k() .whatever { ret; }", 4, "`.whatever` is not known after a signature"),
        ("garbage;", 4, "`garbage` is not known outside a function"),
        (".entry k() {\n .reg .b32 a;\n mov.b32 a, 0x;\n}", 6, "'0x' is not a constant"),
        (".entry k() {\n .reg .b32 a;\n mov.b32 a, 1/0;\n}", 6, "divides by zero"),
        (".entry k() {\n .reg .b32 a;\n mov.b32 a,, 1;\n}", 6, "an operand is missing"),
    ],
)
def test_errors_name_file_and_line(text: str, line: int, words: str) -> None:
    with pytest.raises(PtxError) as caught:
        parse(HEAD + text, "bad.ptx")
    message = str(caught.value)
    assert message.startswith(f"bad.ptx:{line}: ") and words in message


def test_a_text_without_head_is_refused() -> None:
    with pytest.raises(PtxError, match=r"^x\.ptx:1: PTX needs `\.version`"):
        parse(".entry k() { ret; }", "x.ptx")


def texts() -> list[Path]:
    return sorted(TEXTS.glob("*.ptx"))


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.name)
def test_what_compilers_write(path: Path) -> None:
    """Counted in the text by other means: instructions end in `;`, entries begin with .entry."""
    text = path.read_text()
    module = parse(text, path.name)
    assert len(module.entries) == text.count(".entry ")
    lines = text.split("\n")
    for made in module.functions.values():
        for instruction in made.body:
            assert instruction.opcode in lines[instruction.line - 1]
    assert sum(len(made.body) for made in module.functions.values()) == _statements(text)


def _statements(text: str) -> int:
    """Instructions, counted line by line: those that begin with a lower-case word or a guard."""
    count = 0
    for line in text.split("\n"):
        for part in line.split("//")[0].replace("{", ";").split(";"):
            words = part.split()
            while words and (words[0].startswith("@") or words[0].endswith(":")):
                words = words[1:]
            if words and words[0].split(".")[0] in _OPCODES:
                count += 1
    return count


_OPCODES = frozenset(
    """abs activemask add addc alloca and atom bar barrier bfe bfi bra brev brkpt call clz cp cvt
    cvta discard div elect ex2 exit fence fma fns isspacep ld ldmatrix lg2 lop3 mad madc mapa match
    max mbarrier membar min mma mov mul nanosleep neg not or popc prmt rcp red redux rem ret rsqrt
    selp set setp shf shfl shl shr sin slct sqrt st stmatrix sub subc tanh tcgen05 testp trap vote
    wgmma xor cos copysign""".split()
)


def test_ten_thousand_lines() -> None:
    line = (
        "\t@%p1 fma.rn.f32 \t%f{0}, %f{1}, 0f3F800000, %f{2};\n"
        "\tst.global.v2.b32 [%rd{1}+{0}], {{%r{0}, %r{1}}};\n"
    )
    body = "".join(line.format(i % 97, i % 31, i % 7) for i in range(5000))
    text = HEAD + (
        ".entry k() {\n.reg .pred %p<2>; .reg .f32 %f<99>; .reg .b64 %rd<99>; .reg .b32 %r<99>;\n"
        + body
        + "ret;\n}\n"
    )
    module: Module = parse(text)
    assert len(module.functions["k"].body) == 10001


#: What ptxas says of each: bytes in "File uses too much global constant data", None if fine.
CONSTANTS = [
    ("a[65536]", None),
    ("a[65537]", 65537),
    ("a[1048576]", 1048576),
    ("a[65536]; .const .b8 b", 65537),
    ("a[40000]; .const .align 4 .b8 b[40000]", 80000),
    ("a[40000]; .const .align 4 .b8 b[25535]; .const .b8 c", None),
    ("a[32769]; .const .align 16384 .b8 b[16384]", None),
    ("a; .const .align 32768 .b8 b[32768]; .const .b8 c; .const .align 16384 .b8 d[16384]", 98304),
]


@pytest.mark.parametrize(("variables", "size"), CONSTANTS)
def test_constants_are_as_many_as_ptxas_takes(variables: str, size: int | None) -> None:
    text = f"{HEAD}\n.const .align 4 .b8 {variables};\n.entry k() {{ ret; }}\n"
    if size is None:
        parse(text)
        return
    with pytest.raises(PtxError, match=rf"^k\.ptx:5: .* has {size} bytes of \.const .* 65536"):
        parse(text, "k.ptx")


@pytest.mark.parametrize(
    "line",
    [
        ".file {} \"x\"", ".global .b8 x[{}];", ".entry k() .maxntid {} {{ ret; }}",
        ".entry k() {{ .reg .b32 r; mov.u32 r, {}; ret; }}", ".entry k() {{ .reg .b32 r<{}>; }}",
        ".entry k() {{ .loc 1 {} 1\n ret; }}",
    ],
)  # fmt: skip
def test_a_number_without_end_is_refused(line: str) -> None:
    with pytest.raises(PtxError, match=r"^k\.ptx:4: a number has more than 500 digits$"):
        parse(HEAD + line.format("9" * 5000), "k.ptx")


@pytest.mark.parametrize("align", ["3", "0", "99999999999"])
def test_an_alignment_is_a_power_of_two(align: str) -> None:
    """ptxas: "Alignment must be a power of two"."""
    with pytest.raises(PtxError, match=rf"alignment {align} is not (a power of two|positive)"):
        parse(f"{HEAD}.global .align {align} .b8 a[4];\n")
