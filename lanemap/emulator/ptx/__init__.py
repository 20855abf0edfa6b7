"""NVIDIA PTX: text to a parsed module, and the semantics of each instruction."""

from lanemap.emulator.ptx import isa as isa  # fills the table of instructions
from lanemap.emulator.ptx.lower.entry import load

__all__ = ["load"]
