"""The runtime's functions in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

from lanemap.emulator.runtime.signature import Signature

#: What each returns and takes.
FUNCTIONS = {
    name: Signature.parse(text) for name, text in {
        "lm_access_view": (
            "i32(Access of, View v, i32 lines, i32 depth, i32 bits, i32 lane, i32 detail)"
        ),
        "lm_acquire_all": "void(Wave w)",
        "lm_advance": "void(ptr clock, ptr from, i64 count)",
        "lm_atomic": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size, i32 align, i32 row, "
            "i32 compare_row, i32 operation, i32 kind)"
        ),
        "lm_begin": "void(Group g, i64 number)",
        "lm_count_block": "void(Wave w, i32 block, i64 lanes)",
        "lm_count_lanes": "void(Wave w, i32 operation, i64 lanes, i64 began_with)",
        "lm_decode": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 format)",
        "lm_encode": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 format, i32 saturate)",
        "lm_fill_pages": "void(Memory m, i64 offset, i64 size)",
        "lm_finish_apart": "void(Wave w, i64 until)",
        "lm_free_lane_orders": "void(Launch l)",
        "lm_free_nodes": "void(Launch l)",
        "lm_free_spare": "void(Spare spare)",
        "lm_free_story": "void(Races races, Log log)",
        "lm_free_times": "void(Launch l)",
        "lm_function_f32": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 which)",
        "lm_function_f64": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 which)",
        "lm_gather": (
            "void(Wave w, i64 mask, i64 sources, i32 source, i32 index, i32 out, i32 keep)"
        ),
        "lm_gather_chunks": (
            "void(Wave w, i32 instruction, i32 chunk, i32 registers, i32 align, i32 row, "
            "i32 table)"
        ),
        "lm_hand_over": "void(Wave w, i64 mask, i32 spaces)",
        "lm_hazard": "HazardRecord(Wave w, i32 kind, i32 instruction, i64 lanes)",
        "lm_issue": (
            "void(Wave w, i32 counter, i32 instruction, i32 first_register, i32 register_count, "
            "i32 space, i32 out_of_order)"
        ),
        "lm_join": "void(Cta c, i32 waves)",
        "lm_keep": "void(Shared shared)",
        "lm_learn": "void(Wave w, ptr clock)",
        "lm_leave": "void(Wave ending)",
        "lm_load": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size, i32 align, i32 row, "
            "i32 kind)"
        ),
        "lm_load_uniform": (
            "void(Wave w, i32 instruction, i32 space, i32 size, i32 align, i32 row, i32 kind)"
        ),
        "lm_make_room": "void(Wave w, i32 counter, i32 capacity)",
        "lm_matrix": (
            "void(Wave w, i32 instruction, i32 first, i32 shape, i32 broadcast, i32 formats, "
            "i32 registers, i32 result, i32 checked, i32 detail)"
        ),
        "lm_multiply": "i32(Operand a, Operand b, i32 depth, SumRule rule, ptr strips)",
        "lm_new_log": "Log()",
        "lm_new_races": "Races()",
        "lm_note": "HazardRecord(Wave w, i32 note, i32 kind, i32 instruction, i64 lanes)",
        "lm_origin": "i32(Wave w, i32 kind, i32 instruction, i32 lane, i32 space, i64 address)",
        "lm_peek": "i32(Wave w, i32 lane, i64 address, i64 size, ptr out)",
        "lm_publish": "void(Wave w, ptr clock)",
        "lm_races_again": "i32(Races races)",
        "lm_release_all": "void(Wave w, i64 own)",
        "lm_rule": "void(Wave w, i32 instruction, i64 lanes, i32 detail, i64 value)",
        "lm_run_clusters": "i32(Group g)",
        "lm_run_group": "i32(Group g)",
        "lm_scatter": "void(Wave w, i64 mask, i32 source, i32 index, i32 out)",
        "lm_segment": "void(Wave w, i32 segment)",
        "lm_sparse_matrix": (
            "void(Wave w, i32 instruction, i32 first, i32 shape, i32 formats, i32 registers, "
            "i32 result, i32 checked, i32 detail)"
        ),
        "lm_store": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size, i32 align, i32 row, "
            "i32 kind)"
        ),
        "lm_touch_pending": "void(Wave w, i32 instruction, i32 reg, i64 lanes)",
        "lm_trace": "void(Wave w, i32 operation, i64 lanes)",
        "lm_uncompiled": "i32(Wave w)",
        "lm_undefined": (
            "void(Wave w, i32 instruction, i64 lanes, i32 detail, i32 bits, i32 origin)"
        ),
        "lm_undefined_row": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 detail)",
        "lm_undefined_uniform": (
            "void(Wave w, i32 instruction, i32 detail, i64 undefined, i32 origin)"
        ),
        "lm_undo": "void(Shared shared)",
        "lm_wait": "void(Wave w, i32 counter, i32 allowed)",
    }.items()
}
