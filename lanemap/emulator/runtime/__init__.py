"""The C that generated code calls, and the mirror of its structures in Python."""

from lanemap.emulator.runtime import built

built.check()
