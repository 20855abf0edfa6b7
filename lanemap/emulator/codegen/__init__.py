"""Compiles programs to native code: what an instruction emits, analysis, compilation."""
