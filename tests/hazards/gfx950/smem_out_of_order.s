; Scalar loads may return in any order: lgkmcnt(1) does not say which of two has come.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_load_dword s8, s[4:5], 0x0
    s_load_dword s9, s[4:5], 0x4
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.else
    s_waitcnt lgkmcnt(1)
.endif
    s_add_i32 s8, s8, 5                     ; hazard
    s_waitcnt lgkmcnt(0)
    s_add_i32 s8, s8, s9
    v_add_u32_e32 v2, s8, v0
    global_store_dword v1, v2, s[6:7]
    s_endpgm
