; A wave ends while the scalar cache keeps what it stored; nobody will write that back.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshrrev_b32_e32 v1, 6, v0
    s_nop 0
    v_readfirstlane_b32 s8, v1
    s_lshl_b32 s9, s8, 2
    s_add_u32 s10, s8, 100
    s_waitcnt lgkmcnt(0)
    s_store_dword s10, s[6:7], s9 offset:0x0
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    s_dcache_wb
.endif
    v_lshlrev_b32_e32 v1, 2, v0
    v_cmp_lt_u32_e32 vcc, 1, v0
    s_and_saveexec_b64 s[12:13], vcc
    global_store_dword v1, v0, s[6:7]
    s_endpgm                                ; hazard
