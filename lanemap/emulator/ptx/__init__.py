"""NVIDIA PTX: text to a parsed module, and the semantics of each instruction."""

from lanemap.emulator.ptx.entry import load

__all__ = ["load"]
