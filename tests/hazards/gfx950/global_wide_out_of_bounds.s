; A four-word load starts inside its array and ends outside.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshlrev_b32_e32 v2, 4, v0
.ifdef CORRECTED
    v_min_u32_e32 v2, 0x1f0, v2
.else
    v_min_u32_e32 v2, 0x1f8, v2
.endif
    s_waitcnt lgkmcnt(0)
    global_load_dwordx4 v[4:7], v2, s[4:5]          ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v4, s[6:7]
    s_endpgm
