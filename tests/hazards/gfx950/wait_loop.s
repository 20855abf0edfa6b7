; Once around the loop, its first instruction reads what its last one writes.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0x3c003c00
    v_mov_b32_e32 v3, v2
    v_mov_b32_e32 v4, 0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v6, 0
    v_mov_b32_e32 v7, 0
    v_mov_b32_e32 v8, 0
    s_mov_b32 s8, 3
.Lagain:
    v_add_f32_e32 v8, v8, v4                        ; hazard
    s_sub_u32 s8, s8, 1
    s_cmp_lg_u32 s8, 0
    v_mfma_f32_16x16x16_f16 v[4:7], v[2:3], v[2:3], 0
.ifdef CORRECTED
    s_nop 6
.else
    s_nop 5
.endif
    s_cbranch_scc1 .Lagain
    s_nop 0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v8, s[6:7]
    s_endpgm
