; A clock is read before lgkmcnt(0).
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_memtime s[8:9]
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    s_and_b32 s8, s8, 0                     ; hazard
    v_add_u32_e32 v2, s8, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
