; A scalar load's register is used as an address before lgkmcnt(0).
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.endif
    global_load_dword v2, v1, s[4:5]        ; hazard
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add_u32_e32 v2, 3, v2
    global_store_dword v1, v2, s[6:7]
    s_endpgm
