; A scalar register that nothing wrote decides a branch.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    s_mov_b32 s9, 3
.endif
    v_mov_b32_e32 v2, 11
    s_waitcnt lgkmcnt(0)
    s_cmp_lt_u32 s9, 4
    s_cbranch_scc1 .Lless                   ; hazard
    v_mov_b32_e32 v2, 12
.Lless:
    global_store_dword v1, v2, s[6:7]
    s_endpgm
