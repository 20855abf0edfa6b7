"""PTX for tests: texts around bodies."""

from __future__ import annotations

import re


def module(text: str, target: str = "sm_90a", version: str = "9.0") -> str:
    """A text behind the three directives that every text of PTX begins with."""
    return f".version {version}\n.target {target}\n.address_size 64\n{text}"


def entry(
    body: str,
    parameters: str = "out",
    *,
    name: str = "k",
    directives: str = "",
    before: str = "",
    after: str = "",
    target: str = "sm_90a",
    version: str = "9.0",
) -> str:
    """A text with one kernel, whose body begins on the fifth line if nothing is before it.

    Args:
        body: statements; a parameter `n` is in register `%n`, `ret` follows.
        parameters: names of pointers, or `n:u32` for a number.
        name: the kernel's.
        directives: of the kernel, such as `.reqntid 32`.
        before, after: what the module has in front of the kernel and behind it.
        target: for `.target`.
        version: for `.version`.
    """
    typed = [f"{word}:u64".split(":")[:2] for word in parameters.split()]
    taken = ", ".join(f".param .{kind} {word}" for word, kind in typed)
    loads = "".join(
        f" .reg .b{kind[1:]} %{word}; ld.param.{kind} %{word}, [{word}];" for word, kind in typed
    )
    head = f".visible .entry {name}({taken}) {directives}{{{loads}\n"
    return module(f"{before}{head}{body}\nret;\n}}\n{after}", target, version)


def marked(text: str, mark: str = "hazard") -> set[int]:
    """The numbers of the lines that end with a comment that holds the mark."""
    lines = enumerate(text.splitlines(), 1)
    return {i for i, line in lines if mark in re.split("//|;", line)[-1].split()}
