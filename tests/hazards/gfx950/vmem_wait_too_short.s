; Of two loads only the first is waited for, and the second is used.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v2, v1, s[4:5]
    global_load_dword v3, v1, s[4:5] offset:256
.ifdef CORRECTED
    s_waitcnt vmcnt(0)
.else
    s_waitcnt vmcnt(1)
.endif
    v_add_u32_e32 v2, 7, v2
    v_sub_u32_e32 v2, v2, v3                ; hazard
    global_store_dword v1, v2, s[6:7]
    s_endpgm
