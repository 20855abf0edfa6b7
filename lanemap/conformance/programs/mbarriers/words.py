"""The 64 bits of an mbarrier object and of a state on a GPU, which PTX leaves opaque.

This runs on a GPU only: on the emulator, only mbarrier instructions may access an object.
"""

from __future__ import annotations

from lanemap.conformance.programs.mbarriers.counts import MOST
from lanemap.conformance.programs.mbarriers.text import NEAR
from lanemap.conformance.programs.program import ENTRY, PARAMETER_BYTES, Program

#: One thread's statements, without `mbarrier.` and address; `=` stands for a state that is kept.
STATEMENTS = (
    "init 5", "arrive =", "arrive = 2", "arrive.noComplete = 1", "arrive =",
    "arrive = 5", "arrive_drop =", "arrive_drop.noComplete = 1", "arrive = 3", "arrive = 3",
    "expect_tx 100", "complete_tx 60", "complete_tx 40", "arrive.expect_tx = 16",
    "arrive = 2", "complete_tx 16", "complete_tx 7", "expect_tx 7", "arrive = 3", "inval",
    "init 1", "arrive =", "arrive =", "arrive.expect_tx = 1", "complete_tx 1", "inval",
    f"init {MOST}", "arrive =", f"expect_tx {MOST}", f"complete_tx {MOST}",
    f"arrive = {MOST - 1}", "inval",
)  # fmt: skip


def program() -> Program:
    """Return the kernel: after each statement the object and the state, or zero, 16 bytes."""
    lines = []
    for number, statement in enumerate(STATEMENTS):
        name, *operands = statement.split()
        state = "%s, " if "=" in operands else ""
        count = "".join(f", {item}" for item in operands if item != "=")
        lines += [
            "mov.b64 %s, 0;",
            f"mbarrier.{name}.{NEAR} {state}[m_]{count};",
            "fence.sc.sys;",
            "nanosleep.u32 5000;",
            "ld.volatile.shared.b64 %w, [m_];",
            f"st.global.v2.b64 [%out+{16 * number}], {{%w, %s}};",
        ]
    text = "\n".join([
        ".version 9.0\n.target sm_90a\n.address_size 64",
        f".visible .entry {ENTRY}(.param .u64 in, .param .u64 out, "
        f".param .align 32 .b8 p[{PARAMETER_BYTES}])\n{{",
        ".reg .b64 %w, %s, %out;\n.shared .align 8 .b64 m_;\nld.param.u64 %out, [out];",
        *lines, "ret;", "}", "",
    ])  # fmt: skip
    size = 16 * len(STATEMENTS)
    return Program(
        "words", text, (), 1, (1, 1, 1), bytes(4), bytes(size), bytes(PARAMETER_BYTES), ()
    )


def rows(output: bytes) -> list[dict[str, str]]:
    """Return statement, object and state of each step, in hexadecimal."""
    found = []
    for number, statement in enumerate(STATEMENTS):
        part = output[16 * number :][:16]
        row = {"statement": statement, "object": part[7::-1].hex()}
        found.append(row | ({"state": part[:7:-1].hex()} if "=" in statement else {}))
    return found
