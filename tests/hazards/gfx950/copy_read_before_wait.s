; A wave reads LDS that its own load brings; the wait for LDS alone does not wait for the load.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 0
    s_waitcnt lgkmcnt(0)
    global_load_lds_dword v1, s[4:5]
.ifdef CORRECTED
    s_waitcnt vmcnt(0)
.else
    s_waitcnt lgkmcnt(0)
.endif
    ds_read_b32 v2, v1                      ; hazard
    s_waitcnt vmcnt(0) lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
