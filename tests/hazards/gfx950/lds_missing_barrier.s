; Two waves exchange words through LDS; nothing orders the read after the other wave's write.
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    ds_write_b32 v1, v0       ; hazard
    s_waitcnt lgkmcnt(0)
.ifdef CORRECTED
    s_barrier
.endif
    v_xor_b32_e32 v2, 0x100, v1
    ds_read_b32 v3, v2                      ; hazard
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v3, s[6:7]
    s_endpgm
