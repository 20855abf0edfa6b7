; A word of LDS that nothing wrote decides a branch.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, 0
.ifdef CORRECTED
    ds_write_b32 v2, v2
    s_waitcnt lgkmcnt(0)
.endif
    ds_read_b32 v2, v2
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s8, v2
    v_mov_b32_e32 v3, 1
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 .Lzero                   ; hazard
    v_mov_b32_e32 v3, 2
.Lzero:
    global_store_dword v1, v3, s[6:7]
    s_endpgm
