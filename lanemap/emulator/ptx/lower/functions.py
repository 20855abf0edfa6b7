"""The front end ptx's functions in C, for Python.

Generated from the C by `make runtime`: do not edit.
"""

from __future__ import annotations

from lanemap.emulator.runtime.signature import Signature

#: What each returns and takes.
FUNCTIONS = {
    name: Signature.parse(text) for name, text in {
        "lm_async_arrive": "void(Wave w, i32 instruction, i32 space, i64 mask, i32 counted)",
        "lm_async_commit": "void(Wave w, i64 mask, i32 agent)",
        "lm_async_copy": "void(Wave w, i32 instruction, i64 mask, i32 size, i32 row)",
        "lm_async_store": (
            "void(Wave w, i32 instruction, i64 mask, i32 space, i32 row, i32 bytes, i32 reduces, "
            "i32 operation)"
        ),
        "lm_async_wait_all": "void(Wave w, i64 mask)",
        "lm_bulk_load": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 from_space, i32 multicast)"
        ),
        "lm_bulk_prefetch": "void(Wave w, i32 instruction, i64 mask, i32 row)",
        "lm_bulk_reduce": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 shared, i32 operation, "
            "i32 size)"
        ),
        "lm_bulk_store": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 masked)",
        "lm_bulks_wait": "void(Wave w, i64 mask, i32 allowed, i32 reads)",
        "lm_copies_wait": "void(Wave w, i64 mask, i32 allowed)",
        "lm_mbarrier_arrive": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row, i32 how)"
        ),
        "lm_mbarrier_awaited": "i32(Wave w, Awaited out)",
        "lm_mbarrier_init": "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row)",
        "lm_mbarrier_inval": "void(Wave w, i32 instruction, i32 space, i64 mask)",
        "lm_mbarrier_transact": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row, i32 completes)"
        ),
        "lm_mbarrier_wait": (
            "i32(Wave w, i32 instruction, i32 block, i32 space, i64 mask, i32 row, i32 how)"
        ),
        "lm_ptx_acquire": "void(Wave w, i64 mask, i32 scope)",
        "lm_ptx_add_floats": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size, i32 align, i32 row, "
            "i32 kind)"
        ),
        "lm_ptx_arrive": "void(Wave w, i32 instruction, i32 number, i32 expected)",
        "lm_ptx_barrier": (
            "i32(Wave w, i32 instruction, i32 block, i32 number, i32 expected, i32 reduces)"
        ),
        "lm_ptx_begin": "void(Group g)",
        "lm_ptx_branch": "i32(Wave w, i64 taken, i32 then, i32 otherwise, i32 back)",
        "lm_ptx_cluster_arrive": "void(Wave w, i32 instruction, i32 releases)",
        "lm_ptx_cluster_wait": "i32(Wave w, i32 instruction, i32 block)",
        "lm_ptx_conflict": "i32(Touch t, HazardRecord h, i64 earlier)",
        "lm_ptx_contribute": "void(Wave w, i32 number, i64 predicates)",
        "lm_ptx_convert": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 from, i32 to, i32 mode, "
            "i32 flags)"
        ),
        "lm_ptx_discard": "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size)",
        "lm_ptx_exit": "i32(Wave w)",
        "lm_ptx_fence": "void(Wave w, i64 mask, i32 scope, i32 what)",
        "lm_ptx_float": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 operation, i32 format, "
            "i32 mode, i32 flags)"
        ),
        "lm_ptx_from_integer": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 is_signed, i32 to, i32 mode)"
        ),
        "lm_ptx_gate": "i32(Wave w, i32 block, i32 row)",
        "lm_ptx_gate_all": "i32(Wave w, i32 block)",
        "lm_ptx_gate_mask": "i32(Wave w, i32 block, i32 needed)",
        "lm_ptx_goto": "i32(Wave w, i32 block, i32 back)",
        "lm_ptx_half_atomic": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 size, i32 align, "
            "i32 operation, i32 bf16, i32 kind)"
        ),
        "lm_ptx_keep": "void(Wave w, i32 instruction, i32 words, i32 most)",
        "lm_ptx_leave": "void(Wave last)",
        "lm_ptx_match": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 all)",
        "lm_ptx_matrix_load": (
            "void(Wave w, i32 instruction, i32 space, i32 lines, i32 bytes, i32 align, "
            "i32 element_bits, i32 registers, i32 table)"
        ),
        "lm_ptx_matrix_move": "void(Wave w, i32 instruction, i32 table)",
        "lm_ptx_matrix_store": (
            "void(Wave w, i32 instruction, i32 space, i32 lines, i32 bytes, i32 align, "
            "i32 element_bits, i32 registers, i32 table)"
        ),
        "lm_ptx_met": "void(Wave w, i32 row)",
        "lm_ptx_mma": (
            "void(Wave w, i32 instruction, i32 a, i32 b, i32 c, i32 d, i32 rule, i32 checked, "
            "i32 detail)"
        ),
        "lm_ptx_nth_set": "void(Wave w, i32 instruction, i64 mask, i32 row)",
        "lm_ptx_reduce": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 operation)",
        "lm_ptx_reduced": "i32(Wave w, i32 number, i32 what)",
        "lm_ptx_release": "void(Wave w, i64 mask, i32 scope, i32 global, i32 shared)",
        "lm_ptx_resume": "void(Group g)",
        "lm_ptx_shuffle": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 mode)",
        "lm_ptx_stalled": "i32(Group g)",
        "lm_ptx_switch": "i32(Wave w, i32 instruction, i32 row, i32 table, i32 rule, i32 back)",
        "lm_ptx_take_back": "void(Wave w, i32 drop, i32 at, i32 words)",
        "lm_ptx_wide_atomic": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 compare, i32 kind)"
        ),
        "lm_query_cancel": "void(Wave w, i32 instruction, i64 mask, i32 canceled)",
        "lm_set_registers": (
            "i32(Wave w, i32 instruction, i32 block, i32 registers, i32 increases, i32 first)"
        ),
        "lm_store_bulk": "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row)",
        "lm_tensor_alloc": (
            "i32(Wave w, i32 instruction, i32 block, i32 columns, i32 pair, i32 strict)"
        ),
        "lm_tensor_commit": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row, i32 multicast)"
        ),
        "lm_tensor_copy": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 table, i32 rows, i32 columns, "
            "i32 pair)"
        ),
        "lm_tensor_dealloc": (
            "i32(Wave w, i32 instruction, i32 block, i32 taddr, i32 columns, i32 pair)"
        ),
        "lm_tensor_fence": "void(Wave w, i64 mask, i32 after)",
        "lm_tensor_flag": "void(Wave w, i64 mask, i32 reads)",
        "lm_tensor_load": (
            "void(Wave w, i32 instruction, i32 taddr, i32 table, i32 registers, i32 strict)"
        ),
        "lm_tensor_mma": "void(Wave w, i32 instruction, i64 mask, i32 form, i32 maps)",
        "lm_tensor_read": "void(Wave w, i32 loads)",
        "lm_tensor_relinquish": "void(Wave w)",
        "lm_tensor_shift": "void(Wave w, i32 instruction, i64 mask, i32 row, i32 table, i32 pair)",
        "lm_tensor_store": (
            "void(Wave w, i32 instruction, i32 taddr, i32 table, i32 registers, i32 strict)"
        ),
        "lm_tensor_stored": "void(Wave w)",
        "lm_tensor_wait": "void(Wave w, i32 class)",
        "lm_tensormap_acquire": "void(Wave w, i64 mask)",
        "lm_tensormap_copy": "void(Wave w, i32 instruction, i64 mask, i32 row)",
        "lm_tensormap_replace": (
            "void(Wave w, i32 instruction, i32 space, i64 mask, i32 row, i32 bit, i32 width, "
            "i32 high)"
        ),
        "lm_tma_load": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 mode, i32 rank, i32 table, "
            "i32 how)"
        ),
        "lm_tma_prefetch": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 mode, i32 rank, i32 table)"
        ),
        "lm_tma_store": (
            "void(Wave w, i32 instruction, i64 mask, i32 row, i32 mode, i32 rank, i32 table, "
            "i32 operation)"
        ),
        "lm_try_cancel": "void(Wave w, i32 instruction, i64 mask, i32 space, i32 multicast)",
        "lm_wgmma": (
            "i32(Wave w, i32 instruction, i32 block, i32 form, i32 registers, i64 a, i64 b, "
            "i64 adds, i32 checked)"
        ),
        "lm_wgmma_commit": "void(Wave w)",
        "lm_wgmma_fence": "void(Wave w)",
        "lm_wgmma_moved": "void(Wave w, i32 instruction, i32 to, i32 from, i64 lanes)",
        "lm_wgmma_pending": "void(Wave w, i32 segment, i32 instruction, i32 reg)",
        "lm_wgmma_wait": "void(Wave w, i32 left)",
        "lm_wgmma_written": "void(Wave w, i32 instruction, i32 reg, i64 lanes)",
        "lm_wgmma_zeroed": "void(Wave w, i32 reg, i64 lanes)",
    }.items()
}
