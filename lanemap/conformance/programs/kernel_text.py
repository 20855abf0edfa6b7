"""PTX of one kernel around a body."""

from __future__ import annotations


def entry(body: str, parameters: str) -> str:
    """A text for sm_90a with a kernel `k`, whose body begins on the fifth line.

    Args:
        body: Statements; a parameter `n` is in register `%n`, `ret` follows.
        parameters: Names of pointers, or `n:u32` for a number.
    """
    typed = [f"{word}:u64".split(":")[:2] for word in parameters.split()]
    taken = ", ".join(f".param .{kind} {word}" for word, kind in typed)
    loads = "".join(
        f" .reg .b{kind[1:]} %{word}; ld.param.{kind} %{word}, [{word}];" for word, kind in typed
    )
    head = f".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k({taken}) {{{loads}\n"
    return f"{head}{body}\nret;\n}}\n"
