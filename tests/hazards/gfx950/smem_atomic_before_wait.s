; What a scalar atomic returns is used before lgkmcnt(0).
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_mov_b32 s8, 1
    s_waitcnt lgkmcnt(0)
    s_atomic_umax s8, s[4:5], 0x8 glc
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    s_add_u32 s9, s8, 3                     ; hazard
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, s9
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
