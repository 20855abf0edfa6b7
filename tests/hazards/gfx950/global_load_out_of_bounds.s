; Lane 63 loads the word behind its array.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
.ifdef CORRECTED
    v_min_u32_e32 v2, 62, v0
    v_lshlrev_b32_e32 v2, 2, v2
.else
    v_mov_b32_e32 v2, v1
.endif
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v2, s[4:5] offset:260     ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
