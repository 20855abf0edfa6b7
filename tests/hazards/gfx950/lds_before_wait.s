; What ds_read returns is used before lgkmcnt says that it has come.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    v_xor_b32_e32 v3, 4, v1
    ds_read_b32 v2, v3
.ifdef CORRECTED
    s_waitcnt lgkmcnt(0)
.else
    s_waitcnt vmcnt(0)
.endif
    v_lshlrev_b32_e32 v2, 1, v2             ; hazard
    global_store_dword v1, v2, s[6:7]
    s_endpgm
