; The loop's counter is never stepped.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
    s_mov_b32 s8, 10
.Lagain:
    v_add_u32_e32 v2, v2, v0
.ifdef CORRECTED
    s_sub_i32 s8, s8, 1
.endif
    s_cmp_gt_i32 s8, 0
    s_cbranch_scc1 .Lagain                          ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
