; Lane 0 stores the word before its array.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    global_store_dword v1, v0, s[6:7]
.else
    global_store_dword v1, v0, s[6:7] offset:-4     ; hazard
.endif
    s_endpgm
