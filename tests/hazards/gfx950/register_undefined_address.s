; A register that nothing wrote is part of an address.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    v_mov_b32_e32 v2, 4
.endif
    v_or_b32_e32 v3, v1, v2
    s_waitcnt lgkmcnt(0)
    global_load_dword v4, v3, s[4:5]        ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v4, s[6:7]
    s_endpgm
