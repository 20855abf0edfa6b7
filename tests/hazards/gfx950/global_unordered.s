; Two waves exchange words through global memory; nothing orders the load after the store.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x100, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v0, s[4:5]       ; hazard
    s_waitcnt vmcnt(0)
.ifdef CORRECTED
    s_barrier
.endif
    global_load_dword v3, v2, s[4:5]                ; hazard
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
