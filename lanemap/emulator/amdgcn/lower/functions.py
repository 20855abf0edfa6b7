"""The front end amdgcn's functions in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

from lanemap.emulator.runtime.signature import Signature

#: What each returns and takes.
FUNCTIONS = {
    name: Signature.parse(text) for name, text in {
        "lm_add_halves": "void(Wave w, i32 instruction, i32 space, i64 mask, i32 format, i32 kind)",
        "lm_compare_floats": "void(Wave w, i32 instruction, i64 mask, i32 size)",
        "lm_div_fixup": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 wide)",
        "lm_div_fmas": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 wide)",
        "lm_div_scale": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 wide)",
        "lm_encode_by_chance": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 format, i32 source_bits, "
            "i32 saturate)"
        ),
        "lm_end_scalar": "void(Wave w, i32 instruction)",
        "lm_exchange_words": "void(Wave w, i32 instruction, i64 mask)",
        "lm_fma_f16": "void(Wave w, i32 instruction, i64 mask, i32 row)",
        "lm_keep_scalar": "void(Wave w, i32 parts, i32 line, i32 rule)",
        "lm_masked_or": "void(Wave w, i32 instruction, i64 mask, i32 size)",
        "lm_own_conflict": "i32(Touch t, HazardRecord h, i64 earlier)",
        "lm_release_written": "void(Wave w)",
        "lm_trig_preop": "void(Wave w, i32 instruction, i64 mask, i32 row)",
        "lm_wrap": "void(Wave w, i32 instruction, i64 mask)",
        "lm_write_back": "void(Wave w)",
        "lm_write_back_scalar": "void(Wave w)",
    }.items()
}
