; A wave reads what it stores by a scalar store before its wait; loads by another way need more.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshrrev_b32_e32 v1, 6, v0
    s_nop 0
    v_readfirstlane_b32 s8, v1
    s_lshl_b32 s9, s8, 2
    s_add_u32 s10, s8, 100
    s_waitcnt lgkmcnt(0)
    s_store_dword s10, s[6:7], s9 offset:0x0
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    s_load_dword s11, s[6:7], s9            ; hazard
    s_waitcnt lgkmcnt(0)
    s_dcache_wb
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v3, s11
    s_barrier
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v3, s[6:7]
    s_endpgm
